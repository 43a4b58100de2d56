// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

class Tables;     // resources/tables.h
class Variables;  // resources/variables.h

// May a rewrite move the last bit of a result? kTf: yes, as TensorFlow's own optimiser does.
// kStrict: only rewrites that give equal bits for equal kernels (NaN payloads and the sign of zero
// included).
enum class Algebra { kTf, kStrict };

// How CPUs with instructions for it multiply (--cpu-precision): kF16 in binary16, as far as
// kernels/encoded_filter.h says.
enum class CpuPrecision { kF32, kF16 };

// A tensor of the model that becomes an input.
struct Feed {
  std::string tensor;  // "node" or "node:slot"
  // -1 = as the placeholder says; empty vector = scalar. The largest where extents may vary from
  // run to run.
  std::optional<std::vector<int64_t>> shape;
  std::vector<int64_t> smallest = {};  // by dimension of `shape`; empty = none varies
  bool is_signature = false;           // the shape is the signature's, and was not asked for
};

// A tensor of the model that becomes a constant (--set).
struct FixedTensor {
  std::string tensor;                  // "node" or "node:slot"
  std::string text;                    // "true", "0.25", "256,512", or that of a file's name
  std::optional<Constant> array = {};  // what the file has
};

// Which loops are unrolled: those of at most so many iterations, for which the conversion makes at
// most so many nodes. Larger ones stay where a plan can hold them (--unroll). An LSTM of 28 steps
// is 1.1 times as fast when it is unrolled, but one of 100 steps takes three times as long as the
// loop does, because each step has weights of its own in the cache.
struct UnrollLimits {
  int64_t iterations = std::numeric_limits<int64_t>::max();
  int64_t nodes = 1000;

  static constexpr UnrollLimits Unlimited() {
    constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
    return {kNoLimit, kNoLimit};
  }
};

// What a pass may know besides the graph. Passes never print: they add to `notes`.
struct PassContext {
  Algebra algebra = Algebra::kTf;
  CpuPrecision cpu_precision = CpuPrecision::kF32;

  // Prune. No feeds: every placeholder that the fetches reach becomes an input, in graph order.
  // No fetches: the nodes that nobody consumes become outputs, in graph order.
  std::vector<Feed> feeds;
  std::vector<std::string> fetches;  // "node" or "node:slot"
  // What the model calls its own inputs and outputs, for errors about feeds and fetches that it
  // does not have.
  std::vector<std::string> input_names, output_names;

  // SetValues.
  std::vector<FixedTensor> fixed;

  // Upper bounds (--max) of integers that the model computes and that size tensors, by tensor.
  std::map<std::string, int64_t, std::less<>> most;

  UnrollLimits unroll;

  // Bytes that constants may still add to the model: the conversion makes some (folding, masks),
  // and a few lines of an untrusted model could ask for gigabytes. Null: no bound.
  int64_t* constant_room = nullptr;
  // Operations, and bytes read and written, that folding may still spend: a few lines could ask for
  // hours. What exceeds it is computed when the plan runs. Null: no bound.
  int64_t* folding_work = nullptr;
  // What the model's variables hold. May be null.
  const Variables* variables = nullptr;
  // What its hash tables hold. May be null.
  const Tables* tables = nullptr;

  // Sentences for the conversion report ("unknown batch size of 'x' set to 1"). May be null.
  std::vector<std::string>* notes = nullptr;

  bool strict() const { return algebra == Algebra::kStrict; }
  void Note(std::string text) const {
    if (notes != nullptr) notes->push_back(std::move(text));
  }
};

// Returns how many rewrites were made. Every pass is deterministic, idempotent (a second run makes
// no rewrite), runnable alone, and leaves a graph that the verifier accepts.
using PassFunction = absl::StatusOr<int> (*)(Graph& graph, const PassContext& context);

struct Pass {
  std::string_view name;  // = its file's name
  PassFunction run;
  std::string_view summary;  // one line, for `linnet passes`
};

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "converter/pass/pass.h"
#include "converter/place/place_graph.h"
#include "converter/plan/strip_use.h"
#include "converter/plan/weight_order.h"

namespace linnet::converter {

// What happens to f32 weights in the plan.
enum class WeightEncoding {
  kKeep,  // as the model stores them
  kF32,   // decoded
  kF16,   // plain ones rounded to binary16 where that is possible without overflow
};

// One conversion: the options of `linnet convert`. Tensor names may be signature keys, "node" or
// "node:slot".
struct ConvertOptions {
  std::string model;
  std::string output;                // empty: no file is written
  std::vector<Feed> inputs;          // empty: the signature's, else the placeholders
  std::vector<std::string> outputs;  // empty: the signature's, else the nodes that no node reads
  std::vector<FixedTensor> fixed;    // constants instead of inputs
  std::vector<std::string> tags;     // of a SavedModel's graph; empty: serve
  std::string checkpoint;            // with the variables of a graph alone; see ImportOptions
  // A program of the plan for each; empty: serving_default, else the first one.
  std::vector<std::string> signatures;
  std::map<std::string, int64_t, std::less<>> most;  // see PassContext
  std::optional<UnrollLimits> unroll;  // empty: as the device that runs the steps wants it
  Algebra algebra = Algebra::kTf;
  CpuPrecision cpu_precision = CpuPrecision::kF32;  // kF16: weights are kF16 too
  WeightEncoding weights = WeightEncoding::kKeep;
  WeightOrder weight_order = WeightOrder::kPanels;
  StripUse strips = StripUse::kLatency;
  bool keep_inputs = false;  // a run leaves inputs as they are, and needs more memory
  PlaceRequest place;
  // Of the runtime that must open the plan: "0.1"; what it does not know is an error. Empty: this
  // version's.
  std::string release;
  // Writes the graph as text after each run of the pass of this name ("all": of any) into dump_dir.
  std::string dump_after, dump_dir;
  // Called at the beginning of each stage and after each pass, to show progress. May be null.
  std::function<void(std::string_view stage)> progress;
};

}  // namespace linnet::converter

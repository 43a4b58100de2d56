// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/legalize/extents/integer_bounds.h"

namespace linnet::converter {

// What is known of small integer tensors that are computed when the model runs: shapes, lengths,
// counts. Their elements are extents, so that a Reshape or a Slice that reads them follows them.
class IntegerValues {
 public:
  using Elements = std::vector<std::optional<Extent>>;  // nullopt = any number

  // nullptr when nothing is known. Constants of at most kMaxElements are known.
  const Elements* Find(Output value);
  // All elements of a small integer tensor: those that are unknown become symbols, if bounds for
  // them are. nullopt else.
  std::optional<std::vector<Extent>> Read(Graph& graph, Output value);
  IntegerBounds& bounds() { return bounds_; }
  // Looks at a node just added: what its outputs are, if its inputs are known.
  void Record(Graph& graph, Node* node);
  // A symbol with the value of an element of `value`, which is in [min, max].
  static Extent SymbolOf(Graph& graph, Output value, int element, int64_t min, int64_t max);

  static constexpr int64_t kMaxElements = 256;

 private:
  void Set(Output value, Elements elements);
  void NameFew(Graph& graph, Output value);
  void Learn(const Graph& graph, Output value, Elements elements);

  IntegerBounds bounds_;
  std::map<std::pair<int, int>, Elements>
      values_;  // by node id, which is never given again, and output
};

}  // namespace linnet::converter

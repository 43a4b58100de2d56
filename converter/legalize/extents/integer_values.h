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
// counts. Each element is an Extent, so that the shape of the result of a Reshape or a Slice which
// reads it is expressed in the same symbols.
class IntegerValues {
 public:
  using Elements = std::vector<std::optional<Extent>>;  // nullopt = not known

  // nullptr when nothing is known. Constants of at most kMaxElements are known.
  const Elements* Find(Output value);
  // All elements of an i32 or i64 tensor of at most kMaxElements and of fixed shape. An element
  // that is not known becomes a new symbol if its bounds are known. nullopt in all other cases.
  std::optional<std::vector<Extent>> Read(Graph& graph, Output value);
  IntegerBounds& bounds() { return bounds_; }
  // To be called for each node that is added: derives what is known of its outputs from what is
  // known of its inputs.
  void Record(Graph& graph, Node* node);
  // A new symbol for an element of `value`, which lies in [min, max].
  static Extent SymbolOf(Graph& graph, Output value, int element, int64_t min, int64_t max);

  static constexpr int64_t kMaxElements = 256;

 private:
  void Set(Output value, Elements elements);
  void NameFew(Graph& graph, Output value);
  void Learn(const Graph& graph, Output value, Elements elements);

  IntegerBounds bounds_;
  // By node id and output. Ids are never reused.
  std::map<std::pair<int, int>, Elements> values_;
};

}  // namespace linnet::converter

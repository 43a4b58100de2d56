// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

// A graph as text, one node per line, producers first, in both vocabularies. ../README.md describes
// the syntax:
//   x = arg f32[1,8,8,3]
//   w = const f32[4,3,3,3] seed=1
//   c = Conv2D(x, w, const f32[4] {1, 2, 3, 4}) {stride_h: 2, stride_w: 2} : f32[1,3,3,4]
//   out = ret(c)
namespace linnet::converter {

struct PrintOptions {
  // Constants with more elements than this are printed as a hash of their bytes.
  int max_values = 16;
  bool sources = false;  // "  # a, b" behind nodes that stand for TensorFlow nodes a and b
};
std::string PrintGraph(const Graph& graph, const PrintOptions& options = {});
// One line without a line break at its end; several lines for a node with regions.
std::string PrintNode(const Node& node, const PrintOptions& options = {});

// Reads text into an empty graph. Linnet ops (`Conv2D(...)`) infer their types, and a written type
// must agree; TensorFlow ops are written `tf.Conv2D(...)`. InvalidArgument "line 3: ...".
absl::Status ParseGraph(std::string_view text, Graph* graph);
absl::StatusOr<std::unique_ptr<Graph>> ParseGraph(std::string_view text,
                                                  const OpRegistry* registry = nullptr);

}  // namespace linnet::converter

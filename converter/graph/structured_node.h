// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

// While and If of the Linnet vocabulary: nodes with two regions, which are graphs of their own with
// _Arg and _Retval nodes as functions have them.
//   While  The regions are the condition and the body. The inputs are the first value of each
//          variable, then captured values. Argument i of both regions is variable i, or input i
//          where there are fewer variables. The condition gives a bool scalar, the body the next
//          values of the variables. The outputs are the variables once the condition is false.
//   If     The regions are `then` and `else`. The inputs are a bool scalar, then captured values.
//          Argument i of both regions is input 1 + i. The outputs are the results of the region
//          that ran.
namespace linnet::converter {

// The _Arg nodes of a region, and the values that its _Retval nodes read, both by index; null where
// there is none.
std::vector<Node*> RegionArguments(const Graph& region);
std::vector<Output> RegionResults(const Graph& region);

// The input of the node that argument `argument` of a region is, if it is no variable.
inline int InputOfArgument(NodeClass node_class, int argument) {
  return node_class == NodeClass::kLinnetWhile ? argument : argument + 1;
}

// The types of the outputs; InvalidArgument where inputs and regions do not fit together.
absl::StatusOr<std::vector<TensorType>> InferStructured(
    NodeClass node_class, std::span<const Output> inputs,
    std::span<const std::unique_ptr<Graph>> regions);

// All structured nodes, in the order of their ids.
std::vector<Node*> StructuredNodes(const Graph& graph);

}  // namespace linnet::converter

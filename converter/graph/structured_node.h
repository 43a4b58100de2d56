// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

// Loops and branches of the Linnet vocabulary: nodes whose regions are graphs of their own, which
// end in _Arg and _Retval as functions do.
//   While  regions condition and body. Inputs: a first value of each variable, then captured
//   values. Argument i of
//          both regions is variable i, or input i behind the variables. Results: a bool scalar; the
//          variables' next values. Outputs: the variables once the condition is false.
//   If     regions then and else. Inputs: a bool scalar, then captured values; argument i is input
//   1 + i. Outputs:
//          the results of the region that was taken.
namespace linnet::converter {

// The _Arg nodes and what the _Retval nodes read, by index; null where there is none.
std::vector<Node*> RegionArguments(const Graph& region);
std::vector<Output> RegionResults(const Graph& region);

// Which input argument `argument` of a region is, where it is not a variable.
inline int InputOfArgument(NodeClass node_class, int argument) {
  return node_class == NodeClass::kLinnetWhile ? argument : argument + 1;
}

// The outputs' types, or what is wrong between inputs and regions (InvalidArgument).
absl::StatusOr<std::vector<TensorType>> InferStructured(
    NodeClass node_class, std::span<const Output> inputs,
    std::span<const std::unique_ptr<Graph>> regions);

// All structured nodes, in the order of their ids.
std::vector<Node*> StructuredNodes(const Graph& graph);

}  // namespace linnet::converter

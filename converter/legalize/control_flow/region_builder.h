// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/functions/function_body.h"
#include "converter/graph/graph.h"
#include "converter/legalize/context/tensor_lists.h"
#include "converter/legalize/extents/integer_bounds.h"

namespace linnet::converter {

// What an argument of a function becomes in a region made of the function: a constant, which is
// copied into the region, or an argument of the region.
struct ArgumentValue {
  Output value;                    // in the graph around the region
  int index = -1;                  // of the region's argument; -1 = `value` is a constant
  std::optional<TensorList> list;  // dense; `value` is its rows, or any constant if it has none
  std::optional<IntegerBounds::Bounds> bounds = {};
};

// What is known of values of a region besides their types.
struct RegionValues {
  TensorLists lists;
  IntegerBounds bounds;
};

// The nodes that the results of a function need, producers first, without its arguments.
std::vector<const Node*> NeededNodes(const FunctionBody& body);

// Subtracts from *room what the names of copies of all `nodes`, "<prefix>/<name>", cost
// (name_cost.h). ResourceExhausted where that is not enough. A null `room` is no limit.
absl::Status TakeNamesOf(std::span<const Node* const> nodes, std::string_view prefix,
                         int64_t* room);

// Does the function return its argument `i` unchanged as its result `i`?
bool PassesThrough(const FunctionBody& body, size_t i);

// The function as a graph of its own, still in TensorFlow's vocabulary, with nodes named
// "<prefix>/<name>". `arguments` has one element for each argument of the function. `rets`: the
// _Retval nodes of the function that become results 0, 1, ... of the region. Adds to `values` what
// is known of the arguments. InvalidArgument where a node lacks an input or is on a cycle.
absl::StatusOr<std::unique_ptr<Graph>> BuildRegion(
    const FunctionBody& body, std::span<const ArgumentValue> arguments, std::span<Node* const> rets,
    const std::string& prefix, const OpRegistry* registry, RegionValues* values);

// For the legalized region of a condition, which has one result. If that is a constant, or its
// shape decides, returns whether TensorFlow takes it for true and leaves the region as it is. Else
// returns nullopt and makes it a bool scalar, true where TensorFlow takes it for true.
absl::StatusOr<std::optional<bool>> MakeTruth(Graph& region);

}  // namespace linnet::converter

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

// What an argument of a function is in a region made of it: a constant, which is copied in, or an
// argument of the region.
struct ArgumentValue {
  Output value;                    // in the graph around it
  int index = -1;                  // of the region's argument, -1 = `value` is a constant
  std::optional<TensorList> list;  // dense; `value` is its rows, if it has any
  std::optional<IntegerBounds::Bounds> bounds = {};
};

// What is known of values of a region beside their types.
struct RegionValues {
  TensorLists lists;
  IntegerBounds bounds;
};

// What the results of a function need, producers first, arguments left out.
std::vector<const Node*> NeededNodes(const FunctionBody& body);

// Takes from *room, which may be null, what names of copies of all `nodes` cost that begin with
// `prefix` (name_cost.h). ResourceExhausted.
absl::Status TakeNamesOf(std::span<const Node* const> nodes, std::string_view prefix,
                         int64_t* room);

// Does the function return argument `i` as its result `i`?
bool PassesThrough(const FunctionBody& body, size_t i);

// The function as a graph of its own, in TensorFlow's vocabulary still, its nodes called
// "<prefix>/<name>". `arguments`: by the function's. `rets`: those of the function's results that
// the region has. `values`: what is known of the arguments.
absl::StatusOr<std::unique_ptr<Graph>> BuildRegion(
    const FunctionBody& body, std::span<const ArgumentValue> arguments, std::span<Node* const> rets,
    const std::string& prefix, const OpRegistry* registry, RegionValues* values);

// For a region that has been legalized: its only result is a bool scalar from now on, true where
// TensorFlow takes the value for true. What it always is, where that is known.
absl::StatusOr<std::optional<bool>> MakeTruth(Graph& region);

}  // namespace linnet::converter

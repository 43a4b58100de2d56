// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// Replaces `user`, which reads a variable by its handle or by reference (input 0), where that holds
// `value`. What replaces it has its name:
//   ReadVariableOp(v) => value      ResourceGather(v, i) => GatherV2(value, i, axis = batch_dims)
//   ResourceGatherNd(v, i) => GatherNd(value, i)            VariableShape(v) => Shape(value)
absl::Status ReplaceRead(Graph& graph, Node* user, Output value);

// What a variable that held `held` holds after `assignment`, any op of AssignsVariable:
//   AssignVariableOp(v, x) => x                  AssignAddVariableOp(v, x) => held + x, Sub
//   likewise ResourceScatterNdUpdate(v, i, x) => TensorScatterUpdate(held, i, x), Add and so on
//   likewise ResourceScatterUpdate(v, i, x) => the same with the rows i, ResourceScatterAdd and so
//   on likewise ResourceStridedSliceAssign(v, .., x) => TensorStridedSliceUpdate(held, .., x)
absl::StatusOr<Output> AssignedValue(Graph& graph, const Node& assignment, Output held);
// The type of the elements that it assigns.
tf::DataType AssignedType(const Node& assignment);

//   VarIsInitializedOp(v), IsVariableInitialized(v) => true      DisableCopyOnRead(v) => nothing
void ReplaceQuestion(Graph& graph, Node* user);

// Why a variable cannot be an output of the model, and what to ask for instead.
std::string HandleIsOutput(std::string_view variable);
inline constexpr char kNameItsReader[] =
    "name the node that reads it (ReadVariableOp) with --output";

// Removes `node`, in whose place `made` is already; that gets its name, device and sources.
void RemoveReplaced(Graph& graph, Node* node, Node* made);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// Puts what `user` makes of a variable that holds `value` in its place, under its name. `user`
// takes the variable's handle, or a reference to it, as input 0:
//   ReadVariableOp(v) => value      ResourceGather(v, i) => GatherV2(value, i, axis = batch_dims)
//   ResourceGatherNd(v, i) => GatherNd(value, i)            VariableShape(v) => Shape(value)
absl::Status ReplaceRead(Graph& graph, Node* user, Output value);

//   VarIsInitializedOp(v), IsVariableInitialized(v) => true      DisableCopyOnRead(v) => nothing
void ReplaceQuestion(Graph& graph, Node* user);

}  // namespace linnet::converter

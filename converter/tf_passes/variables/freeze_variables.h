// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// VariableV2, Variable, VarHandleOp  =>  Const with what context.variables has for it
//   ReadVariableOp(v) => v            ResourceGather(v, i) => GatherV2(v, i, axis = batch_dims)
//   ResourceGatherNd(v, i) => GatherNd(v, i)            VariableShape(v) => Shape(v)
//   VarIsInitializedOp(v), IsVariableInitialized(v) => true            DisableCopyOnRead(v) =>
//   nothing
//
// Handles are followed through Identity and IdentityN, which is what inline_functions leaves of
// arguments and captures; so this runs behind it. Weights are views into the checkpoint. A loop,
// branch or call that takes a handle is given the value instead. A problem for each node that
// changes a variable or does with it what is not listed here, and for each variable that is read
// and has no value.
absl::StatusOr<int> FreezeVariables(Graph& graph, const PassContext& context);

}  // namespace linnet::converter

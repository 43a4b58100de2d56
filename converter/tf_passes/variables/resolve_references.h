// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// A VariableV2 or Variable whose reference goes into anything but reads => a VarHandleOp
//
//   Assign(r, x) => AssignVariableOp(h, x)         AssignAdd, AssignSub likewise
//   RefSwitch(r, p) => Switch(h, p)                RefMerge, RefEnter, RefExit, RefNextIteration,
//                                                  RefIdentity likewise
//   IsVariableInitialized(r) => VarIsInitializedOp(h)
//   whatever reads r => reads one ReadVariableOp(h), which waits for all that its reader waits for,
//   since TensorFlow looks at the variable when the reader runs; who reads what Assign returns,
//   reads it behind that
//
// A problem for each op that changes a variable in another way. Variables that are only read are
// left to freeze_variables.
absl::StatusOr<int> ResolveReferences(Graph& graph, const PassContext& context);

}  // namespace linnet::converter

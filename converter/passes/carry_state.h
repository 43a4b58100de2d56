// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/passes/pass.h"

namespace linnet::converter {

// A resource variable that the model assigns => a state of the session (graph/session_state.h)
//
//   ReadVariableOp(v) => what v holds there: its state, or what the last assignment before made of
//   it AssignVariableOp(v, x) => x is the state's next value; AssignAddVariableOp(v, x) => v + x;
//   AssignSubVariableOp(v, x) => v - x
//
// "Before" is what data and control edges say; a read that is in no order with an assignment reads
// what was there before it. A problem for assignments that are in no order with each other, and for
// assigned variables that go into loops, branches or anything else but reads. Variables that nobody
// assigns are left to freeze_variables.
absl::StatusOr<int> CarryState(Graph& graph, const PassContext& context);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// A resource variable that the model assigns => a state of the session (graph/session_state.h)
//
//   ReadVariableOp(v) => what v holds there: its state, or what the last assignment before made of
//   it; AssignVariableOp(v, x) => x is the state's next value; AssignAddVariableOp(v, x) => v + x;
//   AssignSubVariableOp(v, x) => v - x
//   If, While, Case and calls whose functions touch v => the same over new functions that take what
//   v holds as a further argument and, if any of them assigns v, return what it holds then
//
// "Before" is what data and control edges say, of all variables together: the nodes are taken in
// one order that keeps them all. Where they leave a choice, what assigns nothing comes first, then
// the smaller id. A node that calls functions waits for all its inputs, and who waits for it waits
// for all that it does.
//
// A problem for assigned variables that go into anything else, whose handle is one of several, that
// the condition of a loop assigns, and for those without a value to begin with. Variables that
// nobody assigns are left to freeze_variables.
absl::StatusOr<int> CarryState(Graph& graph, const PassContext& context);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// Loops and conditionals of TensorFlow 1 become nodes of TensorFlow 2 with functions in the graph's
// library:
//   Enter -> Merge -> Switch(LoopCond) -> body -> NextIteration, Exit  =>  While {cond, body}
//   Switch(x, p) -> branch -> Merge                                    =>  If {then, else}
//   Switch(x, constant) => x                a loop that nobody reads, or that is never entered =>
//   nothing
//
// StatelessWhile and StatelessIf where the functions have no op with state. A While's variables are
// the loop variables, then constant Enters and other values that reach in, which pass through.
// Arguments of an If are what the branches read from outside; its results those of the Merges, then
// the value_index of each Merge where that is read. Constants up to 1 KiB are copied into the
// functions, larger ones become arguments, so do the values of variables that are only read. Inner
// constructs come first, so functions may hold If and While. It also works where control edges from
// pivots to constants were stripped (tfjs).
//
// Wants the graph pruned: what no _Retval needs may well be unstructured. Functions in the library
// are not looked into. A problem for each node that no such structure explains: Enters without
// frame name, nodes that read several frames, not exactly one LoopCond, several Switches of a loop
// variable, Merges of other things than two branches, results inside of a loop or a branch.
absl::StatusOr<int> RaiseControlFlow(Graph& graph, const PassContext& context);

}  // namespace linnet::converter

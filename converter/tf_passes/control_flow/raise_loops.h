// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"

namespace linnet::converter {

// The LoopCond of a loop; null, with a problem, where there is not one. (Null alone where the frame
// has no nodes.)
Node* FindLoopCondition(const Frames& frames, int frame, Problems* problems);

// Puts a While into the frame around `frame`, where that loop was, and removes the frame's nodes.
// Conditionals and loops inside of it are raised already. Loop variables come first, what only
// passes through (constant Enters, values that reach in from outside) behind them. A loop whose
// result nobody reads is removed, one whose condition is a constant `false` is replaced by its
// initial values. `raised` counts all of these. What is no such loop is a problem, and the graph
// must not be used after one.
//
// `keeps_order`: the model assigns variables. Then the While waits for all that anything in the
// loop reads or waits for from outside, and the body does all that touches variables after the
// condition.
absl::Status RaiseLoop(Graph& graph, Frames& frames, int frame, bool keeps_order,
                       Problems* problems, int* raised);

}  // namespace linnet::converter

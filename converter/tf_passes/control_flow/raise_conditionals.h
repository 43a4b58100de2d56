// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"

namespace linnet::converter {

// Puts an If where a Merge joins the two branches of a Switch, in one frame, loops inside of which
// are While nodes already; inner conditionals first. Leaves neither Switch nor Merge but those of
// the frame's own loop. `raised` counts the Ifs. What has no such structure is a problem, and then
// the graph is of no use.
// `keeps_order`: the model assigns variables. Then an If waits for all that its Switches and Merges
// read or wait for, and what touches variables must run in one If only.
absl::Status RaiseConditionals(Graph& graph, Frames& frames, int frame, bool keeps_order,
                               Problems* problems, int* raised);

}  // namespace linnet::converter

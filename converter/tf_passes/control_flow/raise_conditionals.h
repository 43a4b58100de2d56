// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/graph.h"
#include "converter/graph/problems.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"

namespace linnet::converter {

// Puts an If where a Merge joins the two branches of a Switch, in one frame; inner conditionals
// first. Loops inside of the frame must be While nodes already. Of Switch and Merge only those of
// the frame's own loop are left. `raised` counts the Ifs. What has no such structure is a problem,
// and the graph must not be used after one.
//
// `keeps_order`: the model assigns variables. Then an If waits for all that its Switches and Merges
// read or wait for, and what touches variables must run in one If only.
absl::Status RaiseConditionals(Graph& graph, Frames& frames, int frame, bool keeps_order,
                               Problems* problems, int* raised);

}  // namespace linnet::converter

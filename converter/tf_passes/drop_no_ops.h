// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/pass/pass.h"

namespace linnet::converter {

// TensorFlow ops that an inference does not need:
//   control edge from something without effects   =>  nothing: it orders nothing
//   Identity(N), StopGradient, PreventGradient,
//   CheckNumerics, Snapshot, Print,
//   _ListToArray, _ArrayToList                    =>  its inputs
//   NoOp, Assert, PrintV2                         =>  its control inputs' order, handed on
// EnsureShape is legalize's to check. A node with control inputs that mean something is kept, as
// TensorFlow's RemoveIdentityNodes keeps it, and so is one that reads a Switch (control flow hangs
// on it) or a reference. A node is without effects when neither it nor anything it depends on is
// stateful or control flow.
absl::StatusOr<int> DropNoOps(Graph& graph, const PassContext& context);

}  // namespace linnet::converter

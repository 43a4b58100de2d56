// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "absl/status/statusor.h"
#include "converter/functions/function_body.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// The nodes that replace a call.
struct InlinedCall {
  std::vector<Node*> outputs;  // an Identity for each result
  Node* done = nullptr;        // a NoOp that runs after all effects of the call; may be null
  Node* caller = nullptr;      // with keep_caller: an IdentityN with the caller's name
};

// Replaces the node `call` by a copy of `body`, as TensorFlow's InlineFunctionBody does:
// - Each argument becomes an Identity `Func/<caller>/input/_k`, each result an Identity
//   `Func/<caller>/output/_k`.
// - Nodes of the body, frames of loops and colocation groups are renamed to "<caller>/<name>".
// - The NoOp `Func/<caller>/input_control_node/_k` takes the control inputs of the call. The
//   arguments, nodes of the body without inputs, and calls in the body run after it.
// - The NoOp `Func/<caller>/output_control_node/_k` runs after the control results and all nodes
//   with an effect. Control outputs of the call start there, and at the results too if `call` is a
//   function's own op.
// Results come after all effects, since a call always runs as a whole. With `keeps_order`, for
// models that assign variables, also nothing in the body that touches a variable runs before all
// arguments are computed, and no result is available before all others are and everything that
// touches a variable has run. Errors, which leave the graph as it was: InvalidArgument "Inlining
// mismatch: ..." where call and body do not fit; ResourceExhausted where *name_room (name_cost.h)
// does not suffice. Callers must run FixupSourceAndSinkEdges afterwards.
absl::StatusOr<InlinedCall> InlineCall(Graph* graph, Node* call, const FunctionBody& body,
                                       bool keep_caller, int64_t* name_room,
                                       bool keeps_order = false);

}  // namespace linnet::converter

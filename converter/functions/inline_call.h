// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "absl/status/statusor.h"
#include "converter/functions/function_body.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// What stands where a call was.
struct InlinedCall {
  std::vector<Node*> body;     // copies of the body's nodes, under "<caller>/<name>"
  std::vector<Node*> outputs;  // an Identity per result
  Node* done = nullptr;        // a NoOp behind everything that the call had to do; may be null
  Node* caller = nullptr;      // an IdentityN with the caller's name, when that was asked for
};

// Puts `body` in place of the node `call` and removes that, as TensorFlow's InlineFunctionBody:
//   an Identity `Func/<caller>/input/_k` per argument, `Func/<caller>/output/_k` per result;
//   body nodes are called "<caller>/<name>", so are frames of loops and colocation groups;
//   `Func/<caller>/input_control_node/_k` collects the caller's control inputs: the arguments'
//   Identities, body nodes without inputs, and calls in the body, wait for it;
//   `Func/<caller>/output_control_node/_k` is what waited for the caller: it waits for control_ret
//   and every node with an effect; for the results too where `call` is a function's own op.
// Results wait for the effects, since a call that runs runs whole. With `keeps_order`, for models
// that assign variables, that is so of all of it: nothing in the body that touches a variable runs
// before every argument is there, and no result is there before all results and all that touches a
// variable. InvalidArgument "Inlining mismatch: ..." where call and body disagree,
// ResourceExhausted where *name_room (name_cost.h) has not enough; then nothing has changed. Source
// and Sink edges are the caller's business (FixupSourceAndSinkEdges).
absl::StatusOr<InlinedCall> InlineCall(Graph* graph, Node* call, const FunctionBody& body,
                                       bool keep_caller, int64_t* name_room,
                                       bool keeps_order = false);

}  // namespace linnet::converter

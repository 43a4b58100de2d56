// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/import/function_bodies.h"
#include "converter/legalize/legalize_context.h"

namespace linnet::converter {

// If, While, Case and calls, put in place of the node when the walk reaches it: by then shapes and
// whatever follows from them are constants, and with them most conditions.
//   While: condition and body once per iteration, until the condition is a constant false
//   If, Case: the arm that a constant picks; all arms and a Select where the model's input picks
//   a call: the function
// Nodes of a body are called "<node>/<iteration or arm>/<name in the function>". Constants of a
// body are copied once for all iterations.
class ControlFlow {
 public:
  // `visit` walks over a node that was added, and is false once anything failed (and is reported).
  ControlFlow(Graph& graph, LegalizeState* state, std::function<bool(Node*)> visit);

  // Errors are the node's. Ok with the node still there: something inside failed.
  absl::Status Expand(LegalizeContext& context);

 private:
  struct Body {
    const FunctionBody* function = nullptr;
    std::vector<const Node*> order;  // what the results need, producers first
    std::map<const Node*, Node*> constants;
  };
  // The results of a body, which are Linnet ops or lists; none when something inside failed.
  using Results = std::vector<Output>;

  absl::Status ExpandWhile(LegalizeContext& context);
  absl::Status ExpandIf(LegalizeContext& context);
  absl::Status ExpandCase(LegalizeContext& context);
  absl::Status ExpandCall(LegalizeContext& context);
  absl::Status ReplaceByChoice(LegalizeContext& context, Output index_or_condition,
                               const std::vector<Results>& arms);

  absl::StatusOr<Body*> FindBody(const Callee& callee);
  absl::StatusOr<Body*> FindBody(const Node& node, const char* attr);
  // A copy of the body that reads `inputs`, walked over.
  absl::StatusOr<Results> Instantiate(Body& body, const std::string& prefix, const Results& inputs);
  absl::StatusOr<Results> InstantiateArm(LegalizeContext& context, Body& body,
                                         const std::string& name);
  Node* Copy(Body& body, const Node* node, const std::string& prefix);
  absl::Status CheckSize() const;

  Graph& graph_;
  LegalizeState* state_;
  std::function<bool(Node*)> visit_;
  FunctionBodies functions_;
  std::map<const FunctionBody*, Body> bodies_;  // looked up only
  int iterations_ = 0;
  int first_id_ = -1;  // of the nodes that came from bodies
};

}  // namespace linnet::converter

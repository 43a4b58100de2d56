// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "converter/functions/function_bodies.h"
#include "converter/graph/graph.h"
#include "converter/legalize/context/legalize_context.h"

namespace linnet::converter {

struct ArgumentValue;
struct RegionValues;

// If, While, Case and calls, put in place of the node when the walk reaches it: by then shapes and
// whatever follows from them are constants, and with them most conditions.
//   While: condition and body once per iteration, until the condition is a constant false. Where no
//          counter ends it, or too late, it becomes a structured While (graph/structured_node.h)
//   If, Case: the arm that a constant picks; where the model's input picks, all arms and a Select,
//   or
//          a structured If when an arm holds a structured loop, which may not end where it is not
//          meant
//   a call: the function
// Nodes of a body are called "<node>/<iteration or arm>/<name in the function>". Constants of a
// body are copied once for all iterations.
class ControlFlow {
 public:
  // How the graph's walk continues.
  struct Walk {
    // Over a node that was added; false once anything failed (and is reported).
    std::function<bool(Node*)> visit;
    // Over the graph of a structured node, likewise. What is known of its arguments; then which
    // lists its results are too, which are named by their _Retval and have become their rows.
    std::function<bool(Graph&, RegionValues*)> visit_region;
    // Over the graph around, when this one is a region.
    ControlFlow* outer = nullptr;
  };
  ControlFlow(Graph& graph, LegalizeState* state, Walk walk);

  // Errors are the node's. Ok with the node still there: something inside failed.
  absl::Status Expand(LegalizeContext& context);
  // Of a region, when it has been walked over: its nodes count as those of loops.
  void CountNodes();

 private:
  struct Body {
    const FunctionBody* function = nullptr;
    std::vector<const Node*> order;  // what the results need, producers first
    std::map<const Node*, Node*> constants;
  };
  // The results of a body, which are Linnet ops or lists; none when something inside failed.
  using Results = std::vector<Output>;
  // What the graph and its regions, at any depth, share.
  struct Shared {
    FunctionBodies functions;
    int iterations = 0, nodes = 0;  // of unrolled loops
    int wasted = 0;                 // nodes of loops that were not unrolled in the end
    // Bodies of loops that are not unrolled, and arms that hold such.
    std::set<const FunctionBody*> structured;
  };

  absl::Status ExpandWhile(LegalizeContext& context);
  // How unrolling a loop ended, unless in an error of the node.
  struct Unrolled {
    enum class End {
      kReplaced,      // the node is gone
      kFailedInside,  // something in the loop failed, and is reported
      kTooLong,       // the loop has to stay one; the node is still there
    } end;
    absl::Status why;  // of kTooLong
  };
  absl::StatusOr<Unrolled> Unroll(LegalizeContext& context, Body& condition, Body& body);
  absl::Status ExpandIf(LegalizeContext& context);
  absl::Status ExpandCase(LegalizeContext& context);
  absl::Status ExpandCall(LegalizeContext& context);
  absl::Status ReplaceByChoice(LegalizeContext& context, Output index_or_condition,
                               const std::vector<Results>& arms);

  absl::StatusOr<Body*> FindBody(const Callee& callee);
  absl::StatusOr<Body*> FindBody(const Node& node, const char* attr);
  // A copy of the body that reads `inputs`, walked over. `origin`: what the names of its nodes
  // start with for all iterations.
  absl::StatusOr<Results> Instantiate(Body& body, const std::string& prefix,
                                      const std::string& origin, const Results& inputs);
  absl::StatusOr<Results> InstantiateArm(LegalizeContext& context, Body& body,
                                         const std::string& name);
  Node* Copy(Body& body, const Node* node, const std::string& prefix);
  absl::Status CheckSize(int limit);

  // structured_control_flow.cc
  absl::Status BuildWhile(LegalizeContext& context, const FunctionBody& condition,
                          const FunctionBody& body, const absl::Status& why);
  absl::Status BuildIf(LegalizeContext& context, Output condition, const FunctionBody& then,
                       const FunctionBody& otherwise);
  // Null when something inside failed. `lists` (may be null): those among the results.
  absl::StatusOr<std::unique_ptr<Graph>> Region(
      const FunctionBody& body, std::span<const ArgumentValue> arguments,
      std::span<Node* const> rets, const std::string& prefix,
      std::vector<std::optional<TensorList>>* lists = nullptr);
  // What the body writes first says what shape the elements of a list have. False when something
  // inside failed.
  absl::StatusOr<bool> LearnElementShapes(LegalizeContext& context, const FunctionBody& condition,
                                          const FunctionBody& body,
                                          std::vector<std::optional<TensorList>>* lists);
  absl::StatusOr<std::vector<Output>> AddStructured(LegalizeContext& context, NodeClass node_class,
                                                    std::span<const Output> inputs,
                                                    std::vector<std::unique_ptr<Graph>> regions);

  Graph& graph_;
  LegalizeState* state_;
  Walk walk_;
  std::unique_ptr<Shared> own_;  // null in a region
  Shared& shared_;
  const int depth_;                             // 0 for the model itself
  std::map<const FunctionBody*, Body> bodies_;  // looked up only
  int counted_ids_;                             // nodes below are counted, or are no loop's
  int num_structured_ = 0;                      // nodes added
};

// May an If or While have a condition of this type? TensorFlow takes any: numbers that are not 0,
// tensors that have elements. But where an attribute makes Switch and Merge of the node, as it was
// in TensorFlow 1, one bool it must be.
absl::Status CheckCondition(const Node& node, const TensorType& type);

}  // namespace linnet::converter

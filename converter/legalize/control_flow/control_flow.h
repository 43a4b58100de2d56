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

// Replaces If, While, Case and calls by copies of the functions that they call, when the walk over
// the graph reaches the node. By then shapes and whatever follows from them are constants, and so
// are most conditions.
//   While: condition and body, once per iteration, until the condition is a constant false. A loop
//          that no counter ends, or that is too large to unroll, becomes a structured While
//          (graph/structured_node.h), and so does one beyond the UnrollLimits, if it can.
//   If, Case: the arm that a constant picks. Where the model's input picks, all arms and a Select;
//          but a structured If when an arm holds a structured loop, because that loop might never
//          end in an arm that is not taken.
//   a call: the function.
// The copies are named "<node>/<iteration or arm>/<name in the function>", those of a call
// "<node>/<name in the function>". Constants of a function are copied once for all iterations.
class ControlFlow {
 public:
  // What the walk over the graph provides.
  struct Walk {
    // Legalizes a node that was added; false once anything has failed, which is then reported.
    std::function<bool(Node*)> visit;
    // The same for a region of a structured node. The values hold what is known of its arguments;
    // afterwards their lists also have the results that are lists, by _Retval. Such a _Retval reads
    // the rows of the list.
    std::function<bool(Graph&, RegionValues*)> visit_region;
    // Whether `build` succeeds and nothing that it visits fails. What fails is not reported.
    std::function<bool(const std::function<absl::Status()>& build)> attempt;
    // Of the graph that this graph is a region of; null for the model itself.
    ControlFlow* outer = nullptr;
  };
  ControlFlow(Graph& graph, LegalizeState* state, Walk walk);

  // Replaces the node of the context. Errors are about that node. Ok, but with the node still in
  // the graph, when something in its functions failed, which is reported.
  absl::Status Expand(LegalizeContext& context);
  // Counts the nodes added since the last call against the limits on all loops of the model. To be
  // called for a region after the walk over it.
  void CountNodes();

 private:
  // Limits for all loops of a model together, because a tiny model could request any number of
  // iterations. A loop that exceeds kMaxIterations or kMaxNodes is never unrolled. Branches and
  // calls are refused from kMaxNodesAtAll on, loops once kMaxWasted nodes were made in vain.
  static constexpr int kMaxIterations = 1 << 14;
  static constexpr int kMaxNodes = 150'000;
  static constexpr int kMaxNodesAtAll = 2 * kMaxNodes;
  static constexpr int kMaxWasted = 4 * kMaxNodes;

  struct Body {
    const FunctionBody* function = nullptr;
    std::vector<const Node*> order;  // the nodes that the results need, producers first
    std::map<const Node*, Node*> constants;
  };
  // The results of a body, outputs of Linnet ops or lists; empty when something inside failed.
  using Results = std::vector<Output>;
  // What the graph and its regions, at any depth, share.
  struct Shared {
    FunctionBodies functions;
    int iterations = 0, nodes = 0;  // iterations of unrolled loops; nodes as CountNodes counts
    int wasted = 0;                 // nodes of loops whose unrolling was given up
    // Bodies of loops that are not unrolled, and arms that hold such loops.
    std::set<const FunctionBody*> structured;
    // Bodies of loops beyond the UnrollLimits: of those that stayed, and of those that could not.
    std::set<const FunctionBody*> large, unfit;
  };

  // while_loops.cc.
  absl::Status ExpandWhile(LegalizeContext& context);
  // How unrolling a loop ended, if not with an error about the node.
  struct Unrolled {
    enum class End {
      kReplaced,      // the node is gone
      kFailedInside,  // something in the loop failed, which is reported
      kLarge,         // the loop is beyond `limits`; the node is still in the graph
      kTooLong,       // the loop must not be unrolled; the node is still in the graph
    } end;
    absl::Status why;  // the reason for kTooLong
  };
  // Whether a loop beyond the UnrollLimits could stay and has replaced the node.
  bool KeepIfPossible(LegalizeContext& context, const Body& condition, const Body& body);
  // Counts what was unrolled in vain as wasted.
  absl::StatusOr<Unrolled> TryToUnroll(LegalizeContext& context, Body& condition, Body& body,
                                       const UnrollLimits& limits);
  absl::StatusOr<Unrolled> Unroll(LegalizeContext& context, Body& condition, Body& body,
                                  const UnrollLimits& limits);
  absl::Status ExpandIf(LegalizeContext& context);
  absl::Status ExpandCase(LegalizeContext& context);
  absl::Status ExpandCall(LegalizeContext& context);
  absl::Status ReplaceByChoice(LegalizeContext& context, Output index_or_condition,
                               const std::vector<Results>& arms);

  absl::StatusOr<Body*> FindBody(const Callee& callee);
  absl::StatusOr<Body*> FindBody(const Node& node, const char* attr);
  // Copies the body into the graph, with `inputs` as its arguments, and legalizes the copies. Their
  // names begin with `prefix`. `origin` is a prefix that is the same for all iterations of a loop:
  // their copies of a stateful op share the generator of that name.
  absl::StatusOr<Results> Instantiate(Body& body, const std::string& prefix,
                                      const std::string& origin, const Results& inputs);
  absl::StatusOr<Results> InstantiateArm(LegalizeContext& context, Body& body,
                                         const std::string& name);
  Node* Copy(Body& body, const Node* node, const std::string& prefix);
  absl::Status CheckSize(int limit);

  // structured_control_flow.cc. `why`: why the loop must not be unrolled, ok if it might be.
  absl::Status BuildWhile(LegalizeContext& context, const FunctionBody& condition,
                          const FunctionBody& body, const absl::Status& why);
  absl::Status BuildIf(LegalizeContext& context, Output condition, const FunctionBody& then,
                       const FunctionBody& otherwise);
  // The function as a legalized graph of its own; see BuildRegion for the parameters. `lists`, if
  // not null, gets for each result the list that it is, nullopt for a tensor. Null when something
  // inside failed.
  absl::StatusOr<std::unique_ptr<Graph>> Region(
      const FunctionBody& body, std::span<const ArgumentValue> arguments,
      std::span<Node* const> rets, const std::string& prefix,
      std::vector<std::optional<TensorList>>* lists = nullptr);
  // For lists without rows, whose element shape is not known: legalizes the body once to see the
  // shape of what it writes to them, and gives them rows. False when something inside failed.
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
  std::map<const FunctionBody*, Body> bodies_;  // never iterated: pointers have no fixed order
  // Nodes with smaller ids are counted, or are not to be; -1 before the first Expand of the model.
  int counted_ids_;
  int num_structured_ = 0;  // structured nodes added
};

}  // namespace linnet::converter

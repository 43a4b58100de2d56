// SPDX-License-Identifier: Apache-2.0
// Loops and conditionals of TensorFlow 1 become nodes of TensorFlow 2 with functions in the graph's
// library:
//   Enter -> Merge -> Switch(LoopCond) -> body -> NextIteration, Exit  =>  While {cond, body}
//   Switch(x, p) -> branch -> Merge                                    =>  If {then, else}
//   _SwitchN(x, i) -> branches -> Merge                                =>  nested Ifs
//   Switch(x, constant) => x
//   a loop whose results nobody reads => nothing           a loop that never runs => initial values
//
// StatelessWhile and StatelessIf where the functions have no op with state. A While's variables are
// the loop variables, then constant Enters and other values that reach in, which pass through.
// Arguments of an If are what the branches read from outside; its results those of the Merges, then
// the value_index of each Merge where that is read. Constants up to 1 KiB are copied into the
// functions, larger ones become arguments, so do the values of variables that are only read. Inner
// loops and conditionals come first, so functions may hold If and While. Control edges that tie
// constants to their branch or loop may be missing (tfjs).
//
// The graph must be pruned: what no _Retval needs may well be unstructured. Functions in the
// library are not looked into. A problem for each node that does not fit such a structure: Enters
// without frame name, nodes that read several frames, not exactly one LoopCond, several Switches of
// a loop variable, Merges of other things than two branches, results inside of a loop or a branch.
#include "converter/pass/passes.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "converter/functions/variable_ops.h"
#include "converter/graph/algorithm.h"
#include "converter/graph/problems.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/tf_passes/control_flow/branch_contexts.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"
#include "converter/tf_passes/control_flow/control_flow_region.h"
#include "converter/tf_passes/control_flow/fold_predicates.h"
#include "converter/tf_passes/control_flow/raise_conditionals.h"
#include "converter/tf_passes/control_flow/raise_loops.h"
#include "converter/tf_passes/control_flow/switches_of_many.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::vector<Node*> NodesOf(const Graph& graph, bool (*wanted)(const Node&)) {
  std::vector<Node*> found = graph.op_nodes();
  std::erase_if(found, [&](const Node* node) { return !wanted(*node); });
  return found;
}

bool IsResult(const Node& node) { return node.node_class() == NodeClass::kRetval; }

bool HasCycle(const Graph& graph) {
  return TopologicalOrder(graph).size() != static_cast<size_t>(graph.num_op_nodes());
}

// What waits for a Switch itself, not for one of its branches, waits for the Switch's inputs
// instead, as the Switch will be removed.
absl::Status WaitForInputsOfSwitches(Graph& graph) {
  for (Node* node : graph.op_nodes()) {
    if (node->node_class() != NodeClass::kSwitch || IsLoopPart(*node)) continue;
    std::vector<const Edge*> waits;
    for (const Edge* edge : node->out_edges())
      if (edge->IsControlEdge() && edge->dst->IsOp()) waits.push_back(edge);
    if (waits.empty() || !node->input(0) || !node->input(1)) continue;
    std::vector<Node*> before = WaitsOf(*node);
    // Identities, since an input may be one branch of another Switch.
    const auto predicate = AddWait(graph, node->name() + "/predicate", node->input(1), {});
    if (!predicate.ok()) return predicate.status();
    before.push_back(predicate->node);
    const auto inputs = AddWait(graph, node->name(), node->input(0), before);
    if (!inputs.ok()) return inputs.status();
    for (const Edge* edge : waits) {
      Node* dst = edge->dst;
      graph.RemoveControlEdge(edge);
      graph.AddControlEdge(inputs->node, dst);
    }
  }
  return absl::OkStatus();
}

// Innermost first. Loops around one that cannot be raised are left alone.
absl::Status RaiseFrames(Graph& graph, Frames& frames, bool keeps_order, Problems* problems,
                         int* raised) {
  std::vector<int> order(frames.num_frames());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](int frame) { return frames.Depth(frame); });
  std::vector<bool> failed(order.size(), false);
  for (const int frame : order) {
    const bool is_loop = frame != 0;
    Problems found;
    absl::Status status;
    if (!failed[frame] && (!is_loop || FindLoopCondition(frames, frame, &found) != nullptr)) {
      status = RaiseConditionals(graph, frames, frame, keeps_order, &found, raised);
      if (status.ok() && found.empty() && is_loop)
        status = RaiseLoop(graph, frames, frame, keeps_order, &found, raised);
    }
    if (!status.ok()) return status;
    if (!found.empty() || failed[frame]) failed[frames[frame].parent] = true;
    for (const Problem& problem : found.all()) problems->Add(problem);
  }
  return absl::OkStatus();
}

void ReportLeft(const Graph& graph, Problems* problems) {
  const std::vector<Node*> left = NodesOf(graph, IsControlFlow);
  for (size_t i = 0; i < std::min(left.size(), kEnoughProblems); ++i)
    problems->Add(*left[i], "is not part of a loop or conditional as TensorFlow builds them",
                  "export the model with tf.compat.v1.enable_control_flow_v2()");
  if (left.size() > kEnoughProblems)
    problems->Add(
        Problem{.reason = fmt::format("{} more such nodes", left.size() - kEnoughProblems)});
}

}  // namespace

absl::StatusOr<int> RaiseControlFlow(Graph& graph, const PassContext& context) {
  if (NodesOf(graph, IsControlFlow).empty()) return 0;
  Problems problems;
  if (HasCycle(graph)) problems.Add(Problem{.reason = "the graph has a cycle that is no loop"});
  if (!problems.empty()) return problems.ToStatus();
  absl::StatusOr<int> split = SplitSwitches(graph, context.constant_room);
  if (!split.ok()) return split;
  int changes = *split + FoldPredicates(graph, &problems);
  if (!problems.empty()) return problems.ToStatus();
  const bool keeps_order = MayAssign(graph.functions(), graph.op_nodes());
  if (keeps_order)
    if (absl::Status s = WaitForInputsOfSwitches(graph); !s.ok()) return s;
  Frames frames(graph, &problems);
  if (problems.empty())
    if (absl::Status s = RaiseFrames(graph, frames, keeps_order, &problems, &changes); !s.ok())
      return s;
  if (problems.empty()) ReportLeft(graph, &problems);
  if (problems.empty() && HasCycle(graph))
    problems.Add(Problem{.reason = "a loop or conditional needs its own result"});
  if (!problems.empty()) return problems.ToStatus();
  const std::vector<Node*> results = NodesOf(graph, IsResult);
  if (!results.empty()) PruneForReverseReachability(&graph, results);
  FixupSourceAndSinkEdges(&graph);
  return changes;
}

}  // namespace linnet::converter

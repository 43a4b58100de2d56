// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/control_flow/control_flow.h"

#include <algorithm>

#include "converter/graph/node_class.h"
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/control_flow/conditions.h"
#include "converter/legalize/control_flow/loop_results.h"
#include "converter/legalize/control_flow/region_builder.h"
#include "converter/legalize/lists/tensor_list.h"

namespace linnet::converter {
namespace {

// May `node`, or a node in a function that it calls, have state that a session keeps?
bool MayBeStateful(const Node& node) {
  return node.op_def() == nullptr || node.op_def()->is_stateful();
}

}  // namespace

ControlFlow::ControlFlow(Graph& graph, LegalizeState* state, Walk walk)
    : graph_(graph),
      state_(state),
      walk_(std::move(walk)),
      own_(walk_.outer != nullptr
               ? nullptr
               : new Shared{.functions = {graph, state->constant_room, /*notes=*/nullptr}}),
      shared_(walk_.outer != nullptr ? walk_.outer->shared_ : *own_),
      depth_(walk_.outer != nullptr ? walk_.outer->depth_ + 1 : 0),
      counted_ids_(walk_.outer != nullptr ? 0 : -1) {}

absl::Status ControlFlow::Expand(LegalizeContext& context) {
  state_->is_unrolling = true;
  if (counted_ids_ < 0) counted_ids_ = graph_.num_node_ids();
  if (context.node().node_class() == NodeClass::kTfWhile) return ExpandWhile(context);
  LINNET_RETURN_IF_ERROR(CheckSize(kMaxNodesAtAll));
  switch (context.node().node_class()) {
    case NodeClass::kTfIf:
      return ExpandIf(context);
    case NodeClass::kCase:
      return ExpandCase(context);
    default:
      return ExpandCall(context);
  }
}

void ControlFlow::CountNodes() {
  if (counted_ids_ < 0) return;
  shared_.nodes += graph_.num_node_ids() - counted_ids_;
  counted_ids_ = graph_.num_node_ids();
}

absl::Status ControlFlow::CheckSize(int limit) {
  CountNodes();
  if (shared_.nodes <= limit) return absl::OkStatus();
  return Unsupported("the model's loops take more than {} nodes when they are unrolled", limit);
}
absl::StatusOr<ControlFlow::Results> ControlFlow::InstantiateArm(LegalizeContext& context,
                                                                 Body& body,
                                                                 const std::string& name) {
  const size_t results = body.function->rets.size(),
               wanted = context.node().tf_output_types().size();
  if (results != wanted)
    return Invalid("its arm '{}' has {} results, want {}", name, results, wanted);
  return Instantiate(body, fmt::format("{}/{}", context.node().name(), name),
                     fmt::format("{}/{}", context.origin(), name),
                     context.inputs(1, context.num_inputs()));
}
absl::Status ControlFlow::ExpandIf(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(Body* const then, FindBody(context.node(), "then_branch"));
  LINNET_ASSIGN_OR_RETURN(Body* const otherwise, FindBody(context.node(), "else_branch"));
  if (context.num_inputs() < 1) return Invalid("has no condition");
  LINNET_ASSIGN_OR_RETURN(const Output condition, EmitTruth(context, context.input(0)));
  const Constant* known = LegalizeContext::FindConstant(condition);
  const bool is_structured = shared_.structured.contains(then->function) ||
                             shared_.structured.contains(otherwise->function);
  if (known == nullptr && is_structured)
    return BuildIf(context, condition, *then->function, *otherwise->function);
  const int num_structured = num_structured_;
  ScopedFlag may_not_run(&state_->may_not_run);
  if (known == nullptr) may_not_run.Set();
  std::vector<Results> arms;
  for (const bool taken : {true, false}) {
    if (known != nullptr && (known->ScalarValue() != 0) != taken) continue;
    LINNET_ASSIGN_OR_RETURN(
        Results arm, InstantiateArm(context, taken ? *then : *otherwise, taken ? "then" : "else"));
    if (arm.empty()) return absl::OkStatus();
    arms.push_back(std::move(arm));
  }
  if (known == nullptr && num_structured_ > num_structured) {
    shared_.structured.insert({then->function, otherwise->function});
    return BuildIf(context, condition, *then->function, *otherwise->function);
  }
  return ReplaceByChoice(context, condition, arms);
}

absl::Status ControlFlow::ExpandCase(LegalizeContext& context) {
  const tf::AttrValue* attr = context.node().FindAttr("branches");
  if (attr == nullptr || attr->list().func().empty()) return Invalid("attr 'branches' is empty");
  if (context.num_inputs() < 1) return Invalid("has no index");
  if (context.shape(0).rank() != 0) return Invalid("its index is no scalar");
  const auto& branches = attr->list().func();
  int first = 0, last = branches.size() - 1;
  if (context.FindConstant(0) != nullptr) {
    LINNET_ASSIGN_OR_RETURN(const int64_t index, context.ConstantInt(0, "branch_index"));
    if (index >= 0 && index < last) last = static_cast<int>(index);
    first = last;  // an index out of range picks the last branch, as in TensorFlow
  }
  const int num_structured = num_structured_;
  ScopedFlag may_not_run(&state_->may_not_run);
  if (first != last) may_not_run.Set();
  std::vector<Results> arms;
  for (int i = first; i <= last; ++i) {
    LINNET_ASSIGN_OR_RETURN(Body* const body, FindBody({branches[i].name(), branches[i].attr()}));
    LINNET_ASSIGN_OR_RETURN(Results arm,
                            InstantiateArm(context, *body, fmt::format("branch_{}", i)));
    if (arm.empty()) return absl::OkStatus();
    arms.push_back(std::move(arm));
  }
  if (arms.size() > 1 && num_structured_ > num_structured)
    return Unsupported("the model's input picks a branch, and ends a loop in one");
  return ReplaceByChoice(context, context.input(0), arms);
}

// A Select for each result and each arm but the last, which is taken where no other is. All arms
// run: as ops have no side effects, those that are not taken only cost time.
absl::Status ControlFlow::ReplaceByChoice(LegalizeContext& context, Output index_or_condition,
                                          const std::vector<Results>& arms) {
  std::vector<Emitted> results(arms.back().begin(), arms.back().end());
  for (auto arm = arms.rbegin() + 1; arm != arms.rend(); ++arm) {
    const auto index = static_cast<double>(arms.rend() - arm - 1);
    Emitted condition = index_or_condition;
    const DType dtype = context.type(index_or_condition).dtype;
    if (dtype != DType::kBool)
      condition =
          EmitCompare(context, CompareKind::Equal, condition,
                      context.AddScalar(dtype, index, "index"), fmt::format("is_{}", index));
    if (arm->size() != results.size()) return Invalid("its arms have different numbers of results");
    for (size_t i = 0; i < results.size(); ++i) {
      if (!context.IsUsed(static_cast<int>(i))) continue;
      results[i] =
          EmitChoice(context, condition, (*arm)[i], results[i], fmt::format("output_{}", i));
    }
  }
  return context.Replace(results);
}

absl::Status ControlFlow::ExpandCall(LegalizeContext& context) {
  const Node& node = context.node();
  LINNET_ASSIGN_OR_RETURN(Body* const body, FindBody(CalleeOf(node)));
  LINNET_ASSIGN_OR_RETURN(
      const Results results,
      Instantiate(*body, node.name(), context.origin(), context.inputs(0, context.num_inputs())));
  if (results.empty() && !body->function->rets.empty()) return absl::OkStatus();
  return context.Replace(results);
}

absl::StatusOr<ControlFlow::Body*> ControlFlow::FindBody(const Node& node, const char* attr) {
  const tf::AttrValue* function = node.FindAttr(attr);
  if (function == nullptr || !function->has_func())
    return Invalid("attr '{}' names no function", attr);
  return FindBody({function->func().name(), function->func().attr()});
}

absl::StatusOr<ControlFlow::Body*> ControlFlow::FindBody(const Callee& callee) {
  const absl::StatusOr<FunctionBody>& function = shared_.functions.Find(callee).first;
  if (!function.ok()) return function.status();
  const auto [body, is_new] = bodies_.try_emplace(&*function);
  if (is_new) body->second = {&*function, NeededNodes(*function), {}};
  return &body->second;
}

Node* ControlFlow::Copy(Body& body, const Node* node, const std::string& prefix) {
  if (const auto it = body.constants.find(node); it != body.constants.end()) return it->second;
  Node* copy = graph_.CopyNode(node);
  graph_.Rename(copy, graph_.UniqueName(fmt::format("{}/{}", prefix, node->name())));
  copy->set_sources({copy->name()});
  if (node->IsConstant()) body.constants[node] = copy;
  return copy;
}

absl::StatusOr<ControlFlow::Results> ControlFlow::Instantiate(Body& body, const std::string& prefix,
                                                              const std::string& origin,
                                                              const Results& inputs) {
  const FunctionBody& function = *body.function;
  if (inputs.size() != function.args.size())
    return Invalid("a function of {} arguments is given {}", function.args.size(), inputs.size());
  LINNET_RETURN_IF_ERROR(TakeNamesOf(body.order, prefix, state_->constant_room));
  std::vector<Output> outputs_of_args(static_cast<size_t>(function.graph->num_node_ids()));
  for (size_t i = 0; i < inputs.size(); ++i)
    outputs_of_args[static_cast<size_t>(function.args[i]->id())] = inputs[i];
  std::vector<Node*> copies(outputs_of_args.size(), nullptr);
  const auto translate = [&](Output value) -> Output {
    const auto id = static_cast<size_t>(value.node->id());
    if (copies[id] != nullptr) return {copies[id], value.index};
    return outputs_of_args[id];
  };

  std::vector<Node*> added;
  for (const Node* node : body.order) {
    const int before = graph_.num_node_ids();
    Node* copy = copies[static_cast<size_t>(node->id())] = Copy(body, node, prefix);
    if (copy->id() < before) continue;  // a constant that was copied before
    added.push_back(copy);
    if (MayBeStateful(*node))
      state_->generators.SetOrigin(*copy, fmt::format("{}/{}", origin, node->name()));
    for (int slot = 0; slot < node->num_inputs(); ++slot) {
      const Output from = node->input(slot) ? translate(node->input(slot)) : Output();
      if (!from) return Invalid("'{}' in its function has a cycle or lacks an input", node->name());
      graph_.AddEdge(from.node, from.index, copy, slot);
    }
  }
  // The visits replace the nodes that make the results; these _Retval nodes keep track of them.
  std::vector<Node*> anchors;
  for (const Node* ret : function.rets)
    anchors.push_back(
        graph_.AddRetval(graph_.UniqueName(prefix + "/result"), 0, translate(ret->input(0))));
  bool fine = true;
  for (Node* node : added) fine = fine && walk_.visit(node);
  Results results;
  for (Node* anchor : anchors) {
    if (fine) results.push_back(anchor->input(0));
    graph_.RemoveNode(anchor);
  }
  return results;
}

namespace {

absl::Status Expand(LegalizeContext& context) { return context.ExpandControlFlow(); }

constexpr char kArm[] = "an arm; all of them and Select, or If, where the input decides";
constexpr char kUnrolled[] =
    "its body, once per iteration; While where these are many, or no constant says how many";

}  // namespace

std::span<const TfOp> ControlFlowOps() {
  static constexpr TfOp kRows[] = {
      {"Case", Expand, kArm, kTakesLists | kMayVary},
      {"If", Expand, kArm, kTakesLists | kMayVary},
      {"PartitionedCall", Expand, "the function", kTakesLists | kMayVary},
      {"StatefulPartitionedCall", Expand, "the function", kTakesLists | kMayVary},
      {"StatelessCase", Expand, kArm, kTakesLists | kMayVary},
      {"StatelessIf", Expand, kArm, kTakesLists | kMayVary},
      {"StatelessWhile", Expand, kUnrolled, kTakesLists | kMayVary},
      {"While", Expand, kUnrolled, kTakesLists | kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

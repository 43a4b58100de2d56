// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/control_flow.h"

#include <algorithm>

#include "converter/legalize/building_blocks.h"
#include "converter/legalize/loop_results.h"
#include "converter/legalize/tensor_list.h"
#include "converter/legalize/tf_op_table.h"

namespace linnet::converter {
namespace {

// Of all loops of a model together. A hundred lines could ask for any number.
constexpr int kMaxIterations = 1 << 14;
constexpr int kMaxNodes = 150'000;

// What the results need, producers first, arguments left out.
std::vector<const Node*> NeededNodes(const FunctionBody& body) {
  std::vector<const Node*> order;
  std::vector<bool> seen(static_cast<size_t>(body.graph->num_node_ids()), false);
  std::vector<std::pair<const Node*, int>> stack;  // and the next input to look at
  const auto push = [&](const Node* node) {
    if (node == nullptr || seen[static_cast<size_t>(node->id())]) return;
    seen[static_cast<size_t>(node->id())] = true;
    if (node->node_class() != NodeClass::kArg) stack.emplace_back(node, 0);
  };
  for (const Node* ret : body.rets) {
    push(ret->input(0).node);
    while (!stack.empty()) {
      auto& [node, input] = stack.back();
      if (input < node->num_inputs()) {
        push(node->input(input++).node);
        continue;
      }
      order.push_back(node);
      stack.pop_back();
    }
  }
  return order;
}

// A condition as TensorFlow understands it: numbers that are not 0, tensors that have elements.
absl::StatusOr<Output> EmitTruth(LegalizeContext& context, Output value) {
  if (!value.node->HasType(value.index)) return Unsupported("its condition is no tensor");
  const TensorType type = context.type(value);
  if (type.shape.rank() != 0)
    return context.AddScalar(DType::kBool, type.shape.num_elements() > 0 ? 1.0 : 0.0, "condition");
  if (type.dtype == DType::kBool) return value;
  const Output zero = context.AddScalar(type.dtype, 0.0, "zero");
  return EmitCompare(context, CompareKind::NotEqual, value, zero, "condition");
}

}  // namespace

ControlFlow::ControlFlow(Graph& graph, LegalizeState* state, std::function<bool(Node*)> visit)
    : graph_(graph),
      state_(state),
      visit_(std::move(visit)),
      functions_(graph, state->constant_room, /*notes=*/nullptr) {}

absl::Status ControlFlow::Expand(LegalizeContext& context) {
  state_->is_unrolling = true;
  if (first_id_ < 0) first_id_ = graph_.num_node_ids();
  switch (context.node().node_class()) {
    case NodeClass::kWhile:
      return ExpandWhile(context);
    case NodeClass::kIf:
      return ExpandIf(context);
    case NodeClass::kCase:
      return ExpandCase(context);
    default:
      return ExpandCall(context);
  }
}

absl::Status ControlFlow::ExpandWhile(LegalizeContext& context) {
  const Node& node = context.node();
  LINNET_ASSIGN_OR_RETURN(Body* const condition, FindBody(node, "cond"));
  LINNET_ASSIGN_OR_RETURN(Body* const body, FindBody(node, "body"));
  Results variables = context.inputs(0, context.num_inputs());
  if (condition->function->rets.size() != 1 || body->function->rets.size() != variables.size())
    return Invalid("its functions return {} and {} values, want 1 and {}",
                   condition->function->rets.size(), body->function->rets.size(), variables.size());
  LoopResults results(context, variables);
  for (int iteration = 0;; ++iteration) {
    const std::string name = fmt::format("{}/{}", node.name(), iteration);
    LINNET_ASSIGN_OR_RETURN(const Results goes_on, Instantiate(*condition, name, variables));
    if (goes_on.empty()) return absl::OkStatus();
    LINNET_ASSIGN_OR_RETURN(const Output truth, EmitTruth(context, goes_on[0]));
    const Constant* known = LegalizeContext::FindConstant(truth);
    if (known != nullptr && known->ScalarValue() == 0) break;
    if (known == nullptr) {
      LINNET_RETURN_IF_ERROR(results.GoOnOnlyIf(truth, iteration));
    }
    if (++iterations_ > kMaxIterations)
      return Unsupported("the model's loops run more than {} times", kMaxIterations);
    LINNET_ASSIGN_OR_RETURN(variables, Instantiate(*body, name, variables));
    if (variables.empty()) return absl::OkStatus();
    LINNET_RETURN_IF_ERROR(results.Take(variables, iteration));
  }
  return results.Replace();
}

absl::StatusOr<ControlFlow::Results> ControlFlow::InstantiateArm(LegalizeContext& context,
                                                                 Body& body,
                                                                 const std::string& name) {
  const size_t results = body.function->rets.size(),
               wanted = context.node().tf_output_types().size();
  if (results != wanted)
    return Invalid("its arm '{}' has {} results, want {}", name, results, wanted);
  return Instantiate(body, fmt::format("{}/{}", context.node().name(), name),
                     context.inputs(1, context.num_inputs()));
}

absl::Status ControlFlow::ExpandIf(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(Body* const then, FindBody(context.node(), "then_branch"));
  LINNET_ASSIGN_OR_RETURN(Body* const otherwise, FindBody(context.node(), "else_branch"));
  if (context.num_inputs() < 1) return Invalid("has no condition");
  LINNET_ASSIGN_OR_RETURN(const Output condition, EmitTruth(context, context.input(0)));
  const Constant* known = LegalizeContext::FindConstant(condition);
  std::vector<Results> arms;
  for (const bool taken : {true, false}) {
    if (known != nullptr && (known->ScalarValue() != 0) != taken) continue;
    LINNET_ASSIGN_OR_RETURN(
        Results arm, InstantiateArm(context, taken ? *then : *otherwise, taken ? "then" : "else"));
    if (arm.empty()) return absl::OkStatus();
    arms.push_back(std::move(arm));
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
    first = last;  // whatever is out of range means the last
  }
  std::vector<Results> arms;
  for (int i = first; i <= last; ++i) {
    LINNET_ASSIGN_OR_RETURN(Body* const body, FindBody({branches[i].name(), branches[i].attr()}));
    LINNET_ASSIGN_OR_RETURN(Results arm,
                            InstantiateArm(context, *body, fmt::format("branch_{}", i)));
    if (arm.empty()) return absl::OkStatus();
    arms.push_back(std::move(arm));
  }
  return ReplaceByChoice(context, context.input(0), arms);
}

// One Select per result and arm but the last, which is taken where no other is. No arm has an
// effect, so the ones that are not taken only cost time.
absl::Status ControlFlow::ReplaceByChoice(LegalizeContext& context, Output index_or_condition,
                                          const std::vector<Results>& arms) {
  Results results = arms.back();
  for (auto arm = arms.rbegin() + 1; arm != arms.rend(); ++arm) {
    const auto index = static_cast<double>(arms.rend() - arm - 1);
    Output condition = index_or_condition;
    const DType dtype = context.type(condition).dtype;
    if (dtype != DType::kBool) {
      LINNET_ASSIGN_OR_RETURN(condition, EmitCompare(context, CompareKind::Equal, condition,
                                                     context.AddScalar(dtype, index, "index"),
                                                     fmt::format("is_{}", index)));
    }
    if (arm->size() != results.size()) return Invalid("its arms have different numbers of results");
    for (size_t i = 0; i < results.size(); ++i) {
      if (!context.IsUsed(static_cast<int>(i))) continue;
      LINNET_ASSIGN_OR_RETURN(results[i], EmitChoice(context, condition, (*arm)[i], results[i],
                                                     fmt::format("output_{}", i)));
    }
  }
  return context.Replace(results);
}

absl::Status ControlFlow::ExpandCall(LegalizeContext& context) {
  const Node& node = context.node();
  LINNET_ASSIGN_OR_RETURN(Body* const body, FindBody(CalleeOf(node)));
  LINNET_ASSIGN_OR_RETURN(const Results results,
                          Instantiate(*body, node.name(), context.inputs(0, context.num_inputs())));
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
  const auto [function, is_new] = functions_.Find(callee);
  if (!function.ok()) return function.status();
  Body& body = bodies_[&*function];
  if (is_new) body = {&*function, NeededNodes(*function), {}};
  return &body;
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
                                                              const Results& inputs) {
  const FunctionBody& function = *body.function;
  if (inputs.size() != function.args.size())
    return Invalid("a function of {} arguments is given {}", function.args.size(), inputs.size());
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
    if (copy->id() < before) continue;  // a constant that is there already
    added.push_back(copy);
    for (int slot = 0; slot < node->num_inputs(); ++slot) {
      const Output from = node->input(slot) ? translate(node->input(slot)) : Output();
      if (!from) return Invalid("'{}' in its function has a cycle or lacks an input", node->name());
      graph_.AddEdge(from.node, from.index, copy, slot);
    }
  }
  LINNET_RETURN_IF_ERROR(CheckSize());

  // Hold the results while the nodes that make them are replaced.
  std::vector<Node*> anchors;
  for (const Node* ret : function.rets)
    anchors.push_back(
        graph_.AddRetval(graph_.UniqueName(prefix + "/result"), 0, translate(ret->input(0))));
  bool fine = true;
  for (Node* node : added) fine = fine && visit_(node);
  Results results;
  for (Node* anchor : anchors) {
    if (fine) results.push_back(anchor->input(0));
    graph_.RemoveNode(anchor);
  }
  return results;
}

absl::Status ControlFlow::CheckSize() const {
  if (graph_.num_node_ids() - first_id_ <= kMaxNodes) return absl::OkStatus();
  return Unsupported("the model's loops take more than {} nodes when they are unrolled", kMaxNodes);
}

namespace {

absl::Status Expand(LegalizeContext& context) { return context.ExpandControlFlow(); }

constexpr char kArm[] = "an arm; all of them and Select where the input decides";
constexpr char kUnrolled[] = "its body, once per iteration; how often must follow from constants";
constexpr TfOp kRows[] = {
    {"Case", Expand, kArm, true},
    {"If", Expand, kArm, true},
    {"PartitionedCall", Expand, "the function", true},
    {"StatefulPartitionedCall", Expand, "the function", true},
    {"StatelessCase", Expand, kArm, true},
    {"StatelessIf", Expand, kArm, true},
    {"StatelessWhile", Expand, kUnrolled, true},
    {"While", Expand, kUnrolled, true},
};

}  // namespace

std::span<const TfOp> ControlFlowOps() { return kRows; }

}  // namespace linnet::converter

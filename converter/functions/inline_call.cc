// SPDX-License-Identifier: Apache-2.0
#include "converter/functions/inline_call.h"

#include <algorithm>
#include <string_view>

#include "converter/functions/function_bodies.h"
#include "converter/functions/variable_ops.h"
#include "converter/graph/name_cost.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

absl::Status Mismatch(const std::string& what) {
  return absl::InvalidArgumentError("Inlining mismatch: " + what);
}

absl::Status Validate(const Node& call, const FunctionBody& body) {
  const auto inputs = call.tf_input_types(), outputs = call.tf_output_types();
  if (inputs.size() != body.arg_types.size())
    return Mismatch(
        fmt::format("Node inputs do not match function arguments: inputs={} arg_types={}",
                    inputs.size(), body.arg_types.size()));
  if (outputs.size() != body.ret_types.size())
    return Mismatch(
        fmt::format("Node outputs do not match function returns: outputs={} ret_types={}",
                    outputs.size(), body.ret_types.size()));
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != body.arg_types[i])
      return Mismatch(
          fmt::format("Node input type doesn't match function argument type: {} != {} @ index={}",
                      DataTypeString(inputs[i]), DataTypeString(body.arg_types[i]), i));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != body.ret_types[i])
      return Mismatch(
          fmt::format("Node output type doesn't match function return type: {} != {} @ index={}",
                      DataTypeString(outputs[i]), DataTypeString(body.ret_types[i]), i));
  for (int i = 0; i < call.num_inputs(); ++i)
    if (!call.input(i)) return Mismatch(fmt::format("input {} of the call is missing", i));
  return absl::OkStatus();
}

// Ops that TensorFlow calls stateful although running them changes nothing.
bool OnlyReads(const Node& node) {
  return IsVariable(node) || ReadsVariable(node) ||
         node.IsAnyOf({"VarIsInitializedOp", "IsVariableInitialized"});
}

bool HasEffect(const Node& node) {
  return node.op_def() != nullptr && node.op_def()->is_stateful() && !OnlyReads(node) &&
         node.node_class() != NodeClass::kArg && node.node_class() != NodeClass::kRetval;
}

bool HasInputs(const Node& node) {
  return std::ranges::any_of(node.in_edges(), [](const Edge* e) { return !e->src->IsSource(); });
}

class Inlining {
 public:
  Inlining(Graph* graph, Node* call, const FunctionBody& body, bool keeps_order)
      : graph_(*graph), call_(call), name_(call->name()), body_(body), keeps_order_(keeps_order) {}

  absl::StatusOr<InlinedCall> Run(bool keep_caller, int64_t* name_room) {
    if (absl::Status s = Validate(*call_, body_); !s.ok()) return s;
    if (absl::Status s = TakeNames(name_, CostOfNames(), name_room); !s.ok()) return s;
    copies_.assign(body_.graph->num_node_ids(), nullptr);
    AddInputs();
    CopyNodes();
    CopyEdges();
    AddOutputs();
    Connect(keep_caller);
    return std::move(result_);
  }

 private:
  Node* Add(std::string_view part, const char* op, tf::DataType type) {
    tf::NodeDef def;
    do {  // a model may have such names too
      def.set_name(graph_.NewName(fmt::format("Func/{}/{}", name_, part)));
    } while (graph_.FindNode(def.name()) != nullptr);
    def.set_op(op);
    def.set_device(call_->requested_device());
    if (type != tf::DT_INVALID) (*def.mutable_attr())["T"].set_type(type);
    return *graph_.AddNode(def);  // Identity and NoOp are in every registry
  }

  Node*& CopyOf(const Node* node) { return copies_[node->id()]; }

  void AddInputs() {
    for (const Edge* edge : call_->in_edges()) {
      if (edge->src->IsSource() || (!edge->IsControlEdge() && !keeps_order_)) continue;
      if (start_ == nullptr) start_ = Add("input_control_node", "NoOp", tf::DT_INVALID);
      graph_.AddControlEdge(edge->src, start_);
    }
    for (int i = 0; i < call_->num_inputs(); ++i) {
      const Output input = call_->input(i);
      Node* identity = Add("input", "Identity", body_.arg_types[i]);
      graph_.AddEdge(input.node, input.index, identity, 0);
      if (start_ != nullptr) graph_.AddControlEdge(start_, identity);
      CopyOf(body_.args[i]) = identity;
    }
  }

  void CopyNodes() {
    for (const Node* node : body_.graph->op_nodes()) {
      if (node->node_class() == NodeClass::kArg || node->node_class() == NodeClass::kRetval)
        continue;
      Node* copy = graph_.CopyNode(node);
      graph_.Rename(copy, graph_.UniqueName(fmt::format("{}/{}", name_, node->name())));
      if (copy->requested_device().empty()) copy->set_requested_device(call_->requested_device());
      PrefixNames(copy);
      if (start_ != nullptr &&
          (!HasInputs(*node) || IsCall(*node) || (keeps_order_ && TouchesState(*node))))
        graph_.AddControlEdge(start_, copy);
      CopyOf(node) = copy;
    }
  }

  // Counts every string that will begin with the caller's name, and the caller's device, which
  // nodes without a device get.
  int64_t CostOfNames() const {
    const int64_t device = NameCost(std::ssize(call_->requested_device()));
    const auto named = [&](const std::string& name) {
      return NameCost(std::ssize(name_) + 1 + std::ssize(name));
    };
    const int64_t ends = std::ssize(body_.args) + std::ssize(body_.rets) + 2;
    int64_t cost = ends * (device + named("Func/input_control_node/_0"));
    for (const Node* node : body_.graph->op_nodes()) {
      cost += named(node->name()) + (node->requested_device().empty() ? device : 0);
      if (const tf::AttrValue* frame = node->FindAttr("frame_name"); frame != nullptr)
        cost += named(frame->s());
      if (const tf::AttrValue* groups = node->FindAttr("_class"); groups != nullptr)
        for (const std::string& group : groups->list().s()) cost += named(group);
    }
    return cost;
  }

  // Renames the frame and the colocation groups of a node.
  void PrefixNames(Node* copy) const {
    if (const tf::AttrValue* frame = copy->FindAttr("frame_name"); frame != nullptr) {
      tf::AttrValue renamed;
      renamed.set_s(fmt::format("{}/{}", name_, frame->s()));
      copy->SetAttr("frame_name", std::move(renamed));
    }
    const tf::AttrValue* groups = copy->FindAttr("_class");
    if (groups == nullptr || !groups->has_list()) return;
    constexpr std::string_view kGroup = "loc:@";
    tf::AttrValue renamed = *groups;
    for (std::string& group : *renamed.mutable_list()->mutable_s())
      if (group.starts_with(kGroup))
        group = fmt::format("{}{}/{}", kGroup, name_, group.substr(kGroup.size()));
    copy->SetAttr("_class", std::move(renamed));
  }

  void CopyEdges() {
    for (const Edge* edge : body_.graph->edges()) {
      Node *src = CopyOf(edge->src), *dst = CopyOf(edge->dst);
      if (src != nullptr && dst != nullptr)
        graph_.AddEdge(src, edge->src_output, dst, edge->dst_input);
    }
  }

  void AddOutputs() {
    for (size_t i = 0; i < body_.rets.size(); ++i) {
      const Output value = body_.rets[i]->input(0);
      Node* identity = Add("output", "Identity", body_.ret_types[i]);
      graph_.AddEdge(CopyOf(value.node), value.index, identity, 0);
      result_.outputs.push_back(identity);
    }
    for (const Node* node : body_.control_rets) AddDone(CopyOf(node));
    const std::vector<Node*> nodes = body_.graph->op_nodes();
    // In a loop or branch of TensorFlow 1 what touches variables runs before the Exit or Merge.
    const bool all = keeps_order_ && std::ranges::none_of(nodes, [](const Node* node) {
                       return node->node_class() == NodeClass::kSwitch ||
                              node->node_class() == NodeClass::kEnter;
                     });
    for (const Node* node : nodes)
      if (HasEffect(*node) || (all && TouchesState(*node))) AddDone(CopyOf(node));
    if (keeps_order_)
      for (const Node* ret : body_.rets) AddDone(CopyOf(ret->input(0).node));
    if (result_.done == nullptr) return;
    for (Node* output : result_.outputs) graph_.AddControlEdge(result_.done, output);
  }

  void AddDone(Node* node) {
    if (result_.done == nullptr) result_.done = Add("output_control_node", "NoOp", tf::DT_INVALID);
    graph_.AddControlEdge(node, result_.done);
  }

  // The nodes after which the call is over: with a function's own op also its results.
  std::vector<Node*> LastNodes() const {
    std::vector<Node*> nodes;
    const bool native = call_->node_class() == NodeClass::kFunctionCall;
    if (native || result_.done == nullptr) nodes = result_.outputs;
    if (result_.done != nullptr) nodes.push_back(result_.done);
    if (nodes.empty() && start_ != nullptr) nodes.push_back(start_);
    return nodes;
  }

  void Connect(bool keep_caller) {
    std::vector<Edge*> uses(call_->out_edges().begin(), call_->out_edges().end());
    const std::vector<Node*> last = LastNodes();
    for (const Edge* edge : uses) {
      if (edge->dst->IsSink()) continue;
      Node* dst = edge->dst;
      if (edge->IsControlEdge()) {
        for (Node* node : last) graph_.AddControlEdge(node, dst);
        continue;
      }
      const int output = edge->src_output, slot = edge->dst_input;
      graph_.RemoveEdge(edge);
      graph_.AddEdge(result_.outputs[output], 0, dst, slot);
    }
    graph_.RemoveNode(call_);
    if (keep_caller) KeepCaller(last);
  }

  void KeepCaller(const std::vector<Node*>& last) {
    tf::NodeDef def;
    def.set_name(name_);
    def.set_op(result_.outputs.empty() ? "NoOp" : "IdentityN");
    if (!result_.outputs.empty()) {
      auto* types = (*def.mutable_attr())["T"].mutable_list();
      for (const tf::DataType type : body_.ret_types) types->add_type(type);
    }
    result_.caller = *graph_.AddNode(def);
    for (size_t i = 0; i < result_.outputs.size(); ++i)
      graph_.AddEdge(result_.outputs[i], 0, result_.caller, static_cast<int>(i));
    if (result_.outputs.empty())
      for (Node* node : last) graph_.AddControlEdge(node, result_.caller);
  }

  Graph& graph_;
  Node* call_;
  const std::string name_;
  const FunctionBody& body_;
  const bool keeps_order_;
  // By id in the body's graph: for an _Arg its Identity; null for a _Retval, Source and Sink.
  std::vector<Node*> copies_;
  Node* start_ = nullptr;
  InlinedCall result_;
};

}  // namespace

absl::StatusOr<InlinedCall> InlineCall(Graph* graph, Node* call, const FunctionBody& body,
                                       bool keep_caller, int64_t* name_room, bool keeps_order) {
  return Inlining(graph, call, body, keeps_order).Run(keep_caller, name_room);
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/graph.h"

#include <algorithm>

#include "converter/graph/dtypes.h"
#include "converter/graph/function_library.h"
#include "converter/graph/node_class.h"
#include "converter/graph/op_binding.h"
#include "converter/graph/op_registry.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

tf::AttrValue IntAttr(int64_t value) {
  tf::AttrValue attr;
  attr.set_i(value);
  return attr;
}

tf::AttrValue TypeAttr(tf::DataType type) {
  tf::AttrValue attr;
  attr.set_type(type);
  return attr;
}

// Inputs of a Linnet op as its shape rule wants them. Values that the rule may look at are small,
// so bytes that are unaligned or encoded are only worth copying when they are few.
struct RuleInputs {
  std::vector<InputInfo> infos;
  std::vector<Constant> kept;
};

absl::Status GatherInputs(const std::string& op, const std::string& name,
                          std::span<const Output> inputs, RuleInputs* out) {
  constexpr size_t kCopyAtMost = 4096;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Output input = inputs[i];
    if (!input)
      return absl::InvalidArgumentError(fmt::format("{} '{}': input {} is missing", op, name, i));
    if (input.index < 0 || input.index >= input.node->num_outputs() ||
        !input.node->HasType(input.index))
      return absl::InvalidArgumentError(fmt::format(
          "{} '{}': the type of input {} ('{}') is not known", op, name, i, TensorName(input)));
    InputInfo info{input.node->type(input.index), nullptr};
    if (input.node->IsConstant()) {
      const Constant& value = input.node->constant();
      const bool direct = value.encoding == schema::Encoding::Plain &&
                          reinterpret_cast<uintptr_t>(value.bytes.data()) % 8 == 0;
      if (direct) {
        info.constant = value.bytes.data();
      } else if (value.bytes.size() <= kCopyAtMost) {
        out->kept.push_back(value.Plain());
        info.constant = out->kept.back().bytes.data();
      }
    }
    out->infos.push_back(info);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TensorType>> InferOp(const std::string& name, const OpAttrs& attrs,
                                                std::span<const Output> inputs) {
  const OpDef* def = FindOp(attrs.kind());
  RuleInputs gathered;
  gathered.kept.reserve(inputs.size());
  if (absl::Status s = GatherInputs(def->name, name, inputs, &gathered); !s.ok()) return s;
  TensorType outputs[kMaxOpOutputs];
  const OpInstance op{
      .kind = attrs.kind(), .attrs = attrs.data(), .inputs = gathered.infos, .outputs = {}};
  if (const Status s = InferTypes(op, outputs); !s.ok())
    return absl::InvalidArgumentError(fmt::format("{} '{}': {}", def->name, name, s.what()));
  return std::vector<TensorType>(outputs, outputs + def->num_outputs);
}

// The name of a Linnet op is the same for all its nodes, so they share their properties.
std::shared_ptr<NodeProperties> LinnetProperties(OpKind kind) {
  static const auto* const kShared = [] {
    auto* all = new std::vector<std::shared_ptr<NodeProperties>>;
    for (int i = 0; i < kNumOps; ++i) {
      all->push_back(std::make_shared<NodeProperties>());
      all->back()->op = FindOp(static_cast<OpKind>(i))->name;
    }
    return all;
  }();
  return (*kShared)[static_cast<size_t>(kind)];
}

}  // namespace

Graph::Graph(const OpRegistry* registry)
    : registry_(registry),
      functions_(std::make_unique<FunctionLibrary>(registry)),
      device_names_(1) {
  versions_.set_producer(kGraphDefVersion);
  auto props = std::make_shared<NodeProperties>();
  props->op = "NoOp";
  Node* source = Allocate("_SOURCE", NodeClass::kSource, props);
  Node* sink = Allocate("_SINK", NodeClass::kSink, props);
  AddControlEdge(source, sink);
}

Graph::~Graph() = default;

Node* Graph::Allocate(std::string name, NodeClass node_class,
                      std::shared_ptr<NodeProperties> props) {
  auto node = std::unique_ptr<Node>(new Node);
  node->graph_ = this;
  node->id_ = node->cost_id_ = num_node_ids();
  node->name_ = std::move(name);
  node->class_ = node_class;
  node->output_types_.resize(props->output_types.size());
  node->inputs_.resize(props->input_types.size());
  node->props_ = std::move(props);
  names_.emplace(node->name_, node.get());
  nodes_.push_back(std::move(node));
  ++num_nodes_;
  ++structure_version_;
  return nodes_.back().get();
}

void Graph::CopyFrom(const Graph& other) {
  LINNET_DCHECK(num_op_nodes() == 0);
  versions_ = other.versions_;
  *functions_ = *other.functions_;
  std::vector<Node*> copies(other.nodes_.size());
  copies[0] = source();
  copies[1] = sink();
  for (const Node* node : other.op_nodes()) copies[node->id()] = CopyNode(node);
  for (const Edge* edge : other.edges()) {
    if (edge->src->IsOp() || edge->dst->IsOp())
      AddEdge(copies[edge->src->id()], edge->src_output, copies[edge->dst->id()], edge->dst_input);
  }
}

Node* Graph::FindNodeId(int id) const {
  return id >= 0 && id < num_node_ids() ? nodes_[id].get() : nullptr;
}

Node* Graph::FindNode(std::string_view name) const {
  Node* found = nullptr;
  const auto [begin, end] = names_.equal_range(name);
  for (auto it = begin; it != end; ++it)
    if (found == nullptr || it->second->id() > found->id()) found = it->second;
  return found;
}

std::vector<Node*> Graph::op_nodes() const {
  std::vector<Node*> result;
  result.reserve(num_nodes_);
  for (size_t id = 2; id < nodes_.size(); ++id)  // behind Source and Sink
    if (nodes_[id] != nullptr) result.push_back(nodes_[id].get());
  return result;
}

std::vector<Edge*> Graph::edges() const {
  std::vector<Edge*> result;
  result.reserve(num_edges_);
  for (const auto& edge : edges_)
    if (edge != nullptr) result.push_back(edge.get());
  return result;
}

absl::StatusOr<Node*> Graph::AddNode(const tf::NodeDef& def) {
  const tf::OpDef* op = functions_->LookUp(def.op());
  if (op == nullptr) return OpNotRegistered(def.op());
  auto props = std::make_shared<NodeProperties>();
  props->op = def.op();
  props->op_def = op;
  if (absl::Status s = InOutTypes(def, *op, &props->input_types, &props->output_types); !s.ok())
    return s;
  NodeClass node_class = NodeClassOf(def.op());
  if (functions_->Contains(def.op())) node_class = NodeClass::kFunctionCall;
  for (const auto& [key, value] : def.attr()) {
    if (node_class == NodeClass::kConstant && key == "value") continue;
    props->attrs.emplace(key, value);
  }
  Node* node = Allocate(def.name(), node_class, std::move(props));
  node->requested_device_ = def.device();
  if (node_class == NodeClass::kConstant) node->constant_.emplace();
  return node;
}

Node* Graph::CopyNode(const Node* node) {
  LINNET_DCHECK(node->IsOp());
  Node* copy = Allocate(node->name_, node->class_, node->props_);
  copy->cost_id_ = node->cost_id_;
  copy->attrs_ = node->attrs_;
  copy->constant_ = node->constant_;
  copy->output_types_ = node->output_types_;
  copy->inputs_.assign(node->inputs_.size(), nullptr);
  copy->sources_ = node->sources_;
  copy->requested_device_ = node->requested_device_;
  copy->assigned_device_ = InternDeviceName(node->assigned_device());
  return copy;
}

Node* Graph::AddConstant(std::string name, Constant value) {
  auto props = std::make_shared<NodeProperties>();
  props->op = "Const";
  props->op_def = functions_->LookUp("Const");
  props->output_types = {ToDataType(value.type.dtype)};
  props->attrs.emplace("dtype", TypeAttr(props->output_types[0]));
  Node* node = Allocate(std::move(name), NodeClass::kConstant, std::move(props));
  node->set_constant(std::move(value));
  return node;
}

absl::StatusOr<Node*> Graph::AddOp(std::string name, OpAttrs attrs,
                                   std::span<const Output> inputs) {
  absl::StatusOr<std::vector<TensorType>> types = InferOp(name, attrs, inputs);
  if (!types.ok()) return types.status();
  Node* node = Allocate(std::move(name), NodeClass::kOp, LinnetProperties(attrs.kind()));
  node->attrs_ = attrs;
  node->output_types_.assign(types->begin(), types->end());
  for (size_t i = 0; i < inputs.size(); ++i) SetInput(node, static_cast<int>(i), inputs[i]);
  return node;
}

Node* Graph::AddArg(std::string name, int index, const TensorType& type) {
  auto props = std::make_shared<NodeProperties>();
  props->op = "_Arg";
  props->op_def = functions_->LookUp("_Arg");
  props->attrs.emplace("index", IntAttr(index));
  props->output_types = {ToDataType(type.dtype)};
  if (type.dtype != DType::kInvalid) props->attrs.emplace("T", TypeAttr(props->output_types[0]));
  Node* node = Allocate(std::move(name), NodeClass::kArg, std::move(props));
  node->output_types_[0] = type;
  return node;
}

Node* Graph::AddRetval(std::string name, int index, Output value) {
  auto props = std::make_shared<NodeProperties>();
  props->op = "_Retval";
  props->op_def = functions_->LookUp("_Retval");
  props->attrs.emplace("index", IntAttr(index));
  tf::DataType type = tf::DT_INVALID;
  if (static_cast<size_t>(value.index) < value.node->tf_output_types().size())
    type = BaseType(value.node->tf_output_types()[value.index]);
  if (type == tf::DT_INVALID && value.node->HasType(value.index))
    type = ToDataType(value.node->type(value.index).dtype);
  if (type != tf::DT_INVALID) props->attrs.emplace("T", TypeAttr(type));
  props->input_types = {type};
  Node* node = Allocate(std::move(name), NodeClass::kRetval, std::move(props));
  AddEdge(value.node, value.index, node, 0);
  return node;
}

absl::Status Graph::InferNode(Node* node) {
  LINNET_DCHECK(node->class_ == NodeClass::kOp);
  std::vector<Output> inputs;
  for (int i = 0; i < node->num_inputs(); ++i) inputs.push_back(node->input(i));
  absl::StatusOr<std::vector<TensorType>> types = InferOp(node->name_, *node->attrs_, inputs);
  if (!types.ok()) return types.status();
  node->output_types_.assign(types->begin(), types->end());
  return absl::OkStatus();
}

void Graph::TurnIntoConstant(Node* node, Constant value) {
  TruncateInputs(node, 0);
  auto props = std::make_shared<NodeProperties>();
  props->op = "Const";
  props->op_def = functions_->LookUp("Const");
  props->output_types = {ToDataType(value.type.dtype)};
  props->attrs.emplace("dtype", TypeAttr(props->output_types[0]));
  node->props_ = std::move(props);
  node->class_ = NodeClass::kConstant;
  ++structure_version_;
  node->attrs_.reset();
  node->set_constant(std::move(value));
}

std::string Graph::UniqueName(std::string_view prefix) const {
  std::string name(prefix);
  if (!names_.contains(name)) return name;
  for (int& i = next_suffix_.try_emplace(name, 1).first->second;; ++i) {
    std::string candidate = fmt::format("{}/_{}", name, i);
    if (!names_.contains(candidate)) return candidate;
  }
}

std::string Graph::NewName(std::string_view prefix) {
  return fmt::format("{}/_{}", prefix, name_counter_++);
}

void Graph::Forget(const Node* node) {
  const auto [begin, end] = names_.equal_range(node->name_);
  names_.erase(
      std::find_if(begin, end, [node](const auto& entry) { return entry.second == node; }));
}

void Graph::Rename(Node* node, std::string name) {
  Forget(node);
  node->name_ = std::move(name);
  names_.emplace(node->name_, node);
}

int Graph::InternDeviceName(std::string_view device) {
  const size_t index =
      std::find(device_names_.begin(), device_names_.end(), device) - device_names_.begin();
  if (index == device_names_.size()) device_names_.emplace_back(device);
  return static_cast<int>(index);
}

void Graph::set_assigned_device(Node* node, std::string_view device) {
  node->assigned_device_ = InternDeviceName(device);
}

}  // namespace linnet::converter

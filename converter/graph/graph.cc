// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/graph.h"

#include <algorithm>

#include "converter/graph/node_class.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/tensorflow/op_binding.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// Inputs of a Linnet op in the form that its shape rule takes. The values that rules look at are
// small, so unaligned or encoded bytes are copied only when they are few.
struct RuleInputs {
  std::vector<InputInfo> infos;
  std::vector<Constant> kept;
};

absl::Status GatherInputs(std::string_view op, std::string_view name,
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
    InputInfo info{input.node->type(input.index), nullptr, input.node->IsConstant()};
    if (info.is_constant) {
      const Constant& value = input.node->constant();
      const bool direct = value.encoding == schema::Encoding::Plain &&
                          reinterpret_cast<uintptr_t>(value.bytes.data()) % 8 == 0;
      if (direct) {
        info.value = value.bytes.data();
      } else if (value.bytes.size() <= kCopyAtMost) {
        out->kept.push_back(value.Plain());
        info.value = out->kept.back().bytes.data();
      }
    }
    out->infos.push_back(info);
  }
  return absl::OkStatus();
}

// Properties of a node of the TensorFlow op `op`.
std::shared_ptr<NodeProperties> PropertiesOf(const char* op, const FunctionLibrary& functions) {
  auto props = std::make_shared<NodeProperties>();
  props->op = op;
  props->op_def = functions.LookUp(op);
  return props;
}

std::shared_ptr<NodeProperties> ConstProperties(DType dtype, const FunctionLibrary& functions) {
  auto props = PropertiesOf("Const", functions);
  props->output_types = {ToDataType(dtype)};
  props->attrs["dtype"].set_type(props->output_types[0]);
  return props;
}

// All nodes of a Linnet op share their properties, which are only its name.
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

Graph::~Graph() {
  for (Node* node : nodes_)
    if (node != nullptr) node->~Node();  // edges need none
}

Node* Graph::Allocate(std::string name, NodeClass node_class,
                      std::shared_ptr<NodeProperties> props) {
  Node* node = new (memory_.allocate(sizeof(Node), alignof(Node))) Node;
  node->graph_ = this;
  node->id_ = node->cost_id_ = num_node_ids();
  node->name_ = std::move(name);
  node->class_ = node_class;
  node->output_types_.resize(props->output_types.size());
  node->inputs_.resize(props->input_types.size());
  node->props_ = std::move(props);
  names_.emplace(node->name_, node);
  nodes_.push_back(node);
  ++num_nodes_;
  ++structure_version_;
  return node;
}

void Graph::CopyFrom(const Graph& other) {
  LINNET_DCHECK(num_op_nodes() == 0 && other.shapes_.empty());
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
  return id >= 0 && id < num_node_ids() ? nodes_[id] : nullptr;
}

Node* Graph::FindNode(std::string_view name) const {
  Node* found = nullptr;
  const auto [begin, end] = names_.equal_range(name);
  for (auto it = begin; it != end; ++it)
    if (found == nullptr || it->second->id() > found->id()) found = it->second;
  return found;
}

std::vector<Node*> Graph::op_nodes() const {
  std::vector<Node*> result(nodes_.begin() + 2, nodes_.end());  // behind Source and Sink
  std::erase(result, nullptr);
  return result;
}

std::vector<Edge*> Graph::edges() const {
  std::vector<Edge*> result = edges_;
  std::erase(result, nullptr);
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
  for (const auto& region : node->regions_) {
    copy->regions_.push_back(std::make_unique<Graph>(&region->registry()));
    copy->regions_.back()->CopyFrom(*region);
  }
  copy->sources_ = node->sources_;
  copy->requested_device_ = node->requested_device_;
  copy->assigned_device_ = InternDeviceName(node->assigned_device());
  return copy;
}

Node* Graph::AddConstant(std::string name, Constant value) {
  Node* node = Allocate(std::move(name), NodeClass::kConstant,
                        ConstProperties(value.type.dtype, *functions_));
  node->set_constant(std::move(value));
  return node;
}

absl::StatusOr<Node*> Graph::AddOp(std::string name, OpAttrs attrs,
                                   std::span<const Output> inputs) {
  absl::StatusOr<Inferred> inferred = InferOp(name, attrs, inputs, nullptr);
  if (!inferred.ok()) return inferred.status();
  Node* node = Allocate(std::move(name), NodeClass::kOp, LinnetProperties(attrs.kind()));
  node->attrs_ = std::move(attrs);
  TakeTypes(node, *std::move(inferred));
  for (size_t i = 0; i < inputs.size(); ++i) SetInput(node, static_cast<int>(i), inputs[i]);
  // Control edges keep the nodes that set the symbols of its attributes, and run them before it.
  for (const OpAttrs::Varying& varying : node->attrs_->varying())
    for (const Extent::Term& term : varying.extent.terms()) {
      const SymbolicShapes::Source& source = shapes_.SourceOfEqual(term.symbol);
      if (source.node != nullptr) AddControlEdge(source.node, node);
    }
  return node;
}

Node* Graph::AddArg(std::string name, int index, const TensorType& type) {
  auto props = PropertiesOf("_Arg", *functions_);
  props->attrs["index"].set_i(index);
  props->output_types = {ToDataType(type.dtype)};
  if (type.dtype != DType::kInvalid) props->attrs["T"].set_type(props->output_types[0]);
  Node* node = Allocate(std::move(name), NodeClass::kArg, std::move(props));
  node->output_types_[0] = type;
  return node;
}

Node* Graph::AddRetval(std::string name, int index, Output value) {
  auto props = PropertiesOf("_Retval", *functions_);
  props->attrs["index"].set_i(index);
  tf::DataType type = BaseType(value.node->tf_output_type(value.index));
  if (type == tf::DT_INVALID && value.node->HasType(value.index))
    type = ToDataType(value.node->type(value.index).dtype);
  if (type != tf::DT_INVALID) props->attrs["T"].set_type(type);
  props->input_types = {type};
  Node* node = Allocate(std::move(name), NodeClass::kRetval, std::move(props));
  AddEdge(value.node, value.index, node, 0);
  return node;
}

absl::StatusOr<Graph::Inferred> Graph::InferOp(std::string_view name, const OpAttrs& attrs,
                                               std::span<const Output> inputs, const Node* before) {
  RuleInputs gathered;
  gathered.kept.reserve(inputs.size());
  const char* op = FindOp(attrs.kind())->name;
  if (absl::Status s = GatherInputs(op, name, inputs, &gathered); !s.ok()) return s;
  // Shape rules do not look at every attribute, but the runtime checks all when it opens a plan.
  if (const Status s = CheckAttrs(attrs.kind(), attrs.data()); !s.ok())
    return absl::InvalidArgumentError(fmt::format("{} '{}': {}", op, name, s.what()));
  if (!shapes_.empty()) {
    SymbolicShapes::Instance instance{
        .name = name, .attrs = attrs, .inputs = gathered.infos, .extents = {}};
    for (const Output input : inputs)
      instance.extents.push_back(shapes_.Find(input.node, input.index));
    if (instance.varies()) return shapes_.Infer(instance, before);
  }
  Inferred fixed;
  if (const Status s = InferOutputs(attrs, gathered.infos, &fixed.types); !s.ok())
    return absl::InvalidArgumentError(fmt::format("{} '{}': {}", op, name, s.what()));
  return fixed;
}

void Graph::TakeTypes(Node* node, Inferred inferred) {
  node->output_types_.assign(inferred.types.begin(), inferred.types.end());
  shapes_.ForgetExtents(node);
  for (size_t i = 0; i < inferred.extents.size(); ++i)
    shapes_.Set(node, static_cast<int>(i), std::move(inferred.extents[i]));
  for (const Inferred::Fresh& fresh : inferred.fresh)
    shapes_.SetSource(fresh.symbol, {node, fresh.output, -1 - fresh.dimension});
}

absl::Status Graph::InferNode(Node* node) {
  LINNET_DCHECK(node->class_ == NodeClass::kOp);
  absl::StatusOr<Inferred> inferred = InferOp(node->name_, *node->attrs_, node->inputs(), node);
  if (!inferred.ok()) return inferred.status();
  TakeTypes(node, *std::move(inferred));
  return absl::OkStatus();
}

bool Graph::Varies(const Node& node) const {
  if (shapes_.empty() || node.node_class() != NodeClass::kOp) return false;
  if (!node.attrs().varying().empty()) return true;
  for (int i = 0; i < node.num_inputs(); ++i)
    if (Varies(node.input(i))) return true;
  for (int i = 0; i < node.num_outputs(); ++i)
    if (shapes_.Find(&node, i) != nullptr) return true;
  return false;
}

SymbolicShapes::Extents Graph::ExtentsOf(Output value) const {
  if (const SymbolicShapes::Extents* extents = shapes_.Find(value.node, value.index))
    return *extents;
  const Shape& shape = value.node->type(value.index).shape;
  return {shape.begin(), shape.end()};
}

bool Graph::SameShape(Output a, Output b) const {
  if (a.node->type(a.index).shape != b.node->type(b.index).shape) return false;
  if (!Varies(a) && !Varies(b)) return true;
  const SymbolicShapes::Extents of_a = ExtentsOf(a), of_b = ExtentsOf(b);
  return std::ranges::equal(
      of_a, of_b, [&](const Extent& x, const Extent& y) { return shapes_.symbols().Equal(x, y); });
}

void Graph::SetExtents(Output value, SymbolicShapes::Extents extents) {
  TensorType& type = value.node->output_types_[value.index];
  for (int d = 0; d < type.shape.rank(); ++d) type.shape[d] = shapes_.symbols().Max(extents[d]);
  shapes_.Set(value.node, value.index, std::move(extents));
}

void Graph::TurnIntoConstant(Node* node, Constant value) {
  TruncateInputs(node, 0);
  node->props_ = ConstProperties(value.type.dtype, *functions_);
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
  const size_t index = std::ranges::find(device_names_, device) - device_names_.begin();
  if (index == device_names_.size()) device_names_.emplace_back(device);
  return static_cast<int>(index);
}

void Graph::set_assigned_device(Node* node, std::string_view device) {
  node->assigned_device_ = InternDeviceName(device);
}

}  // namespace linnet::converter

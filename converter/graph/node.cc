// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "converter/graph/graph.h"
#include "fmt/format.h"

namespace linnet::converter {

Node::Node() = default;
Node::~Node() = default;

std::string TensorName(std::string_view node, int slot) {
  if (slot == kControlSlot) return fmt::format("^{}", node);
  return slot == 0 ? std::string(node) : fmt::format("{}:{}", node, slot);
}

std::string TensorName(Output output) { return TensorName(output.node->name(), output.index); }

int64_t EndIndex(const Node& node) {
  const tf::AttrValue* index = node.FindAttr("index");
  return index == nullptr ? 0 : index->i();
}

const tf::AttrValue* Node::FindAttr(std::string_view name) const {
  const auto it = props_->attrs.find(name);
  return it == props_->attrs.end() ? nullptr : &it->second;
}

namespace {

NodeProperties& Unshared(std::shared_ptr<NodeProperties>* props) {
  if (props->use_count() > 1) *props = std::make_shared<NodeProperties>(**props);
  return **props;
}

}  // namespace

void Node::SetAttr(std::string_view name, tf::AttrValue value) {
  Unshared(&props_).attrs.insert_or_assign(std::string(name), std::move(value));
}

void Node::ClearAttr(std::string_view name) {
  if (FindAttr(name) == nullptr) return;
  AttrMap& attrs = Unshared(&props_).attrs;
  attrs.erase(attrs.find(name));
}

tf::DataType Node::tf_output_type(int output) const {
  const std::vector<tf::DataType>& types = props_->output_types;
  return static_cast<size_t>(output) < types.size() ? types[output] : tf::DT_INVALID;
}

void Node::set_constant(Constant value) {
  LINNET_DCHECK(IsConstant());
  output_types_.assign(1, value.type);
  constant_ = std::move(value);
}

Output Node::input(int slot) const {
  LINNET_DCHECK(slot >= 0 && slot < num_inputs());
  const Edge* edge = inputs_[slot];
  return edge == nullptr ? Output{} : Output{edge->src, edge->src_output};
}

std::vector<Output> Node::inputs() const {
  std::vector<Output> inputs(static_cast<size_t>(num_inputs()));
  for (int slot = 0; slot < num_inputs(); ++slot) inputs[slot] = input(slot);
  return inputs;
}

absl::StatusOr<const Edge*> Node::input_edge(int slot) const {
  if (slot < 0 || slot >= num_inputs())
    return absl::OutOfRangeError(fmt::format(
        "Invalid input_edge index: {}, Node {} only has {} inputs.", slot, name_, num_inputs()));
  if (inputs_[slot] == nullptr)
    return absl::InvalidArgumentError(fmt::format("Missing edge input number: {}", slot));
  if (std::ranges::count(in_edges_, slot, &Edge::dst_input) > 1)
    return absl::InternalError(fmt::format("Duplicate edge input number: {}", slot));
  return inputs_[slot];
}

absl::StatusOr<Node*> Node::input_node(int slot) const {
  absl::StatusOr<const Edge*> edge = input_edge(slot);
  if (!edge.ok()) return edge.status();
  return (*edge)->src;
}

std::vector<Edge*> Node::Uses(int output) const {
  std::vector<Edge*> uses;
  for (Edge* edge : out_edges_)
    if (edge->src_output == output) uses.push_back(edge);
  return uses;
}

int Node::NumUses(int output) const {
  return static_cast<int>(std::ranges::count(out_edges_, output, &Edge::src_output));
}

bool Node::HasSingleUse(int output) const {
  const auto end = out_edges_.end();
  const auto use = std::ranges::find(out_edges_, output, &Edge::src_output);
  return use != end && std::ranges::find(std::next(use), end, output, &Edge::src_output) == end;
}

const std::string& Node::assigned_device() const { return graph_->device_name(assigned_device_); }

void Node::AddSources(std::span<const std::string> sources) {
  for (const std::string& source : sources) {
    if (sources_.size() >= kMaxSources) return;
    if (std::ranges::find(sources_, source) == sources_.end()) sources_.push_back(source);
  }
}

std::string Node::Describe() const { return fmt::format("{} '{}'", op_name(), name_); }

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/region_function.h"

#include <algorithm>
#include <map>
#include <set>

#include "converter/graph/graph_def.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

int64_t CountOf(const tf::OpDef::ArgDef& arg, const Node& node) {
  if (!arg.number_attr().empty()) {
    const tf::AttrValue* number = node.FindAttr(arg.number_attr());
    return number == nullptr ? 0 : number->i();
  }
  if (arg.type_list_attr().empty()) return 1;
  const tf::AttrValue* types = node.FindAttr(arg.type_list_attr());
  return types == nullptr ? 0 : types->list().type_size();
}

// "node:argument:k", as a FunctionDef names the inputs of its nodes.
std::string BodyTensorName(Output value) {
  int64_t slot = value.index;
  if (value.node->op_def() != nullptr) {
    for (const tf::OpDef::ArgDef& arg : value.node->op_def()->output_arg()) {
      const int64_t count = CountOf(arg, *value.node);
      if (slot < count) return fmt::format("{}:{}:{}", value.node->name(), arg.name(), slot);
      slot -= count;
    }
  }
  // The op has no such output, which is an error when the function is instantiated.
  return TensorName(value);
}

class Writer {
 public:
  Writer(const std::string& name, const Region& region)
      : region_(region), nodes_(region.nodes.begin(), region.nodes.end()) {
    function_.mutable_signature()->set_name(name);
    for (const Node* node : region.nodes) names_.insert(node->name());
  }

  tf::FunctionDef Run() {
    for (size_t i = 0; i < region_.arg_types.size(); ++i) {
      args_.push_back(FreeName("arg", i));
      tf::OpDef::ArgDef* arg = function_.mutable_signature()->add_input_arg();
      arg->set_name(args_.back());
      arg->set_type(region_.arg_types[i]);
    }
    for (const Node* node : region_.nodes) AddNode(*node);
    for (size_t i = 0; i < region_.results.size(); ++i) AddResult(i);
    return std::move(function_);
  }

 private:
  std::string FreeName(std::string_view prefix, size_t index) const {
    std::string name = fmt::format("{}{}", prefix, index);
    while (names_.contains(name)) name += '_';
    return name;
  }

  std::string NameOf(Output read) const {
    const Output value = region_.resolve(read);
    return value.node == nullptr ? args_[static_cast<size_t>(value.index)] : BodyTensorName(value);
  }

  void AddNode(const Node& node) {
    tf::NodeDef& def = *function_.add_node_def();
    def = ToNodeDef(node);
    def.clear_input();
    for (const Output input : node.inputs())
      if (input) def.add_input(NameOf(input));
    std::set<std::string> controls;
    for (const Edge* edge : node.in_edges())
      if (edge->IsControlEdge() && nodes_.contains(edge->src)) controls.insert(edge->src->name());
    for (const std::string& control : controls) def.add_input("^" + control);
    if (node.op_def() != nullptr && node.op_def()->is_stateful())
      function_.mutable_signature()->set_is_stateful(true);
  }

  void AddResult(size_t i) {
    const Output read = region_.results[i], value = region_.resolve(read);
    tf::OpDef::ArgDef* result = function_.mutable_signature()->add_output_arg();
    result->set_name(FreeName("ret", i));
    result->set_type(
        value.node == nullptr
            ? region_.arg_types[static_cast<size_t>(value.index)]
            : BaseType(value.node->tf_output_types()[static_cast<size_t>(value.index)]));
    (*function_.mutable_ret())[result->name()] = NameOf(read);
  }

  const Region& region_;
  tf::FunctionDef function_;
  std::set<const Node*> nodes_;
  std::set<std::string> names_;
  std::vector<std::string> args_;
};

}  // namespace

tf::FunctionDef ToFunctionDef(const std::string& name, const Region& region) {
  return Writer(name, region).Run();
}

}  // namespace linnet::converter

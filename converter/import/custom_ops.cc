// SPDX-License-Identifier: Apache-2.0
#include "converter/import/custom_ops.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "converter/graph/tensorflow/op_binding.h"
#include "converter/import/graph_constructor.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr char kInputs[] = "linnet_inputs";
constexpr char kOutput[] = "output";  // the only output argument, where no function names others
// More than ops have, but so few that untrusted numbers and definitions cost little: the outputs of
// a made-up op and their arguments, the types of a node beside one, the bytes of a definition.
constexpr int kMostOutputs = 64;
constexpr size_t kMostOutputArgs = 8;
constexpr int kMostTypes = 1024;
constexpr size_t kMostBytes = 4096;

std::string AttrOfOutput(std::string_view arg) { return fmt::format("linnet_outputs_{}", arg); }

using Types = std::vector<tf::DataType>;

// An element of an output argument. In a graph an output has only a number: `arg` is empty then.
struct Read {
  std::string node, arg;
  int index = 0;
  friend bool operator<(const Read& a, const Read& b) {
    return std::tie(a.node, a.arg, a.index) < std::tie(b.node, b.arg, b.index);
  }
};

// "x" and "x:1" of a graph; "x:out:1" of a function, where "x" alone is an argument. Control inputs
// have index -1.
Read ReadOf(const std::string& text, bool in_function) {
  if (!in_function || text.starts_with('^')) {
    auto [node, slot] = ParseTensorName(text);
    return {std::move(node), "", slot};
  }
  const size_t first = text.find(':');
  if (first == std::string::npos) return {text, "", 0};
  const size_t second = std::min(text.find(':', first + 1), text.size());
  Read read{text.substr(0, first), text.substr(first + 1, second - first - 1), 0};
  if (second < text.size())
    std::from_chars(text.data() + second + 1, text.data() + text.size(), read.index);
  return read;
}

// Gives the nodes of one graph or function body with custom ops the attributes that their made-up
// definitions want.
class Scope {
 public:
  using LookUp = std::function<const tf::OpDef*(std::string_view)>;

  // `custom`: the ops whose definitions are made up, with the names of their output arguments.
  using Custom = std::map<std::string, std::set<std::string>, std::less<>>;

  Scope(std::vector<tf::NodeDef*> nodes, const tf::FunctionDef* function, LookUp look_up)
      : nodes_(std::move(nodes)), function_(function), look_up_(std::move(look_up)) {
    for (tf::NodeDef* node : nodes_) by_name_.emplace(node->name(), node);
    if (function == nullptr) return;
    for (const auto& arg : function->signature().input_arg())
      if (arg.type() != tf::DT_INVALID) arguments_.emplace(arg.name(), arg.type());
  }

  // Notes what is read of the outputs of custom ops, and as which type.
  void FindReads(Custom* custom) {
    for (const tf::NodeDef* node : nodes_) {
      const Types wanted = InputTypes(*node);
      size_t i = 0;
      for (const std::string& text : node->input()) {
        const Read read = ReadOf(text, function_ != nullptr);
        if (read.index < 0) continue;
        Note(read, i < wanted.size() ? wanted[i] : tf::DT_INVALID, custom);
        ++i;
      }
    }
    if (function_ == nullptr) return;
    for (const auto& [name, text] : function_->ret())
      Note(ReadOf(text, true), tf::DT_INVALID, custom);
  }

  void SetTypes(const Custom& custom) {
    for (tf::NodeDef* node : nodes_) {
      const auto op = custom.find(node->op());
      if (op == custom.end()) continue;
      auto& attrs = *node->mutable_attr();
      auto* inputs = attrs[kInputs].mutable_list();
      for (const std::string& text : node->input())
        if (const Read read = ReadOf(text, function_ != nullptr); read.index >= 0)
          inputs->add_type(TypeOf(read));
      for (const std::string& arg : op->second) {
        auto* outputs = attrs[AttrOfOutput(arg)].mutable_list();
        for (const tf::DataType type : ReadTypes(node->name(), arg, arg == *op->second.begin()))
          outputs->add_type(type);
      }
    }
  }

 private:
  // The types of the inputs of a node whose op is known; empty for others.
  Types InputTypes(const tf::NodeDef& node) const {
    const tf::OpDef* op = look_up_(node.op());
    Types ins, outs;
    if (op == nullptr || op->input_arg_size() > kMostTypes ||
        !InOutTypes(TypeAttrs(node, *op), *op, &ins, &outs).ok())
      return {};
    return ins;
  }

  // The attributes that say which types the node has: no values of constants, which may be large.
  static tf::NodeDef TypeAttrs(const tf::NodeDef& node, const tf::OpDef& op) {
    tf::NodeDef small;
    for (const tf::OpDef::AttrDef& attr : op.attr()) {
      if (attr.type() != "type" && attr.type() != "int" && attr.type() != "list(type)") continue;
      const auto given = node.attr().find(attr.name());
      (*small.mutable_attr())[attr.name()] =
          given != node.attr().end() ? given->second : attr.default_value();
    }
    return small;
  }

  // The outputs of a node whose op is known: their types, and which is the first of each argument.
  struct Outputs {
    Types types;
    std::map<std::string, int, std::less<>> first = {{"", 0}};
  };

  const Outputs& OutputsOf(const tf::NodeDef& node) {
    const auto [known, is_new] = outputs_.try_emplace(&node);
    Outputs& outputs = known->second;
    const tf::OpDef* op = look_up_(node.op());
    if (!is_new || op == nullptr || op->output_arg_size() > kMostTypes) return outputs;
    const tf::NodeDef attrs = TypeAttrs(node, *op);
    for (const tf::OpDef::ArgDef& arg : op->output_arg()) {
      outputs.first.emplace(arg.name(), static_cast<int>(outputs.types.size()));
      tf::OpDef only;
      *only.add_output_arg() = arg;
      Types ins, outs;
      if (!InOutTypes(attrs, only, &ins, &outs).ok()) break;
      outputs.types.insert(outputs.types.end(), outs.begin(), outs.end());
    }
    if (outputs.types.size() > kMostTypes) outputs.types.clear();
    return outputs;
  }

  void Note(const Read& read, tf::DataType type, Custom* custom) {
    const auto node = by_name_.find(read.node);
    if (node == by_name_.end() || read.index >= kMostOutputs) return;
    const auto op = custom->find(node->second->op());
    if (op == custom->end()) return;
    if (!read.arg.empty() && op->second.size() < kMostOutputArgs) op->second.insert(read.arg);
    tf::DataType& known = reads_[read];
    if (known == tf::DT_INVALID) known = type;
  }

  // Of the elements of an output argument, as far as any is read. A graph's outputs, which have
  // numbers only, all belong to the op's first argument, which has one element at least.
  Types ReadTypes(const std::string& node, const std::string& arg, bool is_first) const {
    Types types(is_first ? 1 : 0, tf::DT_FLOAT);
    for (const std::string& name : {std::string(), arg}) {
      if (name.empty() && !is_first) continue;
      for (auto it = reads_.lower_bound({node, name, 0});
           it != reads_.end() && it->first.node == node && it->first.arg == name; ++it) {
        const size_t index = static_cast<size_t>(it->first.index);
        if (types.size() <= index) types.resize(index + 1, tf::DT_FLOAT);
        if (it->second != tf::DT_INVALID) types[index] = it->second;
      }
    }
    return types;
  }

  tf::DataType TypeOf(const Read& read) {
    const auto known = reads_.find(read);
    if (known != reads_.end())
      return known->second == tf::DT_INVALID ? tf::DT_FLOAT : known->second;
    const auto node = by_name_.find(read.node);
    if (node == by_name_.end()) {
      const auto argument = arguments_.find(read.node);
      return argument == arguments_.end() ? tf::DT_FLOAT : argument->second;
    }
    const Outputs& outputs = OutputsOf(*node->second);
    const auto first = outputs.first.find(read.arg);
    if (first == outputs.first.end()) return tf::DT_FLOAT;
    const size_t slot = static_cast<size_t>(first->second) + static_cast<size_t>(read.index);
    return slot < outputs.types.size() ? outputs.types[slot] : tf::DT_FLOAT;
  }

  std::vector<tf::NodeDef*> nodes_;
  const tf::FunctionDef* function_;  // null: a graph
  LookUp look_up_;
  std::unordered_map<std::string_view, tf::NodeDef*> by_name_;
  std::unordered_map<std::string_view, tf::DataType> arguments_;  // of the function
  std::unordered_map<const tf::NodeDef*, Outputs> outputs_;       // that were asked for
  std::map<Read, tf::DataType> reads_;  // of outputs of custom ops; DT_INVALID: nobody says
};

tf::OpDef MadeUp(const std::string& name, const std::set<std::string>& outputs) {
  tf::OpDef op;
  op.set_name(name);
  const auto add = [&op](tf::OpDef::ArgDef* arg, std::string arg_name, const std::string& attr) {
    arg->set_name(std::move(arg_name));
    arg->set_type_list_attr(attr);
    auto* def = op.add_attr();
    def->set_name(attr);
    def->set_type("list(type)");
  };
  add(op.add_input_arg(), "inputs", kInputs);
  for (const std::string& output : outputs) add(op.add_output_arg(), output, AttrOfOutput(output));
  return op;
}

class CustomOps {
 public:
  CustomOps(const OpRegistry* registry, RawGraph* raw) : registry_(registry), raw_(*raw) {
    for (const tf::FunctionDef& function : raw->library.function())
      functions_.emplace(function.signature().name(), &function.signature());
  }

  std::unique_ptr<OpTable> Define(const tf::OpList* model_ops) {
    FindUnknown();
    if (unknown_.empty()) return nullptr;
    auto table = std::make_unique<OpTable>(registry_);
    if (model_ops != nullptr)
      for (const tf::OpDef& op : model_ops->op())
        if (op.ByteSizeLong() <= kMostBytes && unknown_.erase(op.name()) > 0) table->Add(op);
    if (unknown_.empty()) return table;
    registry_ = table.get();
    std::vector<Scope> scopes = Scopes();
    for (Scope& scope : scopes) scope.FindReads(&unknown_);
    for (auto& [op, outputs] : unknown_)
      if (outputs.empty()) outputs.insert(kOutput);
    for (Scope& scope : scopes) scope.SetTypes(unknown_);
    for (const auto& [op, outputs] : unknown_) table->Add(MadeUp(op, outputs));
    return table;
  }

 private:
  const tf::OpDef* LookUp(std::string_view op) const {
    const auto function = functions_.find(op);
    return function != functions_.end() ? function->second : registry_->LookUp(op);
  }

  void FindUnknown() {
    std::set<std::string_view> seen;
    const auto check = [&](const tf::NodeDef& node) {
      if (!node.op().empty() && seen.insert(node.op()).second && LookUp(node.op()) == nullptr)
        unknown_.emplace(node.op(), std::set<std::string>());
    };
    for (const RawNode& node : raw_.nodes) check(node.def);
    for (const tf::FunctionDef& function : raw_.library.function())
      for (const tf::NodeDef& node : function.node_def()) check(node);
  }

  std::vector<Scope> Scopes() {
    const auto look_up = [this](std::string_view op) { return LookUp(op); };
    std::vector<Scope> scopes;
    std::vector<tf::NodeDef*> nodes;
    for (RawNode& node : raw_.nodes) nodes.push_back(&node.def);
    scopes.emplace_back(std::move(nodes), nullptr, look_up);
    for (tf::FunctionDef& function : *raw_.library.mutable_function()) {
      nodes.clear();
      for (tf::NodeDef& node : *function.mutable_node_def()) nodes.push_back(&node);
      scopes.emplace_back(std::move(nodes), &function, look_up);
    }
    return scopes;
  }

  const OpRegistry* registry_;
  RawGraph& raw_;
  std::unordered_map<std::string_view, const tf::OpDef*> functions_;
  Scope::Custom unknown_;
};

}  // namespace

std::unique_ptr<OpTable> DefineCustomOps(const OpRegistry* registry, const tf::OpList* model_ops,
                                         RawGraph* raw) {
  return CustomOps(registry, raw).Define(model_ops);
}

}  // namespace linnet::converter

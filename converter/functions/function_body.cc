// SPDX-License-Identifier: Apache-2.0
#include "converter/functions/function_body.h"

#include <algorithm>
#include <map>
#include <set>

#include "converter/graph/tensorflow/attr_value.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/op_binding.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/import/graph_constructor.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

using Types = std::vector<tf::DataType>;

// `status`, with the place where it happened.
absl::Status In(const absl::Status& status, std::string_view where) {
  return absl::Status(status.code(),
                      fmt::format("{}\n\t In {}", std::string(status.message()), where));
}

std::string TypesText(const Types& types) {
  std::vector<std::string> names;
  for (const tf::DataType type : types) names.push_back(DataTypeString(type));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

// Replaces every placeholder `$T` in `value`, also inside attributes of functions; false when one
// has no value.
bool Substitute(const AttrValues& attrs, tf::AttrValue* value) {
  const auto substitute_in = [&](tf::NameAttrList* function) {
    for (auto& [key, attr] : *function->mutable_attr())
      if (!Substitute(attrs, &attr)) return false;
    return true;
  };
  switch (value->value_case()) {
    case tf::AttrValue::kPlaceholder: {
      const auto it = attrs.find(value->placeholder());
      if (it == attrs.end()) return false;
      *value = tf::AttrValue(it->second);
      return true;
    }
    case tf::AttrValue::kFunc:
      return substitute_in(value->mutable_func());
    case tf::AttrValue::kList:
      return std::ranges::all_of(*value->mutable_list()->mutable_func(),
                                 [&](auto& function) { return substitute_in(&function); });
    default:
      return true;
  }
}

// A tensor of the function, of which tensor_content is a view.
RawTensor ViewOf(const tf::TensorProto& tensor,
                 const std::shared_ptr<const tf::FunctionDef>& owner) {
  RawTensor view;
  if (tensor.tensor_content().empty()) {
    view.proto = tensor;
    return view;
  }
  view.proto.set_dtype(tensor.dtype());
  if (tensor.has_tensor_shape()) *view.proto.mutable_tensor_shape() = tensor.tensor_shape();
  view.content = OwnedBytes{std::as_bytes(std::span(tensor.tensor_content())), owner};
  return view;
}

class Instantiation {
 public:
  Instantiation(std::shared_ptr<const tf::FunctionDef> function, const AttrValues& attrs,
                const FunctionContext& context)
      : function_(std::move(function)),
        signature_(function_->signature()),
        attrs_(attrs),
        context_(context),
        graph_(std::make_unique<Graph>(context.registry)) {}

  absl::StatusOr<FunctionBody> Run() {
    absl::Status status = AddArgs();
    if (status.ok()) status = AddNodes();
    if (status.ok()) status = AddRets();
    if (status.ok()) status = Build();
    if (!status.ok()) return In(status, fmt::format("function '{}'", signature_.name()));
    return std::move(body_);
  }

 private:
  // What a name in the body stands for: as many outputs of a node as there are types, from `slot`
  // on, or as many _Args, from `node` on.
  struct Item {
    bool is_arg = false;
    int node = 0;  // in raw_.nodes
    int slot = 0;
    Types types;
  };

  std::string InputText(const Item& item, int k) const {
    return item.is_arg ? raw_.nodes[item.node + k].def.name()
                       : TensorName(raw_.nodes[item.node].def.name(), item.slot + k);
  }

  absl::Status AddItem(const std::string& name, Item item) {
    const bool is_arg = item.is_arg;
    if (items_.emplace(name, std::move(item)).second) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("Duplicated {} name: {}", is_arg ? "arg" : "ret", name));
  }

  // The types of an argument of an op or function, whose attributes are `attrs`.
  static absl::StatusOr<Types> ArgTypes(const tf::OpDef::ArgDef& arg, const AttrValues& attrs) {
    for (const auto& [kind, name] : {std::pair("type", &arg.type_list_attr()),
                                     {"number", &arg.number_attr()},
                                     {"type", &arg.type_attr()}})
      if (!name->empty() && !attrs.contains(*name))
        return absl::NotFoundError(fmt::format("{} attr not found: {}", kind, *name));
    tf::OpDef one;
    *one.add_input_arg() = arg;
    tf::NodeDef node;
    *node.mutable_attr() = attrs;
    Types inputs, outputs;
    if (absl::Status s = InOutTypes(node, one, &inputs, &outputs); !s.ok()) return s;
    return inputs;
  }

  // Adds element `i` of an argument or result of these types.
  tf::NodeDef* AddEnd(const char* op, std::string name, const Types& types, size_t i,
                      size_t index) {
    if (types.size() > 1) name += fmt::format("_{}", i);
    while (names_.contains(name)) name += '_';  // nothing refers to it by name
    tf::NodeDef& def = raw_.nodes.emplace_back().def;
    def.set_name(std::move(name));
    def.set_op(op);
    (*def.mutable_attr())["T"].set_type(types[i]);
    (*def.mutable_attr())["index"].set_i(static_cast<int64_t>(index));
    return &def;
  }

  absl::Status AddArgs() {
    for (const tf::NodeDef& node : function_->node_def()) names_.insert(node.name());
    for (const tf::OpDef::AttrDef& attr : signature_.attr())
      if (!attrs_.contains(attr.name()) && !attr.has_default_value())
        return absl::NotFoundError(
            fmt::format("Attr {} is not found from {}", attr.name(), SummarizeOpDef(signature_)));
    bound_ = attrs_;
    for (const tf::OpDef::AttrDef& attr : signature_.attr())
      if (!bound_.contains(attr.name())) bound_[attr.name()] = attr.default_value();
    for (const tf::OpDef::ArgDef& arg : signature_.input_arg()) {
      absl::StatusOr<Types> types = ArgTypes(arg, bound_);
      if (!types.ok()) return In(types.status(), arg.name());
      const int first = static_cast<int>(raw_.nodes.size());
      for (size_t i = 0; i < types->size(); ++i) {
        AddEnd("_Arg", arg.name(), *types, i, raw_.nodes.size());
        body_.arg_types.push_back((*types)[i]);
        const Item one{true, first + static_cast<int>(i), 0, {(*types)[i]}};
        if (absl::Status s = AddItem(fmt::format("{}:{}", arg.name(), i), one); !s.ok()) return s;
      }
      if (absl::Status s = AddItem(arg.name(), {true, first, 0, *types}); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  // The body's nodes, then their inputs, since a node may come before those that it reads.
  absl::Status AddNodes() {
    for (const tf::NodeDef& def : function_->node_def())
      if (absl::Status s = AddNode(def); !s.ok()) return In(s, FormatNode(def.name()));
    for (int i = 0; i < function_->node_def_size(); ++i)
      if (absl::Status s = AddInputs(function_->node_def(i), body_.arg_types.size() + i); !s.ok())
        return In(s, FormatNode(function_->node_def(i).name()));
    return absl::OkStatus();
  }

  absl::Status AddNode(const tf::NodeDef& def) {
    const tf::OpDef* op = context_.library->LookUp(def.op());
    if (op == nullptr) return OpNotRegistered(def.op());
    graph_->functions().ShareFrom(*context_.library, def.op());
    const int index = static_cast<int>(raw_.nodes.size());
    RawNode& node = raw_.nodes.emplace_back();
    node.def.set_name(def.name());
    node.def.set_op(def.op());
    node.def.set_device(def.device());
    for (const auto& [key, value] : def.attr()) {
      tf::AttrValue& attr = (*node.def.mutable_attr())[key];
      if (def.op() == "Const" && key == "value" && value.has_tensor()) {
        node.value = ViewOf(value.tensor(), function_);
        attr.mutable_tensor()->set_dtype(value.tensor().dtype());
        continue;
      }
      attr = value;
      if (!Substitute(bound_, &attr))
        return absl::InvalidArgumentError(
            fmt::format("Failed to bind all placeholders in {}", SummarizeAttrValue(value)));
    }
    AddDefaults(*op, &node.def);
    return AddOutputs(*op, index);
  }

  // Defines the names of all outputs, "node:out" and "node:out:k".
  absl::Status AddOutputs(const tf::OpDef& op, int index) {
    const tf::NodeDef& def = raw_.nodes[index].def;
    if (op.output_arg().empty()) return AddItem(def.name(), {false, index, 0, {}});
    int slot = 0;
    for (const tf::OpDef::ArgDef& arg : op.output_arg()) {
      absl::StatusOr<Types> types = ArgTypes(arg, def.attr());
      if (!types.ok()) return types.status();
      const std::string name = fmt::format("{}:{}", def.name(), arg.name());
      if (absl::Status s = AddItem(name, {false, index, slot, *types}); !s.ok()) return s;
      for (size_t k = 0; k < types->size(); ++k, ++slot)
        if (absl::Status s =
                AddItem(fmt::format("{}:{}", name, k), {false, index, slot, {(*types)[k]}});
            !s.ok())
          return s;
    }
    return absl::OkStatus();
  }

  absl::Status AddInputs(const tf::NodeDef& from, size_t index) {
    tf::NodeDef& def = raw_.nodes[index].def;
    int next = 0;  // in from.input()
    for (const tf::OpDef::ArgDef& arg : context_.library->LookUp(def.op())->input_arg()) {
      absl::StatusOr<Types> types = ArgTypes(arg, def.attr());
      if (!types.ok()) return types.status();
      if (absl::Status s = AddArgInputs(from, arg, *types, &next, &def); !s.ok()) return s;
    }
    for (; next < from.input_size(); ++next)
      if (absl::Status s = AddControlInput(from.input(next), next, &def); !s.ok()) return s;
    return absl::OkStatus();
  }

  // Takes inputs of `from` until all types of the argument have one. An input may be a list.
  absl::Status AddArgInputs(const tf::NodeDef& from, const tf::OpDef::ArgDef& arg,
                            const Types& types, int* next, tf::NodeDef* def) const {
    for (size_t j = 0; j < types.size(); ++*next) {
      if (*next >= from.input_size())
        return absl::InvalidArgumentError(
            fmt::format("Attempt to access beyond input size: {} >= {}", *next, from.input_size()));
      const std::string& text = from.input(*next);
      const auto it = items_.find(text);
      if (it == items_.end())
        return absl::InvalidArgumentError(
            fmt::format("input {} is not found: {}", text, FormatNode(from.name())));
      const Item& item = it->second;
      if (item.types.size() > types.size() - j)
        return absl::InvalidArgumentError(
            fmt::format("Input {} too long for {}", text, arg.name()));
      for (size_t k = 0; k < item.types.size(); ++k, ++j) {
        if (!TypesCompatible(types[j], item.types[k]))
          return absl::InvalidArgumentError(
              fmt::format("input {}[{}] expected type {} != {}, the type of {}[{}]", arg.name(), j,
                          DataTypeString(types[j]), DataTypeString(item.types[k]), text, k));
        def->add_input(InputText(item, k));
      }
      if (item.types.empty())  // a node without outputs
        return absl::InvalidArgumentError(
            fmt::format("input {} is not found: {}", text, FormatNode(from.name())));
    }
    return absl::OkStatus();
  }

  absl::Status AddControlInput(const std::string& text, int position, tf::NodeDef* def) const {
    if (!text.starts_with('^'))
      return absl::InvalidArgumentError(
          fmt::format("Expected input[{}] == '{}' to be a control input.", position, text));
    const std::string name = text.substr(1);
    if (names_.contains(name)) {
      def->add_input(text);
      return absl::OkStatus();
    }
    const auto it = items_.find(name);
    if (it == items_.end())
      return absl::InvalidArgumentError(
          fmt::format("input[{}] == '{}', is not found.", position, text));
    for (size_t k = 0; k < it->second.types.size(); ++k)  // an argument
      def->add_input("^" + raw_.nodes[it->second.node + k].def.name());
    return absl::OkStatus();
  }

  absl::Status AddRets() {
    for (const tf::OpDef::ArgDef& ret : signature_.output_arg())
      if (absl::Status s = AddRet(ret); !s.ok())
        return In(s, fmt::format("function output {}", ret.name()));
    for (const auto& [name, node] : function_->control_ret())
      if (!names_.contains(node))
        return absl::InvalidArgumentError(
            fmt::format("Control return {} -> {} is not found.", name, node));
    return absl::OkStatus();
  }

  absl::Status AddRet(const tf::OpDef::ArgDef& ret) {
    const auto text = function_->ret().find(ret.name());
    if (text == function_->ret().end())
      return absl::InvalidArgumentError(fmt::format("Return {} missing.", ret.name()));
    absl::StatusOr<Types> types = ArgTypes(ret, bound_);
    if (!types.ok()) return types.status();
    const auto it = items_.find(text->second);
    if (it == items_.end())
      return absl::InvalidArgumentError(
          fmt::format("Return {} -> {} is not found.", ret.name(), text->second));
    const Item item = it->second;
    if (*types != item.types)
      return absl::InvalidArgumentError(fmt::format("Invalid ret types {} : {} vs. {}", ret.name(),
                                                    TypesText(*types), TypesText(item.types)));
    for (size_t i = 0; i < types->size(); ++i) {
      const std::string input = InputText(item, i);
      AddEnd("_Retval", ret.name() + "_RetVal", *types, i, body_.ret_types.size())
          ->add_input(input);
      body_.ret_types.push_back((*types)[i]);
    }
    return absl::OkStatus();
  }

  // The graph constructor checks the rest: attributes, values, cycles.
  absl::Status Build() {
    raw_.versions = context_.versions;
    const ConstructorOptions options = {.validate_colocation = false,  // groups may span calls
                                        .constant_room = context_.constant_room};
    std::vector<std::string> notes;
    const auto nodes = ConstructGraph(std::move(raw_), options, graph_.get(), &notes);
    if (!nodes.ok()) return nodes.status();
    if (context_.notes != nullptr)
      for (std::string& note : notes)
        if (std::ranges::find(*context_.notes, note) == context_.notes->end())
          context_.notes->push_back(std::move(note));
    body_.args.assign(nodes->begin(), nodes->begin() + std::ssize(body_.arg_types));
    body_.rets.assign(nodes->end() - std::ssize(body_.ret_types), nodes->end());
    std::set<std::string> controls;  // sorted, each once
    for (const auto& [name, node] : function_->control_ret()) controls.insert(node);
    for (const std::string& name : controls) body_.control_rets.push_back(graph_->FindNode(name));
    body_.graph = std::move(graph_);
    return absl::OkStatus();
  }

  const std::shared_ptr<const tf::FunctionDef> function_;
  const tf::OpDef& signature_;
  const AttrValues& attrs_;
  const FunctionContext& context_;
  AttrValues bound_;             // attrs_ and the signature's defaults
  std::set<std::string> names_;  // of the body's nodes
  std::unique_ptr<Graph> graph_;
  RawGraph raw_;
  std::map<std::string, Item> items_;
  FunctionBody body_;
};

}  // namespace

absl::StatusOr<FunctionBody> InstantiateFunction(
    const std::shared_ptr<const tf::FunctionDef>& function, const AttrValues& attrs,
    const FunctionContext& context) {
  return Instantiation(function, attrs, context).Run();
}

}  // namespace linnet::converter

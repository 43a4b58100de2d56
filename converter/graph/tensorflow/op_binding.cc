// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/op_binding.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "converter/graph/tensorflow/attr_value.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

// More than any op has, but few enough that an untrusted count costs little.
constexpr int64_t kMaxArgs = 1 << 16;

absl::StatusOr<const tf::AttrValue*> FindAttr(const tf::NodeDef& node, const std::string& name,
                                              std::string_view type) {
  const auto it = node.attr().find(name);
  if (it == node.attr().end())
    return absl::NotFoundError(
        fmt::format("No attr named '{}' in NodeDef: {}", name, FormatNode(node.name())));
  if (absl::Status s = AttrValueHasType(it->second, type); !s.ok())
    return absl::Status(s.code(),
                        fmt::format("{} for attr '{}'; NodeDef: {}", std::string(s.message()), name,
                                    FormatNode(node.name())));
  return &it->second;
}

absl::Status AddArg(const tf::NodeDef& node, const tf::OpDef::ArgDef& arg,
                    std::vector<tf::DataType>* types) {
  const size_t first = types->size();
  if (!arg.type_list_attr().empty()) {
    const auto list = FindAttr(node, arg.type_list_attr(), "list(type)");
    if (!list.ok()) return list.status();
    for (const int type : (*list)->list().type()) types->push_back(static_cast<tf::DataType>(type));
  } else {
    int64_t repeats = 1;
    if (!arg.number_attr().empty()) {
      const auto number = FindAttr(node, arg.number_attr(), "int");
      if (!number.ok()) return number.status();
      repeats = (*number)->i();
      if (repeats < 0 || repeats > kMaxArgs)
        return absl::InvalidArgumentError(
            fmt::format("Value for number_attr() {} of argument '{}' is {}; NodeDef: {}", repeats,
                        arg.name(), repeats < 0 ? "< 0" : "too big", FormatNode(node.name())));
    }
    tf::DataType type = arg.type();
    if (!arg.type_attr().empty()) {
      const auto attr = FindAttr(node, arg.type_attr(), "type");
      if (!attr.ok()) return attr.status();
      type = (*attr)->type();
    }
    types->insert(types->end(), static_cast<size_t>(repeats), type);
  }
  if (arg.is_ref())
    for (size_t i = first; i < types->size(); ++i) (*types)[i] = RefType((*types)[i]);
  return absl::OkStatus();
}

std::string ArgText(const tf::OpDef::ArgDef& arg) {
  std::string type = arg.type_list_attr();
  if (type.empty()) type = arg.type_attr().empty() ? DataTypeString(arg.type()) : arg.type_attr();
  if (!arg.number_attr().empty()) type = fmt::format("{}*{}", arg.number_attr(), type);
  return fmt::format(fmt::runtime(arg.is_ref() ? "{}:Ref({})" : "{}:{}"), arg.name(), type);
}

template <typename Args>
std::string ArgsText(const Args& args) {
  std::string text;
  for (const auto& arg : args) text += fmt::format("{}{}", text.empty() ? "" : ", ", ArgText(arg));
  return text;
}

// "; NodeDef: {{node x}}; Op<...>", which TensorFlow appends to errors about attributes.
std::string Context(const tf::NodeDef& node, const tf::OpDef& op) {
  return fmt::format("; NodeDef: {}; {}", FormatNode(node.name()), SummarizeOpDef(op));
}

absl::Status ValidateAttrs(const tf::NodeDef& node, const tf::OpDef& op) {
  std::vector<std::string> missing;
  for (const tf::OpDef::AttrDef& attr : op.attr()) {
    const auto it = node.attr().find(attr.name());
    if (it == node.attr().end()) {
      missing.push_back(fmt::format("'{}'", attr.name()));
      continue;
    }
    if (!it->second.placeholder().empty()) continue;
    // Importers keep the values of constants apart from their nodes and check those themselves.
    if (attr.type() == "tensor" && it->second.value_case() == tf::AttrValue::VALUE_NOT_SET)
      continue;
    if (absl::Status s = ValidateAttrValue(it->second, attr); !s.ok())
      return absl::Status(s.code(), std::string(s.message()) + Context(node, op));
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("NodeDef missing attr{}{} from {}; NodeDef: {}", missing.size() == 1 ? " " : "s ",
                  fmt::join(missing, ", "), SummarizeOpDef(op), FormatNode(node.name())));
}

}  // namespace

std::string FormatNode(std::string_view name) { return fmt::format("{{{{node {}}}}}", name); }

std::string SummarizeOpDef(const tf::OpDef& op) {
  std::string text = fmt::format("Op<name={}; signature={} -> {}", op.name(),
                                 ArgsText(op.input_arg()), ArgsText(op.output_arg()));
  for (const tf::OpDef::AttrDef& attr : op.attr()) {
    text += fmt::format("; attr={}:{}", attr.name(), attr.type());
    if (attr.has_default_value())
      text += fmt::format(",default={}", SummarizeAttrValue(attr.default_value()));
    if (attr.has_minimum()) text += fmt::format(",min={}", attr.minimum());
    if (attr.has_allowed_values())
      text += fmt::format(",allowed={}", SummarizeAttrValue(attr.allowed_values()));
  }
  if (op.is_commutative()) text += "; is_commutative=true";
  if (op.is_stateful()) text += "; is_stateful=true";
  return text + ">";
}

absl::Status InOutTypes(const tf::NodeDef& node, const tf::OpDef& op,
                        std::vector<tf::DataType>* inputs, std::vector<tf::DataType>* outputs) {
  inputs->clear();
  outputs->clear();
  for (const auto& arg : op.input_arg())
    if (absl::Status s = AddArg(node, arg, inputs); !s.ok()) return s;
  for (const auto& arg : op.output_arg())
    if (absl::Status s = AddArg(node, arg, outputs); !s.ok()) return s;
  return absl::OkStatus();
}

void AddDefaults(const tf::OpDef& op, tf::NodeDef* node) {
  for (const tf::OpDef::AttrDef& attr : op.attr()) {
    if (!attr.has_default_value() || node->attr().contains(attr.name())) continue;
    (*node->mutable_attr())[attr.name()] = attr.default_value();
  }
}

absl::Status ValidateNodeDef(const tf::NodeDef& node, const tf::OpDef& op) {
  if (node.op() != op.name())
    return absl::InvalidArgumentError(fmt::format("NodeDef op '{}' does not match {}; NodeDef: {}",
                                                  node.op(), SummarizeOpDef(op),
                                                  FormatNode(node.name())));
  size_t num_inputs = 0;
  bool seen_control = false;
  for (const std::string& input : node.input()) {
    if (input.starts_with('^')) {
      seen_control = true;
      if (input.find(':') != std::string::npos)
        return absl::InvalidArgumentError(fmt::format(
            "Control input '{}' must not have ':' in NodeDef: {}", input, FormatNode(node.name())));
    } else if (seen_control) {
      return absl::InvalidArgumentError(
          fmt::format("Non-control input '{}' after control input in NodeDef: {}", input,
                      FormatNode(node.name())));
    } else {
      ++num_inputs;
    }
  }
  if (absl::Status s = ValidateAttrs(node, op); !s.ok()) return s;
  std::vector<tf::DataType> inputs, outputs;
  if (absl::Status s = InOutTypes(node, op, &inputs, &outputs); !s.ok()) return s;
  if (inputs.size() == num_inputs) return absl::OkStatus();
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const tf::DataType type : inputs) names.push_back(DataTypeString(type));
  return absl::InvalidArgumentError(
      fmt::format("NodeDef expected inputs '{}' do not match {} inputs specified; {}; NodeDef: {}",
                  fmt::join(names, ", "), num_inputs, SummarizeOpDef(op), FormatNode(node.name())));
}

absl::Status CheckDeprecation(const tf::NodeDef& node, const tf::OpDef& op, int producer) {
  if (!op.has_deprecation() || producer < op.deprecation().version()) return absl::OkStatus();
  return absl::UnimplementedError(fmt::format(
      "Op {} is not available in GraphDef version {}. It has been removed in version {}. {}.",
      node.op(), producer, op.deprecation().version(), op.deprecation().explanation()));
}

void InferAttrsFromInputs(const tf::OpDef& op, const std::vector<tf::DataType>& input_types,
                          tf::NodeDef* node) {
  auto& attrs = *node->mutable_attr();
  int lists = 0;
  for (const auto& arg : op.input_arg())
    lists += !arg.number_attr().empty() || !arg.type_list_attr().empty();
  size_t next = 0;
  for (const auto& arg : op.input_arg()) {
    size_t count = 1;
    if (!arg.number_attr().empty() && attrs.contains(arg.number_attr())) {
      count = static_cast<size_t>(std::max<int64_t>(attrs[arg.number_attr()].i(), 0));
    } else if (!arg.type_list_attr().empty() && attrs.contains(arg.type_list_attr())) {
      count = static_cast<size_t>(attrs[arg.type_list_attr()].list().type_size());
    } else if (!arg.number_attr().empty() || !arg.type_list_attr().empty()) {
      const size_t singles = static_cast<size_t>(op.input_arg_size()) - 1;
      if (lists > 1) return;  // which input belongs to which list?
      if (input_types.size() < singles) return;
      count = input_types.size() - singles;
      if (!arg.number_attr().empty()) attrs[arg.number_attr()].set_i(static_cast<int64_t>(count));
    }
    if (next + count > input_types.size()) return;
    if (!arg.type_list_attr().empty() && !attrs.contains(arg.type_list_attr())) {
      auto* list = attrs[arg.type_list_attr()].mutable_list();
      for (size_t i = 0; i < count; ++i) list->add_type(BaseType(input_types[next + i]));
    } else if (!arg.type_attr().empty() && !attrs.contains(arg.type_attr()) && count > 0 &&
               input_types[next] != tf::DT_INVALID) {
      attrs[arg.type_attr()].set_type(BaseType(input_types[next]));
    }
    next += count;
  }
}

}  // namespace linnet::converter

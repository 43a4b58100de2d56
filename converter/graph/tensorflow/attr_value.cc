// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/attr_value.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {

std::string Quoted(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\') text += '\\';
    if (c >= ' ' && c < 127)
      text += c;
    else
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return text + "\"";
}

namespace {

std::string Summary(const std::string& s) { return Quoted(s); }
std::string Summary(int64_t i) { return std::to_string(i); }
std::string Summary(float f) { return fmt::format("{}", f); }
std::string Summary(bool b) { return b ? "true" : "false"; }
std::string Summary(const tf::TensorShapeProto& shape) { return ShapeString(shape); }
std::string TypeSummary(int type) {
  const std::string& name = tf::DataType_Name(static_cast<tf::DataType>(type));
  return name.empty() ? std::to_string(type) : name;
}
std::string Summary(const tf::TensorProto& tensor) {
  return fmt::format("Tensor<type: {} shape: {}>", DataTypeString(tensor.dtype()),
                     ShapeString(tensor.tensor_shape()));
}
std::string Summary(const tf::NameAttrList& function) {
  std::map<std::string, std::string> attrs;
  for (const auto& [name, value] : function.attr()) attrs.emplace(name, SummarizeAttrValue(value));
  std::string text;
  for (const auto& [name, value] : attrs)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return fmt::format("{}[{}]", function.name(), text);
}

// The first few elements: error texts must stay readable.
template <typename List>
std::string ListSummary(const List& list) {
  constexpr int kShown = 12;
  std::vector<std::string> items;
  for (const auto& item : list) {
    if (items.size() == kShown) {
      items.push_back("...");
      break;
    }
    items.push_back(Summary(item));
  }
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string ListSummary(const tf::AttrValue::ListValue& list) {
  if (list.s_size() > 0) return ListSummary(list.s());
  if (list.i_size() > 0) return ListSummary(list.i());
  if (list.f_size() > 0) return ListSummary(list.f());
  if (list.b_size() > 0) return ListSummary(list.b());
  if (list.shape_size() > 0) return ListSummary(list.shape());
  if (list.tensor_size() > 0) return ListSummary(list.tensor());
  if (list.func_size() > 0) return ListSummary(list.func());
  std::vector<std::string> types;
  for (const int type : list.type()) types.push_back(TypeSummary(type));
  return fmt::format("[{}]", fmt::join(types, ", "));
}

// What OpDefs call the type of a value.
const char* TypeName(const tf::AttrValue& value) {
  using enum tf::AttrValue::ValueCase;
  static constexpr std::pair<tf::AttrValue::ValueCase, const char*> kNames[] = {
      {kS, "string"},      {kI, "int"},
      {kF, "float"},       {kB, "bool"},
      {kType, "type"},     {kShape, "shape"},
      {kTensor, "tensor"}, {kList, "list"},
      {kFunc, "func"},     {kPlaceholder, "placeholder"}};
  for (const auto& [value_case, name] : kNames)
    if (value_case == value.value_case()) return name;
  return "";
}

// The types of elements that a list may have, and how many elements of each it has.
std::vector<std::pair<const char*, int>> SizesOf(const tf::AttrValue::ListValue& list) {
  return {{"string", list.s_size()},      {"int", list.i_size()},     {"float", list.f_size()},
          {"bool", list.b_size()},        {"type", list.type_size()}, {"shape", list.shape_size()},
          {"tensor", list.tensor_size()}, {"func", list.func_size()}};
}

int Length(const tf::AttrValue::ListValue& list) {
  int length = 0;
  for (const auto& [type, size] : SizesOf(list)) length = std::max(length, size);
  return length;
}

absl::Status CheckDataType(int type) {
  if (!tf::DataType_IsValid(type) || type == tf::DT_INVALID)
    return absl::InvalidArgumentError(fmt::format("AttrValue has invalid DataType enum: {}", type));
  if (IsRefType(static_cast<tf::DataType>(type)))
    return absl::InvalidArgumentError(
        fmt::format("AttrValue must not have reference type value of {}",
                    DataTypeString(static_cast<tf::DataType>(type))));
  return absl::OkStatus();
}

// How error texts show a type or a string.
std::string Shown(int type) { return DataTypeString(static_cast<tf::DataType>(type)); }
std::string Shown(const std::string& s) { return Quoted(s); }

template <typename Value, typename Allowed>
absl::Status CheckAllowed(const Value& value, const Allowed& allowed, const std::string& attr) {
  if (std::ranges::find(allowed, value) != allowed.end()) return absl::OkStatus();
  std::vector<std::string> shown;
  for (const auto& item : allowed) shown.push_back(Shown(item));
  return absl::InvalidArgumentError(
      fmt::format("Value for attr '{}' of {} is not in the list of allowed values: {}", attr,
                  Shown(value), fmt::join(shown, ", ")));
}

absl::Status CheckMinimum(const tf::AttrValue& value, const tf::OpDef::AttrDef& attr) {
  const bool is_int = attr.type() == "int";
  const int64_t got = is_int ? value.i() : Length(value.list());
  if (got >= attr.minimum()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} for attr '{}' of {} must be at least minimum {}", is_int ? "Value" : "Length",
                  attr.name(), got, attr.minimum()));
}

}  // namespace

absl::Status CheckShape(const tf::TensorShapeProto& shape) {
  std::vector<int64_t> sizes;
  for (const auto& dim : shape.dim()) sizes.push_back(dim.size());
  if (sizes.empty() || std::ranges::min(sizes) >= -1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("Shape [{}] has dimensions with values below -1 (where -1 means unknown)",
                  fmt::join(sizes, ",")));
}

std::string SummarizeAttrValue(const tf::AttrValue& value) {
  if (value.has_s()) return Summary(value.s());
  if (value.has_i()) return Summary(value.i());
  if (value.has_f()) return Summary(value.f());
  if (value.has_b()) return Summary(value.b());
  if (value.has_type()) return TypeSummary(value.type());
  if (value.has_shape()) return Summary(value.shape());
  if (value.has_tensor()) return Summary(value.tensor());
  if (value.has_list()) return ListSummary(value.list());
  if (value.has_func()) return Summary(value.func());
  if (value.has_placeholder()) return "$" + value.placeholder();
  return "<Unknown AttrValue type>";
}

absl::Status AttrValueHasType(const tf::AttrValue& value, std::string_view type) {
  if (value.value_case() == tf::AttrValue::kPlaceholder)
    return absl::InvalidArgumentError("AttrValue had value with unexpected type 'placeholder'");
  const bool is_list = type.starts_with("list(");
  if (value.value_case() == tf::AttrValue::VALUE_NOT_SET) {
    // On the wire an empty list and no value are the same.
    if (is_list) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("AttrValue missing value with expected type '{}'", type));
  }
  const auto differs = [type](std::string_view got) {
    return absl::InvalidArgumentError(
        fmt::format("AttrValue had value with type '{}' when '{}' expected", got, type));
  };
  const std::string_view got = TypeName(value);
  if (got != (is_list ? "list" : type)) return differs(got);
  if (!is_list) return type == "type" ? CheckDataType(value.type()) : absl::OkStatus();
  for (const auto& [element, size] : SizesOf(value.list())) {
    const std::string list_type = fmt::format("list({})", element);
    if (size > 0 && type != list_type) return differs(list_type);
  }
  for (const int t : value.list().type())
    if (absl::Status s = CheckDataType(t); !s.ok()) return s;
  return absl::OkStatus();
}

absl::Status ValidateAttrValue(const tf::AttrValue& value, const tf::OpDef::AttrDef& attr) {
  if (absl::Status s = AttrValueHasType(value, attr.type()); !s.ok())
    return absl::Status(s.code(),
                        fmt::format("{} for attr '{}'", std::string(s.message()), attr.name()));
  if (attr.has_minimum())
    if (absl::Status s = CheckMinimum(value, attr); !s.ok()) return s;
  if (attr.type() == "shape") return CheckShape(value.shape());
  if (attr.type() == "list(shape)")
    for (const auto& shape : value.list().shape())
      if (absl::Status s = CheckShape(shape); !s.ok()) return s;
  if (!attr.has_allowed_values()) return absl::OkStatus();
  const tf::AttrValue::ListValue& allowed = attr.allowed_values().list();
  if (attr.type() == "type") return CheckAllowed<int>(value.type(), allowed.type(), attr.name());
  if (attr.type() == "string") return CheckAllowed(value.s(), allowed.s(), attr.name());
  if (attr.type() == "list(type)")
    for (const int type : value.list().type())
      if (absl::Status s = CheckAllowed(type, allowed.type(), attr.name()); !s.ok()) return s;
  if (attr.type() == "list(string)")
    for (const std::string& text : value.list().s())
      if (absl::Status s = CheckAllowed(text, allowed.s(), attr.name()); !s.ok()) return s;
  return absl::OkStatus();
}

}  // namespace linnet::converter

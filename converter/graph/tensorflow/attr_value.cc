// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/attr_value.h"

#include <algorithm>
#include <map>
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

// Names of value fields as OpDefs call them.
const char* CaseName(tf::AttrValue::ValueCase value_case) {
  switch (value_case) {
    case tf::AttrValue::kS:
      return "string";
    case tf::AttrValue::kI:
      return "int";
    case tf::AttrValue::kF:
      return "float";
    case tf::AttrValue::kB:
      return "bool";
    case tf::AttrValue::kType:
      return "type";
    case tf::AttrValue::kShape:
      return "shape";
    case tf::AttrValue::kTensor:
      return "tensor";
    case tf::AttrValue::kList:
      return "list";
    case tf::AttrValue::kFunc:
      return "func";
    case tf::AttrValue::kPlaceholder:
      return "placeholder";
    case tf::AttrValue::VALUE_NOT_SET:
      break;
  }
  return "";
}

struct ListPart {
  const char* type;
  int size;
};

std::vector<ListPart> PartsOf(const tf::AttrValue::ListValue& list) {
  return {{"string", list.s_size()},      {"int", list.i_size()},     {"float", list.f_size()},
          {"bool", list.b_size()},        {"type", list.type_size()}, {"shape", list.shape_size()},
          {"tensor", list.tensor_size()}, {"func", list.func_size()}};
}

int Length(const tf::AttrValue::ListValue& list) {
  int length = 0;
  for (const ListPart& part : PartsOf(list)) length = std::max(length, part.size);
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

absl::Status NotAllowed(const tf::OpDef::AttrDef& attr, const std::string& value,
                        const std::vector<std::string>& allowed) {
  return absl::InvalidArgumentError(
      fmt::format("Value for attr '{}' of {} is not in the list of allowed values: {}", attr.name(),
                  value, fmt::join(allowed, ", ")));
}

absl::Status CheckAllowedType(int type, const tf::OpDef::AttrDef& attr) {
  const auto& allowed = attr.allowed_values().list().type();
  if (std::find(allowed.begin(), allowed.end(), type) != allowed.end()) return absl::OkStatus();
  std::vector<std::string> names;
  for (const int a : allowed) names.push_back(DataTypeString(static_cast<tf::DataType>(a)));
  return NotAllowed(attr, DataTypeString(static_cast<tf::DataType>(type)), names);
}

absl::Status CheckAllowedString(const std::string& s, const tf::OpDef::AttrDef& attr) {
  const auto& allowed = attr.allowed_values().list().s();
  if (std::find(allowed.begin(), allowed.end(), s) != allowed.end()) return absl::OkStatus();
  std::vector<std::string> names;
  for (const std::string& a : allowed) names.push_back(Quoted(a));
  return NotAllowed(attr, Quoted(s), names);
}

std::vector<int64_t> Sizes(const tf::TensorShapeProto& shape) {
  std::vector<int64_t> sizes;
  for (const auto& dim : shape.dim()) sizes.push_back(dim.size());
  return sizes;
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
  for (const auto& dim : shape.dim())
    if (dim.size() < -1)
      return absl::InvalidArgumentError(
          fmt::format("Shape [{}] has dimensions with values below -1 (where -1 means unknown)",
                      fmt::join(Sizes(shape), ",")));
  return absl::OkStatus();
}

std::string SummarizeAttrValue(const tf::AttrValue& value) {
  switch (value.value_case()) {
    case tf::AttrValue::kS:
      return Summary(value.s());
    case tf::AttrValue::kI:
      return Summary(value.i());
    case tf::AttrValue::kF:
      return Summary(value.f());
    case tf::AttrValue::kB:
      return Summary(value.b());
    case tf::AttrValue::kType:
      return TypeSummary(value.type());
    case tf::AttrValue::kShape:
      return Summary(value.shape());
    case tf::AttrValue::kTensor:
      return Summary(value.tensor());
    case tf::AttrValue::kList:
      return ListSummary(value.list());
    case tf::AttrValue::kFunc:
      return Summary(value.func());
    case tf::AttrValue::kPlaceholder:
      return "$" + value.placeholder();
    case tf::AttrValue::VALUE_NOT_SET:
      break;
  }
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
  if (!is_list) {
    if (type != CaseName(value.value_case()))
      return absl::InvalidArgumentError(
          fmt::format("AttrValue had value with type '{}' when '{}' expected",
                      CaseName(value.value_case()), type));
    return type == "type" ? CheckDataType(value.type()) : absl::OkStatus();
  }
  if (value.value_case() != tf::AttrValue::kList)
    return absl::InvalidArgumentError(
        fmt::format("AttrValue had value with type '{}' when '{}' expected",
                    CaseName(value.value_case()), type));
  for (const ListPart& part : PartsOf(value.list())) {
    const std::string part_type = fmt::format("list({})", part.type);
    if (part.size > 0 && type != part_type)
      return absl::InvalidArgumentError(
          fmt::format("AttrValue had value with type '{}' when '{}' expected", part_type, type));
  }
  for (const int t : value.list().type())
    if (absl::Status s = CheckDataType(t); !s.ok()) return s;
  return absl::OkStatus();
}

absl::Status ValidateAttrValue(const tf::AttrValue& value, const tf::OpDef::AttrDef& attr) {
  if (absl::Status s = AttrValueHasType(value, attr.type()); !s.ok())
    return absl::Status(
        s.code(), fmt::format("{} for attr '{}'",
                              std::string(s.message().data(), s.message().size()), attr.name()));
  if (attr.has_minimum())
    if (absl::Status s = CheckMinimum(value, attr); !s.ok()) return s;
  if (attr.type() == "shape") return CheckShape(value.shape());
  if (attr.type() == "list(shape)")
    for (const auto& shape : value.list().shape())
      if (absl::Status s = CheckShape(shape); !s.ok()) return s;
  if (!attr.has_allowed_values()) return absl::OkStatus();
  if (attr.type() == "type") return CheckAllowedType(value.type(), attr);
  if (attr.type() == "string") return CheckAllowedString(value.s(), attr);
  if (attr.type() == "list(type)")
    for (const int type : value.list().type())
      if (absl::Status s = CheckAllowedType(type, attr); !s.ok()) return s;
  if (attr.type() == "list(string)")
    for (const std::string& s : value.list().s())
      if (absl::Status status = CheckAllowedString(s, attr); !status.ok()) return status;
  return absl::OkStatus();
}

}  // namespace linnet::converter

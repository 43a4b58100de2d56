// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/text/tf_attrs_text.h"

#include "converter/graph/tensorflow/attr_value.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/op_binding.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "google/protobuf/util/message_differencer.h"

namespace linnet::converter {
namespace {

std::string AttrText(const tf::AttrValue& value) {
  if (value.value_case() == tf::AttrValue::kFunc)
    return fmt::format("@{}", Quoted(value.func().name()));
  if (value.value_case() == tf::AttrValue::kShape) return "shape" + SummarizeAttrValue(value);
  if (value.value_case() == tf::AttrValue::kF) {
    const std::string text = SummarizeAttrValue(value);  // a float must not look like an int
    return text.find_first_of(".einf") == std::string::npos ? text + ".0" : text;
  }
  return SummarizeAttrValue(value);
}

// [1,?,3], with or without `shape` before it; `shape<unknown>` is of unknown rank.
absl::Status ParseShape(TextLexer& lexer, tf::TensorShapeProto* shape) {
  if (lexer.IsWord("shape")) lexer.Advance();
  if (lexer.Take('<')) {
    lexer.Advance();
    shape->set_unknown_rank(true);
    return lexer.Is('>') ? lexer.Expect('>') : absl::OkStatus();
  }
  return lexer.TakeList('[', ']', [&] {
    int64_t dim = -1;
    if (!lexer.Take('?')) LINNET_RETURN_IF_ERROR(lexer.TakeInt(&dim));
    shape->add_dim()->set_size(dim);
    return absl::OkStatus();
  });
}

// The type of an attribute that the OpDef does not declare, guessed from its value.
std::string_view GuessType(const TextLexer& lexer) {
  if (lexer.kind() == TextLexer::Kind::kString) return "string";
  if (lexer.Is('@')) return "func";
  if (lexer.IsWord("true") || lexer.IsWord("false")) return "bool";
  if (lexer.IsWord("shape")) return "shape";
  int64_t integer = 0;
  if (ToInt(lexer.token(), &integer)) return "int";
  return DataTypeFromString(lexer.token()) == tf::DT_INVALID ? "float" : "type";
}

absl::Status ParseItem(TextLexer& lexer, std::string_view type, tf::AttrValue* value) {
  if (type == "shape") return ParseShape(lexer, value->mutable_shape());
  if (type == "func") LINNET_RETURN_IF_ERROR(lexer.Expect('@'));
  if (type == "int") {
    int64_t integer = 0;
    LINNET_RETURN_IF_ERROR(lexer.TakeInt(&integer));
    value->set_i(integer);
    return absl::OkStatus();
  }
  if (type == "float") {
    double number = 0;
    LINNET_RETURN_IF_ERROR(lexer.TakeNumber(&number));
    value->set_f(static_cast<float>(number));
    return absl::OkStatus();
  }
  std::string word;
  LINNET_RETURN_IF_ERROR(lexer.TakeWord(fmt::format("a value of type {}", type), &word));
  if (type == "string") {
    value->set_s(word);
  } else if (type == "func") {
    value->mutable_func()->set_name(word);
  } else if (type == "bool") {
    value->set_b(word == "true");
  } else if (type == "type") {
    value->set_type(DataTypeFromString(word));
    if (value->type() == tf::DT_INVALID)
      return absl::InvalidArgumentError(fmt::format("'{}' is no TensorFlow type", word));
  } else {
    return absl::InvalidArgumentError(
        fmt::format("attributes of type {} cannot be written as text", type));
  }
  return absl::OkStatus();
}

void Append(const tf::AttrValue& item, tf::AttrValue::ListValue* list) {
  if (item.has_s()) list->add_s(item.s());
  if (item.has_i()) list->add_i(item.i());
  if (item.has_f()) list->add_f(item.f());
  if (item.has_b()) list->add_b(item.b());
  if (item.has_type()) list->add_type(item.type());
  if (item.has_shape()) *list->add_shape() = item.shape();
  if (item.has_func()) *list->add_func() = item.func();
}

absl::Status ParseList(TextLexer& lexer, std::string_view type, tf::AttrValue* value) {
  tf::AttrValue::ListValue* list = value->mutable_list();
  return lexer.TakeList('[', ']', [&] {
    tf::AttrValue item;
    LINNET_RETURN_IF_ERROR(ParseItem(lexer, type.empty() ? GuessType(lexer) : type, &item));
    Append(item, list);
    return absl::OkStatus();
  });
}

}  // namespace

std::string TfAttrsText(const Node& node) {
  tf::NodeDef implied;
  if (node.op_def() != nullptr) {
    std::vector<tf::DataType> types;
    for (const Output input : node.inputs())
      types.push_back(input ? input.node->tf_output_type(input.index) : tf::DT_INVALID);
    InferAttrsFromInputs(*node.op_def(), types, &implied);
    AddDefaults(*node.op_def(), &implied);
  }
  std::vector<std::string> attrs;
  for (const auto& [name, value] : node.tf_attrs()) {
    const auto it = implied.attr().find(name);
    if (it != implied.attr().end() &&
        google::protobuf::util::MessageDifferencer::Equals(it->second, value))
      continue;
    attrs.push_back(fmt::format("{}: {}", name, AttrText(value)));
  }
  return attrs.empty() ? "" : fmt::format(" {{{}}}", fmt::join(attrs, ", "));
}

absl::Status ParseTfAttrs(TextLexer& lexer, const tf::OpDef& op, tf::NodeDef* def) {
  return lexer.TakeList('{', '}', [&] {
    std::string name;
    LINNET_RETURN_IF_ERROR(lexer.TakeWord("an attribute's name", &name));
    LINNET_RETURN_IF_ERROR(lexer.Expect(':'));
    std::string_view type;
    for (const tf::OpDef::AttrDef& attr : op.attr())
      if (attr.name() == name) type = attr.type();
    tf::AttrValue& value = (*def->mutable_attr())[name];
    if (type.starts_with("list(")) return ParseList(lexer, type.substr(5, type.size() - 6), &value);
    if (type.empty() && lexer.Is('[')) return ParseList(lexer, "", &value);
    return ParseItem(lexer, type.empty() ? GuessType(lexer) : type, &value);
  });
}

}  // namespace linnet::converter

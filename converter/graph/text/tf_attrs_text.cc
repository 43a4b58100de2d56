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

// [1,?,3], with or without `shape` before it; `shape<unknown>` has no rank.
absl::Status ParseShape(TextLexer& lexer, tf::TensorShapeProto* shape) {
  if (lexer.IsWord("shape")) lexer.Advance();
  if (lexer.Take('<')) {
    lexer.Advance();
    shape->set_unknown_rank(true);
    return lexer.Is('>') ? lexer.Expect('>') : absl::OkStatus();
  }
  LINNET_TRY(lexer.Expect('['));
  while (!lexer.Take(']')) {
    int64_t dim = -1;
    if (!lexer.Take('?')) LINNET_TRY(lexer.TakeInt(&dim));
    shape->add_dim()->set_size(dim);
    if (!lexer.Is(']')) LINNET_TRY(lexer.Expect(','));
  }
  return absl::OkStatus();
}

// What a value of an attribute that no OpDef knows looks like.
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
  if (type == "func") LINNET_TRY(lexer.Expect('@'));
  if (type == "int") {
    int64_t integer = 0;
    LINNET_TRY(lexer.TakeInt(&integer));
    value->set_i(integer);
    return absl::OkStatus();
  }
  if (type == "float") {
    double number = 0;
    LINNET_TRY(lexer.TakeNumber(&number));
    value->set_f(static_cast<float>(number));
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> word = lexer.TakeWord(fmt::format("a value of type {}", type));
  if (!word.ok()) return word.status();
  if (type == "string") {
    value->set_s(*word);
  } else if (type == "func") {
    value->mutable_func()->set_name(*word);
  } else if (type == "bool") {
    value->set_b(*word == "true");
  } else if (type == "type") {
    value->set_type(DataTypeFromString(*word));
    if (value->type() == tf::DT_INVALID)
      return absl::InvalidArgumentError(fmt::format("'{}' is no TensorFlow type", *word));
  } else {
    return absl::InvalidArgumentError(
        fmt::format("attributes of type {} cannot be written as text", type));
  }
  return absl::OkStatus();
}

void Append(const tf::AttrValue& item, tf::AttrValue::ListValue* list) {
  switch (item.value_case()) {
    case tf::AttrValue::kS:
      list->add_s(item.s());
      break;
    case tf::AttrValue::kI:
      list->add_i(item.i());
      break;
    case tf::AttrValue::kF:
      list->add_f(item.f());
      break;
    case tf::AttrValue::kB:
      list->add_b(item.b());
      break;
    case tf::AttrValue::kType:
      list->add_type(item.type());
      break;
    case tf::AttrValue::kShape:
      *list->add_shape() = item.shape();
      break;
    case tf::AttrValue::kFunc:
      *list->add_func() = item.func();
      break;
    default:
      break;
  }
}

absl::Status ParseList(TextLexer& lexer, std::string_view type, tf::AttrValue* value) {
  LINNET_TRY(lexer.Expect('['));
  value->mutable_list();
  while (!lexer.Take(']')) {
    tf::AttrValue item;
    LINNET_TRY(ParseItem(lexer, type.empty() ? GuessType(lexer) : type, &item));
    Append(item, value->mutable_list());
    if (!lexer.Is(']')) LINNET_TRY(lexer.Expect(','));
  }
  return absl::OkStatus();
}

}  // namespace

std::string TfAttrsText(const Node& node) {
  tf::NodeDef implied;
  if (node.op_def() != nullptr) {
    std::vector<tf::DataType> types;
    for (int slot = 0; slot < node.num_inputs(); ++slot) {
      const Output input = node.input(slot);
      const bool known =
          input && static_cast<size_t>(input.index) < input.node->tf_output_types().size();
      types.push_back(known ? input.node->tf_output_types()[input.index] : tf::DT_INVALID);
    }
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
  LINNET_TRY(lexer.Expect('{'));
  while (!lexer.Take('}')) {
    absl::StatusOr<std::string> name = lexer.TakeWord("an attribute's name");
    if (!name.ok()) return name.status();
    LINNET_TRY(lexer.Expect(':'));
    std::string_view type;
    for (const tf::OpDef::AttrDef& attr : op.attr())
      if (attr.name() == *name) type = attr.type();
    tf::AttrValue& value = (*def->mutable_attr())[*name];
    if (type.starts_with("list(")) {
      LINNET_TRY(ParseList(lexer, type.substr(5, type.size() - 6), &value));
    } else if (type.empty() && lexer.Is('[')) {
      LINNET_TRY(ParseList(lexer, "", &value));
    } else {
      LINNET_TRY(ParseItem(lexer, type.empty() ? GuessType(lexer) : type, &value));
    }
    if (!lexer.Is('}')) LINNET_TRY(lexer.Expect(','));
  }
  return absl::OkStatus();
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/text/constant_text.h"
#include "fmt/format.h"
#include "runtime/core/encoding.h"

namespace linnet::converter {
namespace {

absl::Status ParseEncoding(TextLexer& lexer, ValueSpec* spec) {
  std::string word;
  LINNET_RETURN_IF_ERROR(lexer.TakeWord("an encoding", &word));
  for (const schema::Encoding e : schema::EnumValuesEncoding())
    // Panels are an order of bytes in plans, which values in a graph do not have.
    if (!IsPanels(e) && word == schema::EnumNameEncoding(e))
      return spec->encoding = e, absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("'{}' is no encoding", word));
}

absl::Status ParseSeed(TextLexer& lexer, ValueSpec* spec) {
  spec->kind = ValueSpec::Kind::kSeed;
  int64_t seed = 0;
  LINNET_RETURN_IF_ERROR(lexer.TakeInt(&seed));
  spec->seed = static_cast<uint64_t>(seed);
  if (!lexer.IsWord("min")) return absl::OkStatus();
  lexer.Advance();
  LINNET_RETURN_IF_ERROR(lexer.Expect('='));
  LINNET_RETURN_IF_ERROR(lexer.TakeNumber(&spec->min));
  if (!lexer.IsWord("max")) return lexer.Expected("max=");
  lexer.Advance();
  LINNET_RETURN_IF_ERROR(lexer.Expect('='));
  return lexer.TakeNumber(&spec->max);
}

}  // namespace

absl::Status ParseType(TextLexer& lexer, TensorType* type) {
  *type = {};
  if (lexer.Take('?')) return absl::OkStatus();
  std::string dtype;
  LINNET_RETURN_IF_ERROR(lexer.TakeWord("a type such as f32[1,8]", &dtype));
  for (int i = 1; i < kNumDTypes; ++i)
    if (dtype == DTypeName(static_cast<DType>(i))) type->dtype = static_cast<DType>(i);
  if (type->dtype == DType::kInvalid)
    return absl::InvalidArgumentError(fmt::format("'{}' is no element type", dtype));
  LINNET_RETURN_IF_ERROR(lexer.TakeList('[', ']', [&] {
    int64_t dim = 0;
    LINNET_RETURN_IF_ERROR(lexer.TakeInt(&dim));
    if (type->shape.rank() == kMaxRank) return absl::InvalidArgumentError("the rank is above 8");
    type->shape.Append(dim);
    return absl::OkStatus();
  }));
  int64_t elements = 0;
  if (!type->shape.NumElementsChecked(&elements))
    return absl::InvalidArgumentError("the shape is impossible");
  return absl::OkStatus();
}

absl::Status ParseValue(TextLexer& lexer, ValueSpec* spec) {
  double scale = 0, min = 0;
  while (true) {
    if (lexer.Is('{'))
      return lexer.TakeList('{', '}',
                            [&] { return lexer.TakeWord("a value", &spec->items.emplace_back()); });
    std::string word;
    LINNET_RETURN_IF_ERROR(lexer.TakeWord("values: {1, 2}, 7, fill=7 or seed=7", &word));
    if (!lexer.Take('=')) {
      spec->items = {word};
      return absl::OkStatus();
    }
    if (word == "encoding") {
      LINNET_RETURN_IF_ERROR(ParseEncoding(lexer, spec));
    } else if (word == "scale" || word == "min") {
      LINNET_RETURN_IF_ERROR(lexer.TakeNumber(word == "scale" ? &scale : &min));
      spec->affine = schema::Affine(scale, min);
    } else if (word == "fill") {
      spec->kind = ValueSpec::Kind::kFill;
      return lexer.TakeWord("a value", &spec->items.emplace_back());
    } else if (word == "seed") {
      return ParseSeed(lexer, spec);
    } else if (word == "hash") {
      return absl::InvalidArgumentError(
          "hash= shows that the values are not in the text; use seed=");
    } else {
      return absl::InvalidArgumentError(fmt::format("'{}=' is not known", word));
    }
  }
}

}  // namespace linnet::converter

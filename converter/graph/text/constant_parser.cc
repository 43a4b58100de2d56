// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/text/constant_text.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

absl::Status ParseList(TextLexer& lexer, std::vector<std::string>* items) {
  LINNET_TRY(lexer.Expect('{'));
  while (!lexer.Take('}')) {
    absl::StatusOr<std::string> item = lexer.TakeWord("a value");
    if (!item.ok()) return item.status();
    items->push_back(*std::move(item));
    if (!lexer.Is('}')) LINNET_TRY(lexer.Expect(','));
  }
  return absl::OkStatus();
}

absl::Status ParseEncoding(TextLexer& lexer, ValueSpec* spec) {
  absl::StatusOr<std::string> word = lexer.TakeWord("an encoding");
  if (!word.ok()) return word.status();
  for (const schema::Encoding e : schema::EnumValuesEncoding())
    if (*word == schema::EnumNameEncoding(e)) return spec->encoding = e, absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("'{}' is no encoding", *word));
}

absl::Status ParseSeed(TextLexer& lexer, ValueSpec* spec) {
  spec->kind = ValueSpec::Kind::kSeed;
  int64_t seed = 0;
  LINNET_TRY(lexer.TakeInt(&seed));
  spec->seed = static_cast<uint64_t>(seed);
  if (!lexer.IsWord("min")) return absl::OkStatus();
  lexer.Advance();
  LINNET_TRY(lexer.Expect('='));
  LINNET_TRY(lexer.TakeNumber(&spec->min));
  if (!lexer.IsWord("max")) return lexer.Expected("max=");
  lexer.Advance();
  LINNET_TRY(lexer.Expect('='));
  return lexer.TakeNumber(&spec->max);
}

}  // namespace

absl::Status ParseType(TextLexer& lexer, TensorType* type) {
  *type = {};
  if (lexer.Take('?')) return absl::OkStatus();
  absl::StatusOr<std::string> dtype = lexer.TakeWord("a type such as f32[1,8]");
  if (!dtype.ok()) return dtype.status();
  for (int i = 1; i < kNumDTypes; ++i)
    if (*dtype == DTypeName(static_cast<DType>(i))) type->dtype = static_cast<DType>(i);
  if (type->dtype == DType::kInvalid)
    return absl::InvalidArgumentError(fmt::format("'{}' is no element type", *dtype));
  LINNET_TRY(lexer.Expect('['));
  while (!lexer.Take(']')) {
    int64_t dim = 0;
    LINNET_TRY(lexer.TakeInt(&dim));
    if (type->shape.rank() == kMaxRank) return absl::InvalidArgumentError("the rank is above 8");
    type->shape.Append(dim);
    if (!lexer.Is(']')) LINNET_TRY(lexer.Expect(','));
  }
  int64_t elements = 0;
  if (!type->shape.NumElementsChecked(&elements))
    return absl::InvalidArgumentError("the shape is impossible");
  return absl::OkStatus();
}

absl::Status ParseValue(TextLexer& lexer, ValueSpec* spec) {
  double scale = 0, min = 0;
  while (true) {
    if (lexer.Is('{')) return ParseList(lexer, &spec->items);
    absl::StatusOr<std::string> word = lexer.TakeWord("values: {1, 2}, 7, fill=7 or seed=7");
    if (!word.ok()) return word.status();
    if (!lexer.Take('=')) {
      spec->items = {*word};
      return absl::OkStatus();
    }
    if (*word == "encoding") {
      LINNET_TRY(ParseEncoding(lexer, spec));
    } else if (*word == "scale" || *word == "min") {
      LINNET_TRY(lexer.TakeNumber(*word == "scale" ? &scale : &min));
      spec->affine = schema::Affine(scale, min);
    } else if (*word == "fill") {
      spec->kind = ValueSpec::Kind::kFill;
      word = lexer.TakeWord("a value");
      if (word.ok()) spec->items = {*word};
      return word.status();
    } else if (*word == "seed") {
      return ParseSeed(lexer, spec);
    } else if (*word == "hash") {
      return absl::InvalidArgumentError(
          "hash= shows that the values are not in the text; use seed=");
    } else {
      return absl::InvalidArgumentError(fmt::format("'{}=' is not known", *word));
    }
  }
}

}  // namespace linnet::converter

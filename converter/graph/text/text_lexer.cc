// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/text/text_lexer.h"

#include <cctype>
#include <cstdlib>

#include "fmt/format.h"

namespace linnet::converter {

bool TextLexer::IsWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_./->+").find(c) != std::string_view::npos;
}

void TextLexer::Advance() {
  token_.clear();
  while (at_ < text_.size() &&
         (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '#')) {
    if (text_[at_] == '#')
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    else if (text_[at_++] == '\n')
      ++next_line_;
  }
  start_ = at_;
  line_ = next_line_;
  kind_ = Kind::kEnd;
  if (at_ == text_.size()) return;
  if (text_[at_] == '"') {
    kind_ = Kind::kString;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\n') ++next_line_;
      token_ += text_[at_] == '\\' ? Escape() : text_[at_];
    }
    if (at_ < text_.size()) ++at_;
    return;
  }
  if (!IsWordChar(text_[at_])) {
    kind_ = Kind::kPunctuation;
    token_ = text_[at_++];
    return;
  }
  kind_ = Kind::kWord;
  while (at_ < text_.size() && IsWordChar(text_[at_])) token_ += text_[at_++];
}

// The character that the escape at at_ stands for: \ooo is octal, any other is the character behind
// the backslash. at_ moves to the escape's last character.
char TextLexer::Escape() {
  const auto digit = [this](size_t i) {
    return at_ + i < text_.size() && text_[at_ + i] >= '0' && text_[at_ + i] <= '7'
               ? text_[at_ + i] - '0'
               : -1;
  };
  if (digit(1) >= 0 && digit(2) >= 0 && digit(3) >= 0) {
    const int value = digit(1) * 64 + digit(2) * 8 + digit(3);
    at_ += 3;
    return static_cast<char>(value);
  }
  if (at_ + 1 < text_.size()) ++at_;
  return text_[at_];
}

bool TextLexer::Take(char c) {
  if (!Is(c)) return false;
  Advance();
  return true;
}

absl::Status TextLexer::Expected(std::string_view what) const {
  return absl::InvalidArgumentError(
      fmt::format("want {}, got '{}'", what, kind_ == Kind::kEnd ? "end of text" : token_));
}

absl::Status TextLexer::Expect(char c) {
  return Take(c) ? absl::OkStatus() : Expected(fmt::format("'{}'", c));
}

absl::Status TextLexer::TakeWord(std::string_view what, std::string* out) {
  if (kind_ != Kind::kWord && kind_ != Kind::kString) return Expected(what);
  *out = token_;
  Advance();
  return absl::OkStatus();
}

absl::Status TextLexer::TakeInt(int64_t* out) {
  if (kind_ != Kind::kWord || !ToInt(token_, out)) return Expected("an integer");
  Advance();
  return absl::OkStatus();
}

absl::Status TextLexer::TakeNumber(double* out) {
  if (kind_ != Kind::kWord || !ToNumber(token_, out)) return Expected("a number");
  Advance();
  return absl::OkStatus();
}

bool ToNumber(const std::string& text, double* out) {
  char* end = nullptr;
  *out = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() && !text.empty();
}

std::string TextLexer::TakeBraces() {
  const size_t start = start_;
  for (int depth = 1; depth > 0;) {
    Advance();
    if (kind_ == Kind::kEnd) return "";
    depth += Is('{') - Is('}');
  }
  std::string braces(text_.substr(start, at_ - start));
  Advance();
  return braces;
}

}  // namespace linnet::converter

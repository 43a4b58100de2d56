// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace linnet::converter {

// Tokens of the text form: words (names, numbers, keywords), "quoted strings" and single
// characters. Line breaks are blanks; # starts a comment.
class TextLexer {
 public:
  enum class Kind { kEnd, kWord, kString, kPunctuation };

  explicit TextLexer(std::string_view text) : text_(text) { Advance(); }

  Kind kind() const { return kind_; }
  const std::string& token() const { return token_; }  // of strings without quotes and escapes
  int line() const { return line_; }                   // of the current token, from 1
  void Advance();

  bool IsWord(std::string_view word) const { return kind_ == Kind::kWord && token_ == word; }
  bool Is(char c) const { return kind_ == Kind::kPunctuation && token_[0] == c; }
  // Takes the token when it is `c`.
  bool Take(char c);
  // The same, or an error.
  absl::Status Expect(char c);
  // A word or string that stands for `what` in errors.
  absl::StatusOr<std::string> TakeWord(std::string_view what);
  absl::Status TakeInt(int64_t* out);
  absl::Status TakeNumber(double* out);
  // InvalidArgument "want <what>, got '<token>'".
  absl::Status Expected(std::string_view what) const;

  // The text from the current token, which is '{', to its matching '}', and moves behind it; ""
  // when there is no match.
  std::string TakeBraces();

 private:
  char Escape();

  std::string_view text_;
  size_t at_ = 0;     // behind the current token
  size_t start_ = 0;  // of the current token
  int line_ = 1, next_line_ = 1;
  Kind kind_ = Kind::kEnd;
  std::string token_;
};

// Decimal, whole string.
bool ToInt(const std::string& text, int64_t* out);

}  // namespace linnet::converter

#define LINNET_TRY(expr)                               \
  do {                                                 \
    if (absl::Status s_ = (expr); !s_.ok()) return s_; \
  } while (false)

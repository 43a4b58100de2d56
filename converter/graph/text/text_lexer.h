// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "runtime/core/status.h"  // LINNET_RETURN_IF_ERROR works for absl::Status too

namespace linnet::converter {

// The tokens of the text form: words (names, numbers, keywords), "quoted strings" and single
// characters. A line break is a blank; # starts a comment.
class TextLexer {
 public:
  enum class Kind { kEnd, kWord, kString, kPunctuation };

  explicit TextLexer(std::string_view text) : text_(text) { Advance(); }

  Kind kind() const { return kind_; }
  const std::string& token() const { return token_; }  // of a string: what it stands for
  int line() const { return line_; }                   // of the current token, from 1
  void Advance();

  bool IsWord(std::string_view word) const { return kind_ == Kind::kWord && token_ == word; }
  bool Is(char c) const { return kind_ == Kind::kPunctuation && token_[0] == c; }
  // Moves on when the current token is `c`, and says whether it was.
  bool Take(char c);
  // The same, or an error.
  absl::Status Expect(char c);
  // A word or a string, which errors call `what`.
  absl::Status TakeWord(std::string_view what, std::string* out);
  absl::Status TakeInt(int64_t* out);
  absl::Status TakeNumber(double* out);
  // `open`, items with commas between them (one may follow the last), `close`. take_item() takes
  // one item and returns an absl::Status.
  template <typename TakeItem>
  absl::Status TakeList(char open, char close, const TakeItem& take_item) {
    LINNET_RETURN_IF_ERROR(Expect(open));
    while (!Take(close)) {
      LINNET_RETURN_IF_ERROR(take_item());
      if (!Is(close)) LINNET_RETURN_IF_ERROR(Expect(','));
    }
    return absl::OkStatus();
  }
  // InvalidArgument "want <what>, got '<token>'".
  absl::Status Expected(std::string_view what) const;

  // Moves behind the '}' that matches the current token, a '{', and returns the text from one to
  // the other; "" when there is no match.
  std::string TakeBraces();

  // Whether words may contain `c`.
  static bool IsWordChar(char c);

 private:
  char Escape();

  std::string_view text_;
  size_t at_ = 0;     // behind the current token
  size_t start_ = 0;  // of the current token
  int line_ = 1, next_line_ = 1;
  Kind kind_ = Kind::kEnd;
  std::string token_;
};

// These read a number that takes up the whole text; false for other texts. Integers are decimal.
template <typename Int>
bool ToInt(const std::string& text, Int* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}
bool ToNumber(const std::string& text, double* out);

}  // namespace linnet::converter

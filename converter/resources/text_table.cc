// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/text_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "converter/graph/string_constant.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// The elements of a column, as the table's dtype has them.
using Elements = std::variant<std::vector<std::string>, std::vector<int32_t>, std::vector<int64_t>,
                              std::vector<float>, std::vector<double>>;

bool Parse(std::string_view text, float* value) {
  return absl::SimpleAtof({text.data(), text.size()}, value);
}
bool Parse(std::string_view text, double* value) {
  return absl::SimpleAtod({text.data(), text.size()}, value);
}
template <typename Integer>
bool Parse(std::string_view text, Integer* value) {
  return absl::SimpleAtoi(absl::string_view(text.data(), text.size()), value);
}

bool Append(std::string_view text, std::vector<std::string>* to) {
  to->emplace_back(text);
  return true;
}
template <typename T>
bool Append(std::string_view text, std::vector<T>* to) {
  return Parse(text, &to->emplace_back());
}

absl::Status MakeElements(const TextTableFormat::Column& column, Elements* elements) {
  switch (column.type) {
    case tf::DT_STRING:
      elements->emplace<std::vector<std::string>>();
      break;
    case tf::DT_INT32:
      elements->emplace<std::vector<int32_t>>();
      break;
    case tf::DT_INT64:
      elements->emplace<std::vector<int64_t>>();
      break;
    case tf::DT_FLOAT:
      elements->emplace<std::vector<float>>();
      break;
    case tf::DT_DOUBLE:
      elements->emplace<std::vector<double>>();
      break;
    default:
      return absl::InvalidArgumentError(
          fmt::format("Data type {} not supported.", DataTypeString(column.type)));
  }
  if (column.index < kWholeLine)
    return absl::InvalidArgumentError(fmt::format("Invalid column index {}", column.index));
  if (column.index == kLineNumber && column.type != tf::DT_INT64)
    return absl::InvalidArgumentError("line numbers are int64");
  return absl::OkStatus();
}

// The lines of a file: '\n' ends them, '\r' is nothing.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  bool Next(std::string* line) {
    if (text_.empty()) return false;
    const size_t end = std::min(text_.find('\n'), text_.size());
    line->assign(text_.substr(0, end));
    std::erase(*line, '\r');
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return true;
  }

 private:
  std::string_view text_;
};

std::vector<std::string_view> Split(std::string_view line, char delimiter) {
  std::vector<std::string_view> tokens;
  while (true) {
    const size_t end = line.find(delimiter);
    tokens.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return tokens;
    line.remove_prefix(end + 1);
  }
}

class Reader {
 public:
  explicit Reader(const TextTableFormat& format) : format_(format) {}

  absl::Status Read(std::string_view text) {
    for (const auto& [column, elements] :
         {std::pair(&format_.key, &keys_), std::pair(&format_.value, &values_)})
      if (absl::Status s = MakeElements(*column, elements); !s.ok()) return s;
    Lines lines(text);
    for (std::string line; number_ != format_.vocab_size && lines.Next(&line); ++number_)
      if (absl::Status s = ReadLine(line); !s.ok()) return s;
    if (number_ == 0) return absl::InvalidArgumentError("the vocabulary is empty");
    if (format_.vocab_size >= 0 && number_ < format_.vocab_size)
      return absl::InvalidArgumentError(
          fmt::format("Invalid vocab_size: expected {} but got {}", format_.vocab_size, number_));
    return absl::OkStatus();
  }

  absl::StatusOr<Output> AddTo(Graph* graph, const char* name, bool keys) {
    const auto length = Shape{number_};
    const std::string unique = graph->UniqueName(name);
    return std::visit(
        [&](auto& elements) -> absl::StatusOr<Output> {
          using T = typename std::decay_t<decltype(elements)>::value_type;
          if constexpr (std::is_same_v<T, std::string>) {
            absl::StatusOr<Node*> node = AddStrings(graph, unique, {length, std::move(elements)});
            if (!node.ok()) return node.status();
            return Output{*node, 0};
          } else {
            return Output{graph->AddConstant(unique, Constant::Of<T>(length, std::move(elements))),
                          0};
          }
        },
        keys ? keys_ : values_);
  }

 private:
  absl::Status ReadLine(std::string_view line) {
    if (line.empty())
      return absl::InvalidArgumentError(
          fmt::format("Invalid content: empty line found at line {}", number_));
    const int64_t last = std::max(format_.key.index, format_.value.index);
    std::vector<std::string_view> tokens;
    if (last >= 0) tokens = Split(line, format_.delimiter);
    if (last >= static_cast<int64_t>(tokens.size()))
      return absl::InvalidArgumentError(
          fmt::format("Invalid number of columns in line {}: expected {} got {}", number_,
                      static_cast<uint64_t>(last) + 1, tokens.size()));
    if (absl::Status s = Take(line, tokens, format_.key, &keys_); !s.ok()) return s;
    return Take(line, tokens, format_.value, &values_);
  }

  absl::Status Take(std::string_view line, const std::vector<std::string_view>& tokens,
                    const TextTableFormat::Column& column, Elements* elements) const {
    if (column.index == kLineNumber) {
      std::get<std::vector<int64_t>>(*elements).push_back(static_cast<int64_t>(
          static_cast<uint64_t>(number_) + static_cast<uint64_t>(format_.offset)));
      return absl::OkStatus();
    }
    const std::string_view text =
        column.index == kWholeLine ? line : tokens[static_cast<size_t>(column.index)];
    if (std::visit([&](auto& to) { return Append(text, &to); }, *elements)) return absl::OkStatus();
    return absl::InvalidArgumentError(fmt::format("Field {} in line {} is not a valid {}.", text,
                                                  number_, DataTypeString(column.type)));
  }

  const TextTableFormat& format_;
  Elements keys_, values_;
  int64_t number_ = 0;  // of the line
};

}  // namespace

absl::Status ReadTextTable(std::string_view text, const TextTableFormat& format, Graph* graph,
                           Output* keys, Output* values) {
  Reader reader(format);
  if (absl::Status s = reader.Read(text); !s.ok()) return s;
  for (Output* column : {keys, values}) {
    const bool is_keys = column == keys;
    absl::StatusOr<Output> added = reader.AddTo(graph, is_keys ? "keys" : "values", is_keys);
    if (!added.ok()) return added.status();
    *column = *added;
  }
  return absl::OkStatus();
}

}  // namespace linnet::converter

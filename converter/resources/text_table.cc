// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/text_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "converter/graph/string_constant.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// The elements of a column, with the table's dtype.
using Elements = std::variant<std::vector<std::string>, std::vector<int32_t>, std::vector<int64_t>,
                              std::vector<float>, std::vector<double>>;

bool Parse(absl::string_view text, std::string* value) {
  value->assign(text.data(), text.size());
  return true;
}
bool Parse(absl::string_view text, float* value) { return absl::SimpleAtof(text, value); }
bool Parse(absl::string_view text, double* value) { return absl::SimpleAtod(text, value); }
template <typename Integer>
bool Parse(absl::string_view text, Integer* value) {
  return absl::SimpleAtoi(text, value);
}

absl::Status MakeElements(const TextTableFormat::Column& column, Elements* elements) {
  static const std::map<tf::DataType, Elements> kEmpty = {
      {tf::DT_STRING, std::vector<std::string>()}, {tf::DT_INT32, std::vector<int32_t>()},
      {tf::DT_INT64, std::vector<int64_t>()},      {tf::DT_FLOAT, std::vector<float>()},
      {tf::DT_DOUBLE, std::vector<double>()},
  };
  const auto empty = kEmpty.find(column.type);
  if (empty == kEmpty.end())
    return absl::InvalidArgumentError(
        fmt::format("Data type {} not supported.", DataTypeString(column.type)));
  *elements = empty->second;
  if (column.index < kWholeLine)
    return absl::InvalidArgumentError(fmt::format("Invalid column index {}", column.index));
  if (column.index == kLineNumber && column.type != tf::DT_INT64)
    return absl::InvalidArgumentError("line numbers are int64");
  return absl::OkStatus();
}

class Reader {
 public:
  explicit Reader(const TextTableFormat& format) : format_(format) {}

  absl::Status Read(std::string_view text) {
    if (absl::Status s = MakeElements(format_.key, &keys_); !s.ok()) return s;
    if (absl::Status s = MakeElements(format_.value, &values_); !s.ok()) return s;
    for (std::string line; number_ != format_.vocab_size && !text.empty(); ++number_) {
      const size_t end = std::min(text.find('\n'), text.size());
      line.assign(text.substr(0, end));
      std::erase(line, '\r');
      text.remove_prefix(std::min(end + 1, text.size()));
      if (absl::Status s = ReadLine(line); !s.ok()) return s;
    }
    if (number_ == 0) return absl::InvalidArgumentError("the vocabulary is empty");
    if (format_.vocab_size >= 0 && number_ < format_.vocab_size)
      return absl::InvalidArgumentError(
          fmt::format("Invalid vocab_size: expected {} but got {}", format_.vocab_size, number_));
    return absl::OkStatus();
  }

  absl::Status AddTo(Graph* graph, Output* keys, Output* values) {
    if (absl::Status s = AddColumn(graph, "keys", &keys_, keys); !s.ok()) return s;
    return AddColumn(graph, "values", &values_, values);
  }

 private:
  absl::Status AddColumn(Graph* graph, const char* name, Elements* elements, Output* column) const {
    const std::string unique = graph->UniqueName(name);
    const auto add = [&](auto& list) -> absl::StatusOr<Node*> {
      using T = typename std::decay_t<decltype(list)>::value_type;
      if constexpr (std::is_same_v<T, std::string>)
        return AddStrings(graph, unique, {Shape{number_}, std::move(list)});
      else
        return graph->AddConstant(unique, Constant::Of<T>(Shape{number_}, std::move(list)));
    };
    const absl::StatusOr<Node*> node = std::visit(add, *elements);
    if (!node.ok()) return node.status();
    *column = {*node, 0};
    return absl::OkStatus();
  }

  absl::Status ReadLine(const std::string& line) {
    if (line.empty())
      return absl::InvalidArgumentError(
          fmt::format("Invalid content: empty line found at line {}", number_));
    const int64_t last = std::max(format_.key.index, format_.value.index);
    std::vector<absl::string_view> tokens;
    if (last >= 0) tokens = absl::StrSplit(line, format_.delimiter);
    if (last >= std::ssize(tokens))
      return absl::InvalidArgumentError(
          fmt::format("Invalid number of columns in line {}: expected {} got {}", number_,
                      static_cast<uint64_t>(last) + 1, tokens.size()));
    if (absl::Status s = Take(line, tokens, format_.key, &keys_); !s.ok()) return s;
    return Take(line, tokens, format_.value, &values_);
  }

  absl::Status Take(absl::string_view line, const std::vector<absl::string_view>& tokens,
                    const TextTableFormat::Column& column, Elements* elements) const {
    if (column.index == kLineNumber) {
      std::get<std::vector<int64_t>>(*elements).push_back(static_cast<int64_t>(
          static_cast<uint64_t>(number_) + static_cast<uint64_t>(format_.offset)));
      return absl::OkStatus();
    }
    const absl::string_view text = column.index == kWholeLine ? line : tokens[column.index];
    const auto append = [&](auto& list) { return Parse(text, &list.emplace_back()); };
    if (std::visit(append, *elements)) return absl::OkStatus();
    return absl::InvalidArgumentError(fmt::format("Field {} in line {} is not a valid {}.",
                                                  std::string(text), number_,
                                                  DataTypeString(column.type)));
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
  return reader.AddTo(graph, keys, values);
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/input_flag.h"

#include <charconv>

#include "fmt/format.h"
#include "runtime/core/shape.h"

namespace linnet::cli {
namespace {

constexpr int64_t kAsModelSays = -1;

struct Range {
  int64_t smallest = 0, largest = 0;
};

absl::StatusOr<int64_t> ParseExtent(std::string_view text, const std::string& flag) {
  if (const std::optional<int64_t> extent = ParseNumber(text)) return *extent;
  return absl::InvalidArgumentError(fmt::format(
      "--input {}: '{}' is no extent; write NAME=1x224x224x3, NAME=?x3, NAME=1x1..128 or "
      "NAME=scalar",
      flag, text));
}

// "3", "1..128", "?".
absl::StatusOr<Range> ParseDim(std::string_view text, const std::string& flag) {
  if (text == "?" || text == "-1") return Range{kAsModelSays, kAsModelSays};
  const size_t dots = text.find("..");
  const absl::StatusOr<int64_t> first = ParseExtent(text.substr(0, dots), flag);
  const absl::StatusOr<int64_t> last =
      dots == std::string_view::npos ? first : ParseExtent(text.substr(dots + 2), flag);
  if (!first.ok()) return first.status();
  if (!last.ok()) return last.status();
  if (*first <= *last) return Range{*first, *last};
  return absl::InvalidArgumentError(fmt::format("--input {}: the range {} is empty", flag, text));
}

}  // namespace

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t value = 0;
  const char* const all = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), all, value);
  if (error != std::errc() || end != all || value < 0) return std::nullopt;
  return value;
}

absl::StatusOr<converter::Feed> ParseInputFlag(const std::string& text) {
  const size_t equals = text.rfind('=');
  converter::Feed feed;
  feed.tensor = text.substr(0, equals);
  if (feed.tensor.empty())
    return absl::InvalidArgumentError(fmt::format("--input {}: the name is missing", text));
  if (equals == std::string::npos) return feed;
  std::string_view dims = std::string_view(text).substr(equals + 1);
  feed.shape.emplace();
  if (dims == "scalar") return feed;
  bool varies = false;
  for (;;) {
    const size_t cross = dims.find('x');
    const absl::StatusOr<Range> dim = ParseDim(dims.substr(0, cross), text);
    if (!dim.ok()) return dim.status();
    feed.shape->push_back(dim->largest);
    feed.smallest.push_back(dim->smallest);
    varies = varies || dim->smallest != dim->largest;
    if (cross == std::string_view::npos) break;
    dims.remove_prefix(cross + 1);
  }
  if (feed.shape->size() > static_cast<size_t>(kMaxRank))
    return absl::InvalidArgumentError(fmt::format(
        "--input {}: {} dimensions, at most {} are possible", text, feed.shape->size(), kMaxRank));
  if (!varies) feed.smallest.clear();
  return feed;
}

absl::Status ParseMaxFlag(const std::string& text,
                          std::map<std::string, int64_t, std::less<>>* most) {
  const size_t equals = text.rfind('=');
  const std::optional<int64_t> value = ParseNumber(std::string_view(text).substr(equals + 1));
  if (equals == std::string::npos || equals == 0 || !value)
    return absl::InvalidArgumentError(
        fmt::format("--max {}: write NAME=N, the largest number that NAME can be", text));
  (*most)[text.substr(0, equals)] = *value;
  return absl::OkStatus();
}

}  // namespace linnet::cli

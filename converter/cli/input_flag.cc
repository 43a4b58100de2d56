// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/input_flag.h"

#include <charconv>
#include <string_view>

#include "fmt/format.h"
#include "runtime/core/shape.h"

namespace linnet::cli {
namespace {

constexpr int64_t kAsModelSays = -1;

absl::StatusOr<int64_t> ParseDim(std::string_view text, const std::string& flag) {
  if (text == "?" || text == "-1") return kAsModelSays;
  if (text.find("..") != std::string_view::npos)
    return absl::InvalidArgumentError(fmt::format(
        "--input {}: ranges of extents are not supported yet; give one number instead of {}", flag,
        text));
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
    return absl::InvalidArgumentError(fmt::format(
        "--input {}: '{}' is no extent; write NAME=1x224x224x3, NAME=?x3 or NAME=scalar", flag,
        text));
  return value;
}

}  // namespace

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
  for (;;) {
    const size_t cross = dims.find('x');
    const absl::StatusOr<int64_t> dim = ParseDim(dims.substr(0, cross), text);
    if (!dim.ok()) return dim.status();
    feed.shape->push_back(*dim);
    if (cross == std::string_view::npos) break;
    dims.remove_prefix(cross + 1);
  }
  if (feed.shape->size() > static_cast<size_t>(kMaxRank))
    return absl::InvalidArgumentError(fmt::format(
        "--input {}: {} dimensions, at most {} are possible", text, feed.shape->size(), kMaxRank));
  return feed;
}

}  // namespace linnet::cli

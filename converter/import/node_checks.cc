// SPDX-License-Identifier: Apache-2.0
#include "converter/import/node_checks.h"

#include <algorithm>
#include <cctype>

#include "converter/graph/tensorflow/op_registry.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool IsNameStart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.'; }
bool IsNameChar(char c) { return IsNameStart(c) || c == '_' || c == '-' || c == '/'; }

}  // namespace

TensorId ParseTensorName(std::string_view text) {
  if (text.starts_with('^')) return {std::string(text.substr(1)), kControlSlot};
  size_t digits = text.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1])) != 0) --digits;
  // ":0" alone is a name, since there must be something before the colon.
  if (digits == text.size() || digits < 2 || text[digits - 1] != ':') return {std::string(text), 0};
  int64_t slot = 0;  // a number that does not fit becomes one that no node has
  for (size_t i = digits; i < text.size(); ++i)
    slot = std::min<int64_t>(slot * 10 + (text[i] - '0'), 1 << 30);
  return {std::string(text.substr(0, digits - 1)), static_cast<int>(slot)};
}

bool IsValidNodeName(std::string_view name, bool allow_internal_ops) {
  if (name.empty() || !(IsNameStart(name[0]) || (allow_internal_ops && name[0] == '_')))
    return false;
  for (size_t i = 1; i < name.size(); ++i) {
    if (IsNameChar(name[i])) continue;
    // The part behind '>' begins as a name does.
    if (name[i] != '>' || i + 1 == name.size() || !IsNameStart(name[i + 1])) return false;
  }
  return true;
}

absl::Status CheckVersions(const tf::VersionDef& versions) {
  const int producer = versions.producer();
  if (producer < 0)
    return absl::InvalidArgumentError(
        fmt::format("GraphDef producer version {} below min producer 0 supported by TensorFlow "
                    "2.x.  Please regenerate your graph.",
                    producer));
  if (versions.min_consumer() > kGraphDefVersion)
    return absl::InvalidArgumentError(
        fmt::format("GraphDef min consumer version {} above current version {} for TensorFlow 2.x. "
                    " Please upgrade TensorFlow.",
                    versions.min_consumer(), kGraphDefVersion));
  if (std::ranges::count(versions.bad_consumers(), kGraphDefVersion) > 0)
    return absl::InvalidArgumentError(
        fmt::format("GraphDef disallows consumer version {}.  Please upgrade TensorFlow: this "
                    "version is likely buggy.",
                    kGraphDefVersion));
  return absl::OkStatus();
}

void CheckNodeSyntax(const tf::NodeDef& def, const ConstructorOptions& options,
                     Problems* problems) {
  const auto fail = [&](std::string_view what) {
    problems->Add({.reason = fmt::format("Node '{}'{}", def.name(), what)});
  };
  if (!IsValidNodeName(def.name(), options.allow_internal_ops))
    fail(": Node name contains invalid characters");
  if (def.op().empty()) fail(" does not specify an operation");
  if (options.expect_device_spec && def.device().empty())
    fail(" is missing a device specification");
  bool seen_control = false;
  for (const std::string& input : def.input()) {
    if (input.starts_with('^')) {
      seen_control = true;
    } else if (seen_control) {
      fail(": Control dependencies must come after regular dependencies");
      break;
    }
  }
}

}  // namespace linnet::converter

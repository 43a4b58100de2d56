// SPDX-License-Identifier: Apache-2.0
#include "converter/place/device_name.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "absl/strings/ascii.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

class NameParser {
 public:
  NameParser(std::string_view text, DeviceName* name) : rest_(text), name_(*name) {}

  bool Parse() {
    if (rest_ == "/") return true;
    while (!rest_.empty())
      if (!ParsePart()) return false;
    return true;
  }

 private:
  bool ParsePart() {
    if (Take("/job:")) return TakeWord(&name_.job);
    if (Take("/replica:")) return TakeNumber(&name_.replica);
    if (Take("/task:")) return TakeNumber(&name_.task);
    if (Take("/device:")) return TakeWord(&name_.type) && (!Take(":") || TakeNumber(&name_.id));
    if (Take("/cpu:") || Take("/CPU:")) return TakeOldForm("CPU");
    if (Take("/gpu:") || Take("/GPU:")) return TakeOldForm("GPU");
    return false;
  }

  bool TakeOldForm(const char* type) {
    name_.type = type;
    return TakeNumber(&name_.id);
  }

  bool Take(std::string_view prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }

  // Letters, digits and '_', a letter first.
  bool TakeWord(std::optional<std::string>* part) {
    part->reset();
    if (Take("*")) return true;
    if (rest_.empty() || !absl::ascii_isalpha(rest_[0])) return false;
    const auto end =
        std::ranges::find_if_not(rest_, [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
    *part = std::string(rest_.begin(), end);
    rest_.remove_prefix((*part)->size());
    return true;
  }

  bool TakeNumber(std::optional<int>* part) {
    part->reset();
    if (Take("*")) return true;
    int number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc() || number < 0) return false;
    *part = number;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return true;
  }

  std::string_view rest_;
  DeviceName& name_;
};

template <typename Part>
bool PartFits(const std::optional<Part>& pattern, const std::optional<Part>& part) {
  return !pattern.has_value() || pattern == part;
}

template <typename Part>
bool Conflicts(const std::optional<Part>& a, const std::optional<Part>& b) {
  return a.has_value() && b.has_value() && a != b;
}

}  // namespace

absl::StatusOr<DeviceName> ParseDeviceName(std::string_view text) {
  DeviceName name;
  if (NameParser(text, &name).Parse()) return name;
  return absl::InvalidArgumentError(fmt::format("Malformed device specification '{}'", text));
}

std::string ToString(const DeviceName& name) {
  std::string text;
  if (name.job.has_value()) text += fmt::format("/job:{}", *name.job);
  if (name.replica.has_value()) text += fmt::format("/replica:{}", *name.replica);
  if (name.task.has_value()) text += fmt::format("/task:{}", *name.task);
  if (name.type.has_value() || name.id.has_value())
    text += fmt::format("/device:{}:{}", name.type.value_or("*"),
                        name.id.has_value() ? std::to_string(*name.id) : "*");
  return text;
}

DeviceName Override(DeviceName name, const DeviceName& by) {
  const auto take_over = [](auto& part, const auto& other) {
    if (other.has_value()) part = other;
  };
  take_over(name.job, by.job);
  take_over(name.replica, by.replica);
  take_over(name.task, by.task);
  take_over(name.type, by.type);
  take_over(name.id, by.id);
  return name;
}

bool Fits(const DeviceName& pattern, const DeviceName& name) {
  return PartFits(pattern.job, name.job) && PartFits(pattern.replica, name.replica) &&
         PartFits(pattern.task, name.task) && PartFits(pattern.type, name.type) &&
         PartFits(pattern.id, name.id);
}

absl::Status Merge(const DeviceName& other, NameConflict conflict, DeviceName* target) {
  const auto fail = [&](const char* parts) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot merge devices with incompatible {}: '{}' and '{}'", parts,
                    ToString(*target), ToString(other)));
  };
  if (Conflicts(target->job, other.job)) return fail("jobs");
  if (Conflicts(target->replica, other.replica)) return fail("replicas");
  if (Conflicts(target->task, other.task)) return fail("tasks");
  const bool types = Conflicts(target->type, other.type), ids = Conflicts(target->id, other.id);
  const bool soft = conflict == NameConflict::kDropKindAndId;
  if (types && !soft) return fail("types");
  if (ids && !types && !soft) return fail("ids");
  *target = Override(std::move(*target), other);
  if (types) target->type.reset();
  if (types || ids) target->id.reset();  // the number of a device means nothing without its type
  return absl::OkStatus();
}

}  // namespace linnet::converter

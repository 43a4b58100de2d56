// SPDX-License-Identifier: Apache-2.0
#include "converter/place/device_name.h"

#include <charconv>

#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

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

  bool TakeWord(std::optional<std::string>* part) {
    part->reset();
    if (Take("*")) return true;
    size_t size = 0;
    while (size < rest_.size() &&
           (IsLetter(rest_[size]) || rest_[size] == '_' || (size > 0 && IsDigit(rest_[size]))))
      ++size;
    if (size == 0 || rest_[0] == '_') return false;
    *part = rest_.substr(0, size);
    rest_.remove_prefix(size);
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

template <typename Part>
void TakeOver(const std::optional<Part>& other, std::optional<Part>* part) {
  if (other.has_value()) *part = other;
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
  TakeOver(other.job, &target->job);
  TakeOver(other.replica, &target->replica);
  TakeOver(other.task, &target->task);
  TakeOver(other.type, &target->type);
  TakeOver(other.id, &target->id);
  if (types) target->type.reset();
  if (types || ids) target->id.reset();  // the number of a device means nothing without its type
  return absl::OkStatus();
}

DeviceName Override(DeviceName name, const DeviceName& by) {
  if (by.job.has_value()) name.job = by.job;
  if (by.replica.has_value()) name.replica = by.replica;
  if (by.task.has_value()) name.task = by.task;
  if (by.type.has_value()) name.type = by.type;
  if (by.id.has_value()) name.id = by.id;
  return name;
}

}  // namespace linnet::converter

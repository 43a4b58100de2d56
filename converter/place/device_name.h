// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace linnet::converter {

// TensorFlow's name of a device, or of several: "/job:a/replica:0/task:0/device:GPU:0". A part that
// is absent, or "*" in the text, matches every device.
struct DeviceName {
  std::optional<std::string> job;
  std::optional<int> replica, task;
  std::optional<std::string> type;  // "CPU", "GPU"
  std::optional<int> id;

  bool empty() const { return *this == DeviceName(); }
  friend bool operator==(const DeviceName&, const DeviceName&) = default;
};

// Any subset of the parts in any order, and the old forms "/cpu:0", "/gpu:*". "" and "/" have no
// parts. InvalidArgument "Malformed device specification '/foo:bar'".
absl::StatusOr<DeviceName> ParseDeviceName(std::string_view text);

// "/job:a/replica:0/task:0/device:GPU:0"; a type without id reads "/device:GPU:*".
std::string ToString(const DeviceName& name);

// Does `name` have every part that `pattern` has, with the same value?
bool Fits(const DeviceName& pattern, const DeviceName& name);

// What Merge does about a conflict. kDropKindAndId: type and id, which say which device of a
// machine is meant, are dropped where they are in conflict, as soft placement does; other parts are
// errors.
enum class NameConflict { kIsError, kDropKindAndId };

// Adds the parts of `other` to `target`. InvalidArgument "Cannot merge devices with incompatible
// types: '/device:CPU:*' and '/device:GPU:*'" (jobs, replicas, tasks, ids likewise); `target` is
// unchanged then.
absl::Status Merge(const DeviceName& other, NameConflict conflict, DeviceName* target);

// `name` with every part that `by` has replaced by it.
DeviceName Override(DeviceName name, const DeviceName& by);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace linnet::converter {

// The names of nodes that come out of a function, a loop or a branch begin with the name of the
// node that calls it, so a few lines of an untrusted model could ask for gigabytes of names. Their
// bytes count against the same limit as constants that the conversion makes
// (PassContext::constant_room).

// What a name of `bytes` bytes costs. Up to kFree bytes, longer than names of real models are, it
// costs nothing, as the number of nodes is limited too. A longer name is kept about kTimes times:
// in the node, its sources, edges of functions, the plan and its report.
inline int64_t NameCost(int64_t bytes) {
  constexpr int64_t kFree = 256, kTimes = 8;
  return kTimes * std::max<int64_t>(0, bytes - kFree);
}

// Subtracts the cost of names that begin with `prefix` from *room; ResourceExhausted, with *room as
// it was, where that is not enough. A null `room` is no limit.
inline absl::Status TakeNames(std::string_view prefix, int64_t cost, int64_t* room) {
  if (room == nullptr || cost == 0) return absl::OkStatus();
  if (cost <= *room) return *room -= cost, absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("what it calls would be named after it, whose name has {} bytes, and such names "
                  "get too long together; give it, and the calls around it, shorter names",
                  prefix.size()));
}

}  // namespace linnet::converter

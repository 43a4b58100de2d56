// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace linnet::converter {

// What comes out of a function, a loop or a branch begins with the name of the node that calls it,
// so that a few lines could ask for gigabytes of names. They take from the same room as constants
// that the conversion makes (PassContext::constant_room).

// Of a name of `bytes` that the conversion makes. As long as honest models have them they cost
// nothing: how many nodes there may be bounds those. The others stand in a node, its sources, edges
// of functions, the plan and its report.
inline int64_t NameCost(int64_t bytes) {
  constexpr int64_t kFree = 256, kTimes = 8;
  return kTimes * std::max<int64_t>(0, bytes - kFree);
}

// Takes the cost of names of which many are `prefix` again and again from *room; ResourceExhausted,
// and nothing is taken, where that is too much. Null: no bound.
inline absl::Status TakeNames(std::string_view prefix, int64_t cost, int64_t* room) {
  if (room == nullptr || cost == 0) return absl::OkStatus();
  if (cost <= *room) return *room -= cost, absl::OkStatus();
  return absl::ResourceExhaustedError(
      fmt::format("what it calls would be named after it, whose name has {} bytes, and such names "
                  "get too long together; give it, and the calls around it, shorter names",
                  prefix.size()));
}

}  // namespace linnet::converter

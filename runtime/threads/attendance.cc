// SPDX-License-Identifier: Apache-2.0
#include "runtime/threads/attendance.h"

#include <algorithm>

namespace linnet {

void Attendance::Stalled(int64_t now, int64_t waited, int64_t helped) {
  constexpr int64_t kLongest = 250'000'000;
  if (helped >= waited) {
    excuse_ = 0;
    return;
  }
  excuse_ = std::min(std::max(waited, 2 * excuse_), kLongest);
  excused_until_ = now + excuse_;
}

void Attendance::Woken(int64_t now, int64_t after) {
  constexpr int64_t kFirst = 500'000, kLongest = 16'000'000;
  if (after <= kLateNs) {
    lateness_ = 0;
    return;
  }
  lateness_ = std::min(std::max(kFirst, 2 * lateness_), kLongest);
  late_until_ = now + lateness_;
}

void Stay::LostCore(int64_t had) {
  constexpr int64_t kShortest = 200'000;  // ten times the time of falling asleep and waking up
  limit_ = std::clamp(had / 2, kShortest, kLongest);
}

void Stay::Left() { limit_ = std::min(limit_ + limit_ / 16, kLongest); }

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace linnet::vulkan {

// Bytes of one buffer that a dispatch may read, or may read and write.
struct Access {
  int buffer = 0;
  int64_t begin = 0;
  int64_t end = 0;  // behind the last byte
  bool written = false;
};

// Of dispatches in the order in which they are recorded, finds those that must not start before the
// dispatches before them have ended: they read what was written, write what was read, or write what
// was written, since the last barrier.
class HazardFinder {
 public:
  // Does the next dispatch, which does all of `accesses`, need a barrier before it? The spans of
  // all dispatches must stay valid until a barrier was needed.
  bool NeedsBarrier(std::span<const Access> accesses);

 private:
  // More dispatches than this do not run at the same time on any device worth mentioning. The limit
  // keeps the search linear in the number of dispatches.
  static constexpr int kMost = 64;

  std::span<const Access> since_[kMost];  // the dispatches since the last barrier
  int count_ = 0;
};

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "runtime/kernels/gemm_split.h"
#include "runtime/strips/strip_chain.h"
#include "runtime/threads/share.h"

namespace linnet::portable {

// How the threads of a job share strips. Each begins with a share of strips that follow each other,
// and takes them from the front: rows that two strips read are then made once. A thread that has
// none left takes the last half of the longest share, because where a thread begins anew it makes
// such rows again.
class StripShares {
 public:
  // Equal shares of [0, strips), at most Share::kMostTasks, for `members` threads.
  StripShares(int64_t members, int64_t strips) : members_(members) {
    for (int64_t i = 0; i < members; ++i)
      shares_[i].strips.Fill(static_cast<uint32_t>(FirstStripOf(i, members, strips)),
                             static_cast<uint32_t>(FirstStripOf(i + 1, members, strips)));
  }

  // Before the first Next: other threads leave a part of this share to the member.
  void Join(int64_t member) { shares_[member].has_joined.store(true, std::memory_order_relaxed); }

  // The next strip, from another share when the own one is empty. False when all are taken.
  bool Next(int64_t member, uint32_t* strip) {
    do {
      if (shares_[member].strips.TakeFront(strip)) return true;
    } while (TakeFromLongest(member));
    return false;
  }

 private:
  struct alignas(64) Member {
    Share strips;
    std::atomic<bool> has_joined = false;
  };

  bool TakeFromLongest(int64_t member) {
    for (;;) {
      Member* longest = &shares_[0];
      for (int64_t i = 1; i < members_; ++i)
        if (shares_[i].strips.left() > longest->strips.left()) longest = &shares_[i];
      if (longest->strips.left() == 0) return false;
      // A thread that has not come yet may never do so.
      const bool is_shared = longest->has_joined.load(std::memory_order_relaxed);
      uint32_t begin, end;
      if (!longest->strips.TakePart(is_shared ? 2 : 1, &begin, &end)) continue;
      shares_[member].strips.Fill(begin, end);
      return true;
    }
  }

  const int64_t members_;
  std::array<Member, kernels::kMaxGemmSlots> shares_;
};

}  // namespace linnet::portable

// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/allocate_in_time.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace linnet::planner {
namespace {

// What is free below the end of the arena. Gaps never touch each other.
class FreeList {
 public:
  int64_t Take(int64_t bytes) {
    const auto tightest = by_size_.lower_bound({bytes, 0});
    if (tightest == by_size_.end()) return TakeAtEnd(bytes);
    const auto [size, offset] = *tightest;
    Remove(gaps_.find(offset));
    if (size > bytes) Add(offset + bytes, size - bytes);
    return offset;
  }

  void Give(int64_t offset, int64_t bytes) {
    auto next = gaps_.lower_bound(offset);
    if (next != gaps_.end() && next->first == offset + bytes) {
      bytes += next->second;
      next = Remove(next);
    }
    if (next != gaps_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == offset) {
        offset = before->first;
        bytes += before->second;
        Remove(before);
      }
    }
    Add(offset, bytes);
  }

 private:
  using Gaps = std::map<int64_t, int64_t>;  // offset -> bytes

  // The last gap may reach the end, which then moves by less.
  int64_t TakeAtEnd(int64_t bytes) {
    int64_t offset = end_;
    if (!gaps_.empty()) {
      const auto last = std::prev(gaps_.end());
      if (last->first + last->second == end_) {
        offset = last->first;
        Remove(last);
      }
    }
    end_ = offset + bytes;
    return offset;
  }
  void Add(int64_t offset, int64_t bytes) {
    gaps_.emplace(offset, bytes);
    by_size_.emplace(bytes, offset);
  }
  Gaps::iterator Remove(Gaps::iterator gap) {
    by_size_.erase({gap->second, gap->first});
    return gaps_.erase(gap);
  }

  Gaps gaps_;
  std::set<std::pair<int64_t, int64_t>> by_size_;  // bytes, offset
  int64_t end_ = 0;
};

std::vector<size_t> SortedBy(std::span<const Buffer> buffers, auto key) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](size_t b) { return key(buffers[b]); });
  return order;
}

}  // namespace

int64_t CountConflicts(std::span<const Buffer> buffers, int64_t most) {
  const std::vector<size_t> births = SortedBy(buffers, [](const Buffer& b) { return b.first; });
  const std::vector<size_t> deaths = SortedBy(buffers, [](const Buffer& b) { return b.last; });
  int64_t conflicts = 0, alive = 0;
  size_t died = 0;
  for (const size_t born : births) {
    for (; buffers[deaths[died]].last < buffers[born].first; ++died) --alive;
    conflicts += alive++;
    if (conflicts >= most) return most;
  }
  return conflicts;
}

std::vector<int64_t> AllocateInTime(std::span<const Buffer> buffers, int64_t alignment) {
  const std::vector<size_t> births =
      SortedBy(buffers, [](const Buffer& b) { return std::pair(b.first, -b.bytes); });
  const std::vector<size_t> deaths = SortedBy(buffers, [](const Buffer& b) { return b.last; });
  std::vector<int64_t> offsets(buffers.size(), 0);
  FreeList free;
  size_t died = 0;
  for (const size_t born : births) {
    const Buffer& buffer = buffers[born];
    for (; buffers[deaths[died]].last < buffer.first; ++died) {
      const int64_t bytes = RoundUp(buffers[deaths[died]].bytes, alignment);
      if (bytes > 0) free.Give(offsets[deaths[died]], bytes);
    }
    if (buffer.bytes > 0) offsets[born] = free.Take(RoundUp(buffer.bytes, alignment));
  }
  return offsets;
}

}  // namespace linnet::planner

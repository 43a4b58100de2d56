// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/exact.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace linnet::planner {
namespace {

// Any arrangement can be built bottom up: buffers in the order of rising offsets, each resting on
// what lies below it. So the search chooses which buffer comes next and never looks back below the
// last offset. Time is reduced to the moments at which a buffer is born after another one has died:
// the others have fewer live buffers.
class BottomUpSearch {
 public:
  BottomUpSearch(std::span<const Buffer> buffers, int64_t arena_bytes, int64_t lower_bound,
                 const PlannerOptions& options)
      : capacity_(arena_bytes - options.alignment),
        lower_bound_(lower_bound),
        alignment_(options.alignment),
        nodes_(options.exact_nodes),
        work_(options.exact_work) {
    const std::vector<int> moments = Moments(buffers);
    // The first moment at or after a position; a life always holds one.
    const auto moment = [&](int position) {
      return static_cast<int>(std::ranges::lower_bound(moments, position) - moments.begin());
    };
    height_.assign(moments.size(), 0);
    waiting_.assign(moments.size(), 0);
    for (const Buffer& buffer : buffers) {
      const Item item = {RoundUp(buffer.bytes, options.alignment), moment(buffer.first),
                         moment(buffer.last + 1)};
      for (int i = item.begin; i < item.end; ++i) waiting_[i] += item.bytes;
      if (item.bytes > 0) open_.push_back(static_cast<int>(items_.size()));
      offsets_.push_back(item.bytes > 0 ? -1 : 0);
      const auto twin = std::find(items_.rbegin(), items_.rend(), item);
      twin_.push_back(static_cast<int>(items_.rend() - twin) - 1);
      items_.push_back(item);
    }
  }

  std::vector<int64_t> Run() {
    Descend(0);
    return best_;
  }

 private:
  struct Item {
    int64_t bytes = 0;
    int begin = 0, end = 0;  // moments
    bool operator==(const Item&) const = default;
  };
  struct Candidate {
    int64_t offset;
    int item;
  };

  // Positions with a largest set of live buffers: the last birth before each run of deaths.
  static std::vector<int> Moments(std::span<const Buffer> buffers) {
    int end = 0;
    for (const Buffer& b : buffers) end = std::max(end, b.last);
    std::vector<char> born(end + 2, 0), dies(end + 2, 0);
    for (const Buffer& b : buffers) born[b.first] = dies[b.last] = 1;
    std::vector<int> moments;
    int last_birth = -1;
    for (int i = 0; i <= end; ++i) {
      if (born[i]) last_birth = i;
      if (dies[i] && last_birth >= 0) {
        moments.push_back(last_birth);
        last_birth = -1;
      }
    }
    return moments;
  }

  bool Exhausted() const { return nodes_ <= 0 || work_ <= 0; }
  bool Done() const { return Exhausted() || capacity_ < lower_bound_; }

  // The height on which `item` rests.
  int64_t Floor(const Item& item, int64_t level) const {
    int64_t floor = level;
    for (int i = item.begin; i < item.end; ++i) floor = std::max(floor, height_[i]);
    return floor;
  }

  // What still waits at some moment does not fit above the last offset.
  bool Hopeless(int64_t level) {
    work_ -= static_cast<int64_t>(height_.size());
    for (size_t i = 0; i < height_.size(); ++i) {
      if (waiting_[i] > 0 && std::max(height_[i], level) + waiting_[i] > capacity_) return true;
    }
    return false;
  }

  std::vector<Candidate> Candidates(int64_t level) {
    std::vector<Candidate> candidates;
    int64_t lowest_top = std::numeric_limits<int64_t>::max();
    for (int i : open_) {
      if (offsets_[i] >= 0 || (twin_[i] >= 0 && offsets_[twin_[i]] < 0)) continue;
      const Item& item = items_[i];
      work_ -= item.end - item.begin + 2;
      const int64_t offset = Floor(item, level);
      lowest_top = std::min(lowest_top, offset + item.bytes);
      candidates.push_back({offset, i});
    }
    // A buffer at or above the lowest top could wait until the one below has been placed.
    std::erase_if(candidates, [&](const Candidate& c) { return c.offset >= lowest_top; });
    std::ranges::sort(candidates, {}, [&](const Candidate& c) {
      const Item& item = items_[c.item];
      return std::tuple(c.offset, -item.bytes * (item.end - item.begin), c.item);
    });
    return candidates;
  }

  void Descend(int64_t level) {
    --nodes_;
    if (placed_ == open_.size()) return Record();
    if (Hopeless(level)) return;
    for (const Candidate& candidate : Candidates(level)) {
      if (Done()) return;
      Place(candidate);
    }
  }

  void Place(const Candidate& candidate) {
    const Item& item = items_[candidate.item];
    const int64_t top = candidate.offset + item.bytes;
    if (top > capacity_) return;
    const std::vector<int64_t> before(height_.begin() + item.begin, height_.begin() + item.end);
    for (int i = item.begin; i < item.end; ++i) {
      height_[i] = top;
      waiting_[i] -= item.bytes;
    }
    offsets_[candidate.item] = candidate.offset;
    ++placed_;
    Descend(candidate.offset);
    --placed_;
    offsets_[candidate.item] = -1;
    std::copy(before.begin(), before.end(), height_.begin() + item.begin);
    for (int i = item.begin; i < item.end; ++i) waiting_[i] += item.bytes;
  }

  void Record() {
    best_ = offsets_;
    int64_t arena = 0;
    for (size_t i = 0; i < items_.size(); ++i)
      arena = std::max(arena, offsets_[i] + items_[i].bytes);
    capacity_ = arena - alignment_;
  }

  int64_t capacity_;  // arena still of interest
  const int64_t lower_bound_, alignment_;
  int64_t nodes_, work_;
  std::vector<Item> items_;
  std::vector<int> open_;  // items with bytes
  std::vector<int> twin_;  // per item: the last equal one before it, which goes first; -1 for none
  std::vector<int64_t> height_;   // per moment: top of what is placed
  std::vector<int64_t> waiting_;  // per moment: bytes not placed yet
  std::vector<int64_t> offsets_, best_;
  size_t placed_ = 0;
};

// With more buffers the search has no chance within its budget, and its recursion would need much
// stack.
constexpr size_t kMaxBuffers = 1000;

}  // namespace

std::vector<int64_t> FindOffsetsBelow(std::span<const Buffer> buffers, int64_t arena_bytes,
                                      int64_t lower_bound, const PlannerOptions& options) {
  if (buffers.size() > kMaxBuffers || arena_bytes <= lower_bound) return {};
  return BottomUpSearch(buffers, arena_bytes, lower_bound, options).Run();
}

}  // namespace linnet::planner

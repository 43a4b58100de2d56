// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/offsets.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "converter/plan/planner/allocate_in_time.h"
#include "converter/plan/planner/byte_range.h"
#include "converter/plan/planner/exact.h"

namespace linnet::planner {
namespace {

enum class Fit { kFirst, kBest };

// Places buffers one by one, each in a gap between those that live at the same time.
class Packer {
 public:
  Packer(std::span<const Buffer> buffers, int64_t alignment) : conflicts_(buffers.size()) {
    for (const Buffer& buffer : buffers) bytes_.push_back(RoundUp(buffer.bytes, alignment));
    std::vector<int> by_start(buffers.size()), alive;
    std::iota(by_start.begin(), by_start.end(), 0);
    std::ranges::stable_sort(by_start, {}, [&](int b) { return buffers[b].first; });
    for (int b : by_start) {
      std::erase_if(alive, [&](int a) { return buffers[a].last < buffers[b].first; });
      if (bytes_[b] == 0) continue;
      for (int a : alive) {
        conflicts_[a].push_back(b);
        conflicts_[b].push_back(a);
      }
      alive.push_back(b);
    }
  }

  const std::vector<std::vector<int>>& conflicts() const { return conflicts_; }
  const std::vector<int64_t>& bytes() const { return bytes_; }
  int64_t work() const { return work_; }

  Offsets Pack(std::span<const int> order, Fit fit) {
    Offsets result = {std::vector<int64_t>(bytes_.size(), -1)};
    for (int b : order) {
      taken_.clear();
      for (int other : conflicts_[b]) {
        if (result.offsets[other] >= 0)
          taken_.push_back({result.offsets[other], result.offsets[other] + bytes_[other]});
      }
      work_ += static_cast<int64_t>(conflicts_[b].size() + taken_.size() * 4) + 8;
      std::ranges::sort(taken_, {}, &ByteRange::begin);
      result.offsets[b] = FindGap(bytes_[b], fit);
      result.arena_bytes = std::max(result.arena_bytes, result.offsets[b] + bytes_[b]);
    }
    return result;
  }

 private:
  // Lowest gap of `bytes` between the ranges taken, or the tightest one.
  int64_t FindGap(int64_t bytes, Fit fit) const {
    int64_t end = 0, best = -1, best_gap = std::numeric_limits<int64_t>::max();
    for (const ByteRange& range : taken_) {
      const int64_t gap = range.begin - end;
      if (gap >= bytes && gap < best_gap) {
        if (fit == Fit::kFirst) return end;
        best = end;
        best_gap = gap;
      }
      end = std::max(end, range.end);
    }
    return best >= 0 ? best : end;
  }

  std::vector<int64_t> bytes_;
  std::vector<std::vector<int>> conflicts_;
  std::vector<ByteRange> taken_;
  int64_t work_ = 0;
};

// With the size of the arena that the offsets need.
Offsets WithArena(std::span<const Buffer> buffers, std::vector<int64_t> offsets, int64_t alignment,
                  const char* method) {
  Offsets result = {std::move(offsets), 0, method};
  for (size_t b = 0; b < buffers.size(); ++b)
    result.arena_bytes =
        std::max(result.arena_bytes, result.offsets[b] + RoundUp(buffers[b].bytes, alignment));
  return result;
}

// xorshift64: the same numbers on every machine.
class Random {
 public:
  size_t Below(size_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<size_t>(state_ % n);
  }

 private:
  uint64_t state_ = 0x2545f4914f6cdd1du;
};

class OffsetSearch {
 public:
  OffsetSearch(std::span<const Buffer> buffers, int64_t lower_bound, const PlannerOptions& options)
      : buffers_(buffers),
        lower_bound_(lower_bound),
        options_(options),
        packer_(buffers, options.alignment) {}

  Offsets Run() {
    best_.arena_bytes = std::numeric_limits<int64_t>::max();
    TryPriorities();
    if (!Done()) Perturb();
    if (!Done()) SearchExactly();
    return best_;
  }

 private:
  bool Done() const { return best_.arena_bytes <= lower_bound_; }

  void Keep(Offsets offsets, const std::vector<int>& order, const char* method) {
    if (offsets.arena_bytes >= best_.arena_bytes) return;
    best_ = std::move(offsets);
    best_.method = method;
    best_order_ = order;
  }

  // Largest key first.
  void TryBy(const char* method, auto key) {
    std::vector<int> order(buffers_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), key);
    for (const Fit fit : {Fit::kFirst, Fit::kBest})
      if (!Done()) Keep(packer_.Pack(order, fit), order, method);
  }

  int64_t Duration(int b) const { return buffers_[b].last - buffers_[b].first + 1; }

  // Most bytes alive at any time of the buffer's life.
  std::vector<int64_t> Pressures() const {
    std::vector<int64_t> live;
    for (size_t b = 0; b < buffers_.size(); ++b) {
      live.resize(std::max<size_t>(live.size(), buffers_[b].last + 1), 0);
      for (int i = buffers_[b].first; i <= buffers_[b].last; ++i) live[i] += packer_.bytes()[b];
    }
    std::vector<int64_t> pressures;
    for (const Buffer& b : buffers_)
      pressures.push_back(*std::max_element(live.begin() + b.first, live.begin() + b.last + 1));
    return pressures;
  }

  void TryPriorities() {
    const std::vector<int64_t>& bytes = packer_.bytes();
    TryBy("by size", [&](int b) { return std::pair(bytes[b], Duration(b)); });
    TryBy("by start", [&](int b) { return std::pair(-buffers_[b].first, bytes[b]); });
    TryBy("by area", [&](int b) { return bytes[b] * Duration(b); });
    TryBy("by duration", [&](int b) { return std::pair(Duration(b), bytes[b]); });
    TryBy("by end", [&](int b) { return std::pair(buffers_[b].last, bytes[b]); });
    if (Done()) return;
    const std::vector<int64_t> pressures = Pressures();
    TryBy("by pressure", [&](int b) { return std::pair(pressures[b], bytes[b]); });
    TryBy("by pressure and duration", [&](int b) { return std::pair(pressures[b], Duration(b)); });
  }

  // Moves buffers that end above the lower bound forward in the order; at times swaps two others.
  void Perturb() {
    Random random;
    std::vector<int> order = best_order_;
    int64_t current = best_.arena_bytes;
    const int64_t limit = packer_.work() + options_.perturb_work;
    while (packer_.work() < limit && !Done()) {
      std::vector<int> next = order;
      MoveForward(next, random);
      if (random.Below(3) == 0)
        std::swap(next[random.Below(next.size())], next[random.Below(next.size())]);
      Offsets offsets = packer_.Pack(next, random.Below(4) == 0 ? Fit::kBest : Fit::kFirst);
      // A worse order is kept at times, to get out of a dead end.
      if (offsets.arena_bytes <= current || random.Below(50) == 0) {
        order = std::move(next);
        current = offsets.arena_bytes;
      }
      Keep(std::move(offsets), order, "perturbed");
    }
  }

  void MoveForward(std::vector<int>& order, Random& random) const {
    std::vector<size_t> high;
    for (size_t i = 0; i < order.size(); ++i) {
      const int b = order[i];
      if (best_.offsets[b] + packer_.bytes()[b] > lower_bound_) high.push_back(i);
    }
    const size_t from = high.empty() || random.Below(4) == 0 ? random.Below(order.size())
                                                             : high[random.Below(high.size())];
    const size_t to = random.Below(from + 1);
    std::rotate(order.begin() + to, order.begin() + from, order.begin() + from + 1);
  }

  void SearchExactly() {
    std::vector<int64_t> offsets =
        FindOffsetsBelow(buffers_, best_.arena_bytes, lower_bound_, options_);
    if (offsets.empty()) return;
    best_ = WithArena(buffers_, std::move(offsets), options_.alignment, "exact");
  }

  const std::span<const Buffer> buffers_;
  const int64_t lower_bound_;
  const PlannerOptions& options_;
  Packer packer_;
  Offsets best_;
  std::vector<int> best_order_;
};

// With more pairs of buffers that live at the same time nothing is searched, as each attempt looks
// at all pairs. About ten times what our largest models have.
constexpr int64_t kMostConflicts = int64_t{1} << 22;

}  // namespace

Offsets AssignOffsets(std::span<const Buffer> buffers, int64_t lower_bound,
                      const PlannerOptions& options) {
  if (buffers.empty()) return {{}, 0, "nothing to place"};
  if (CountConflicts(buffers, kMostConflicts) == kMostConflicts)
    return WithArena(buffers, AllocateInTime(buffers, options.alignment), options.alignment,
                     "in time");
  return OffsetSearch(buffers, lower_bound, options).Run();
}

}  // namespace linnet::planner

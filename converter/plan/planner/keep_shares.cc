// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/planner/keep_shares.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "converter/plan/planner/byte_range.h"
#include "converter/plan/planner/lower_bound.h"

namespace linnet::planner {
namespace {

// Looks at places after which no further buffer is moved. Networks need far less; a hostile graph
// could make the search, which compares all buffers with all, as long as it likes.
constexpr int64_t kMostWork = 1 << 26;
// Fewer bytes that change cores are not worth another place, whose lines may be in no cache.
constexpr int64_t kLeastGain = 4096;

// Bytes of the arena and the buffer that was there last.
struct Trace {
  ByteRange range;
  ByteRange buffer;
};

class Mover {
 public:
  Mover(int64_t arena_bytes, int64_t alignment, std::vector<BufferPlace>* buffers)
      : arena_bytes_(arena_bytes), alignment_(alignment), buffers_(*buffers) {}

  void Run() {
    std::vector<size_t> order(buffers_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t b) { return buffers_[b].first; });
    for (const size_t b : order) {
      if (work_ > kMostWork) return;
      if (buffers_[b].bytes == 0) continue;
      Move(b);
      Leave({buffers_[b].offset, buffers_[b].offset + buffers_[b].bytes});
    }
  }

 private:
  void Move(size_t b) {
    BufferPlace& buffer = buffers_[b];
    int64_t best = buffer.offset;
    int64_t least = CostOf(buffer.offset, buffer.bytes) - kLeastGain;
    if (least <= 0) return;
    FindTaken(b);
    for (const int64_t offset : Candidates(buffer)) {
      if (!IsFree(offset, buffer.bytes)) continue;
      const int64_t cost = CostOf(offset, buffer.bytes);
      if (cost >= least) continue;
      least = cost;
      best = offset;
    }
    buffer.offset = best;
  }

  // Where the buffers lie that live at the same time, moved ones and others.
  void FindTaken(size_t b) {
    taken_.clear();
    work_ += std::ssize(buffers_);
    for (size_t other = 0; other < buffers_.size(); ++other) {
      const BufferPlace& o = buffers_[other];
      if (other == b || o.bytes == 0 || o.last < buffers_[b].first || buffers_[b].last < o.first)
        continue;
      taken_.push_back({o.offset, o.offset + RoundUp(o.bytes, alignment_)});
    }
  }

  bool IsFree(int64_t offset, int64_t bytes) const {
    const int64_t end = offset + RoundUp(bytes, alignment_);
    if (offset < 0 || end > arena_bytes_) return false;
    return std::ranges::all_of(taken_, [&](const ByteRange& range) {
      return Common(range, {offset, end}).empty();
    });
  }

  // The best ones first: lines that were used last are in the caches.
  std::vector<int64_t> Candidates(const BufferPlace& buffer) {
    const int64_t bytes = RoundUp(buffer.bytes, alignment_);
    std::vector<int64_t> offsets;
    for (auto trace = traces_.rbegin(); trace != traces_.rend(); ++trace)
      if (trace->buffer.end - trace->buffer.begin == buffer.bytes)
        offsets.push_back(trace->buffer.begin);
    for (const ByteRange& range : taken_) {
      offsets.push_back(range.end);
      offsets.push_back(range.begin - bytes);
    }
    for (const Trace& trace : traces_) {
      const int64_t middle = std::midpoint(trace.buffer.begin, trace.buffer.end);
      offsets.push_back((middle - bytes / 2) / alignment_ * alignment_);
      offsets.push_back(RoundUp(trace.buffer.end, alignment_));
    }
    work_ += std::ssize(offsets) * std::ssize(traces_) + std::ssize(offsets) * std::ssize(taken_);
    return offsets;
  }

  // Bytes that another of two threads has than before, and half of those that another of four has.
  int64_t CostOf(int64_t offset, int64_t bytes) const {
    int64_t twice = 0;
    for (const Trace& trace : traces_) {
      const int64_t begin = std::max(offset, trace.range.begin);
      const int64_t end = std::min(offset + bytes, trace.range.end);
      if (begin >= end) continue;
      for (int quarter = 1; quarter <= 3; ++quarter) {
        const int64_t now = offset + bytes * quarter / 4;
        const int64_t before =
            trace.buffer.begin + (trace.buffer.end - trace.buffer.begin) * quarter / 4;
        const int64_t moved =
            std::abs(std::clamp(now, begin, end) - std::clamp(before, begin, end));
        twice += quarter == 2 ? 2 * moved : moved;
      }
    }
    return twice / 2;
  }

  // Makes `buffer` the last one that was at its bytes. Traces stay in the order of time.
  void Leave(ByteRange buffer) {
    std::vector<Trace> traces;
    for (const Trace& trace : traces_) {
      const auto [begin, end] = trace.range;
      if (begin < std::min(end, buffer.begin))
        traces.push_back({{begin, std::min(end, buffer.begin)}, trace.buffer});
      if (std::max(begin, buffer.end) < end)
        traces.push_back({{std::max(begin, buffer.end), end}, trace.buffer});
    }
    traces.push_back({buffer, buffer});
    traces_ = std::move(traces);
  }

  const int64_t arena_bytes_, alignment_;
  std::vector<BufferPlace>& buffers_;
  std::vector<ByteRange> taken_;
  std::vector<Trace> traces_;
  int64_t work_ = 0;
};

}  // namespace

void KeepShares(int64_t arena_bytes, int64_t alignment, std::vector<BufferPlace>* buffers) {
  Mover(arena_bytes, alignment, buffers).Run();
}

}  // namespace linnet::planner

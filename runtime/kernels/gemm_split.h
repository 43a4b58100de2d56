// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/core/checked.h"
#include "runtime/core/panels.h"
#include "runtime/core/parallel.h"
#include "runtime/kernels/gemm.h"

namespace linnet::kernels {

// Threads that a product is divided among at most.
#ifdef LINNET_NO_THREADS
inline constexpr int64_t kMaxGemmSlots = 1;
#else
inline constexpr int64_t kMaxGemmSlots = 64;
#endif

// Divides a product of rows x cols, sums of `depth` products, into pieces of work for `slots`
// threads: blocks of about equally many rows, at most `max_block_rows`, and, when these are too
// few, runs of about equally many columns. Threads that take equally many pieces have equal work.
class GemmSplit {
 public:
  GemmSplit(int64_t rows, int64_t cols, int64_t depth, int64_t max_block_rows, int64_t slots);
  int64_t pieces() const { return blocks_ * runs_; }
  int64_t row_begin(int64_t piece) const { return BlockBegin(piece / runs_); }
  int64_t row_end(int64_t piece) const { return BlockBegin(piece / runs_ + 1); }
  int64_t col_begin(int64_t piece) const { return RunBegin(piece % runs_); }
  int64_t col_end(int64_t piece) const { return RunBegin(piece % runs_ + 1); }

 private:
  // Inner loops compute several panels at once.
  int64_t GroupPanels() const { return rows_ <= 4 ? 4 : 2; }
  // Whether each thread gets equally many blocks of rows, which it probably has in its cache,
  // rather than columns, for which all threads read all rows: what two threads have read takes each
  // of them long to overwrite in a later step. But each thread then reads all weights, and with
  // many weights and few rows that takes longer, unless columns do not make equal parts.
  bool IsByRows(int64_t slots, int64_t depth) const;
  int64_t BlockBegin(int64_t block) const { return rows_ * block / blocks_; }
  int64_t RunBegin(int64_t run) const {
    return std::min(groups_ * run / runs_ * GroupPanels() * kPanelCols, cols_);
  }

  const int64_t rows_, cols_;
  int64_t blocks_;        // of rows
  const int64_t groups_;  // of panels
  int64_t runs_;          // of groups of panels
};

// Slots of scratch (and threads) worth using for `macs` multiply-accumulates.
inline int64_t GemmSlots(const Parallel& parallel, int64_t macs) {
  constexpr int64_t kMacsPerThread = 1 << 16;
  return std::clamp<int64_t>(macs / kMacsPerThread, 1,
                             std::min<int64_t>(parallel.threads, kMaxGemmSlots));
}

// Calls body(slot, piece) for every piece; a slot is used by one thread at a time. Each slot begins
// with its own run of pieces, so that a thread reads the part of the image that it wrote in the
// previous step, and then takes pieces that are left in other runs.
template <typename Body>
void ForEachPiece(const Parallel& parallel, int64_t slots, int64_t pieces, const Body& body) {
  struct alignas(64) Run {
    std::atomic<ptrdiff_t> next;  // a word: not every 32-bit processor has atomic operations on two
    int64_t end;

    int64_t Take(bool alone) {
      if (!alone) return next.fetch_add(1, std::memory_order_relaxed);
      // Before such an operation a CPU finishes all that it has begun.
      const ptrdiff_t piece = next.load(std::memory_order_relaxed);
      next.store(piece + 1, std::memory_order_relaxed);
      return piece;
    }
  };
  std::array<Run, kMaxGemmSlots> runs;
  for (int64_t slot = 0; slot < slots; ++slot) {
    runs[slot].next.store(static_cast<ptrdiff_t>(pieces * slot / slots), std::memory_order_relaxed);
    runs[slot].end = pieces * (slot + 1) / slots;
  }
  ParallelRanges(parallel, slots, 1, [&](int64_t begin, int64_t end) {
    for (int64_t slot = begin; slot < end; ++slot) {
      for (int64_t i = 0; i < slots; ++i) {
        Run& run = runs[(slot + i) % slots];
        // Taking is writing: the word would go from core to core for nothing.
        if (i > 0 && run.next.load(std::memory_order_relaxed) >= run.end) continue;
        for (;;) {
          const int64_t piece = run.Take(slots == 1);
          if (piece >= run.end) break;
          if (parallel.Stopped()) return;
          body(slot, piece);
        }
      }
    }
  });
}

}  // namespace linnet::kernels

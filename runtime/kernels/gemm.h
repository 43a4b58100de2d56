// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "runtime/core/checked.h"
#include "runtime/core/linked_weights.h"
#include "runtime/core/panels.h"
#include "runtime/core/parallel.h"
#include "runtime/kernels/encoded_filter.h"

namespace linnet::kernels {

// The float matrix product under Conv2D, TransposeConv2D, FullyConnected and BatchMatMul.
// Rows of the left operand are given by pointers, so that a convolution needs no im2col copy: a row
// consists of `taps` runs of `depth` floats each.

// The right operand [depth, cols] is packed in panels (core/panels.h).
using linnet::kHalfPanelCols;
using linnet::kPanelCols;
using linnet::NumPanels;
using linnet::PanelWidth;
constexpr int64_t PackedFloats(int64_t depth, int64_t cols) { return PanelElements(depth, cols); }

// Element (k, n) of a matrix in memory is data[k * depth_stride + n * col_stride].
struct MatrixView {
  const float* data;
  int64_t depth_stride;
  int64_t col_stride;
};

// Packs rows [0, depth) and columns [0, cols) of `matrix` into rows [packed_row, packed_row +
// depth) of panels that have `packed_depth` rows. Missing columns become zeros.
void PackPanels(const MatrixView& matrix, int64_t depth, int64_t cols, int64_t packed_depth,
                int64_t packed_row, float* panels);

// out[m][n] = clamp(bias[n] + sum over t, k of a[t * rows + m][k] * panels(t * depth + k, n)), the
// sum taken in this order for any tile, so that every split of rows and columns gives the same
// bits.
struct GemmBlock {
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t taps = 1;
  int64_t depth = 0;
  const float* const* a = nullptr;  // [taps][rows], each points to `depth` floats
  const float* panels = nullptr;
  // Instead of `panels`: [taps], each points to the panels of that tap, with `depth` rows.
  const float* const* tap_panels = nullptr;
  int64_t tap_offset = 0;  // floats from tap_panels[t] to the panel of column 0 of this block
  // `panels` from an element on; null when there are none.
  const float* PanelsFrom(int64_t offset) const {
    return panels == nullptr ? nullptr : panels + offset;
  }
  // Where col_stride is not 0, nothing is packed: row t * depth + k of the right operand is row
  // t * depth + k of this matrix, or with tap_panels row k of the matrix there.
  MatrixView plain = {nullptr, 0, 0};
  // Instead of `panels`: a filter as the plan has it, from this element on.
  const EncodedFilter* encoded = nullptr;
  int64_t encoded_offset = 0;
  const float* bias = nullptr;  // [cols], or null for zeros
  float* const* out = nullptr;  // [rows], each points to `cols` floats
  float min = 0;                // NaN stays NaN
  float max = 0;
};

// The weights of an op, as its kernel gets them.
struct Filter {
  const float* data;
  bool in_panels = true;                   // else in rows
  const EncodedFilter* encoded = nullptr;  // instead of `data`

  // The columns from `col` on, whose elements begin at `offset`, for sums of `depth` products.
  void PassTo(GemmBlock* block, int64_t offset, int64_t depth) const {
    if (kLinkedEncodedPanels && encoded != nullptr) {
      block->encoded = encoded;
      block->encoded_offset = offset;
    } else if (in_panels) {
      block->panels = data + offset;
    } else {
      block->plain = {data + offset, 1, depth};
    }
  }
};

// Divides much work into runs of columns and checks between them whether to stop.
void Gemm(const GemmBlock& block, const Parallel& parallel);

inline constexpr int64_t kGemmTileRows = 6;  // rows of the largest register tile

// Rows that one block should have, so that its part of the left operand stays in the L2 cache while
// the panels are read; `row_floats` is what a row adds to that part.
inline constexpr int64_t kGemmCacheFloats = int64_t{48} << 10;
inline constexpr int64_t kMinGemmBlockRows = 24;
// Eight tiles of AVX-512's 14 rows, and half an image of 14 x 14 in one block.
inline constexpr int64_t kMaxGemmBlockRows = 112;
constexpr int64_t GemmBlockRows(int64_t row_floats) {
  const int64_t rows = kGemmCacheFloats / std::max<int64_t>(row_floats, 1);
  return std::clamp(rows / kGemmTileRows * kGemmTileRows, kMinGemmBlockRows, kMaxGemmBlockRows);
}
// The most floats of such a block, also with shorter rows.
constexpr int64_t GemmBlockFloatsBound(int64_t row_floats) {
  const int64_t small = std::min(SaturatingMul(row_floats, kMaxGemmBlockRows), kGemmCacheFloats);
  return std::max(SaturatingMul(row_floats, kMinGemmBlockRows), small);
}

// Fills rows[0..count) with the addresses of rows that begin `step` elements apart.
void PointToRows(const float* first, int64_t step, int64_t count, const float** rows);
void PointToRows(float* first, int64_t step, int64_t count, float** rows);

// Divides a product of rows x cols, sums of `depth` products, into pieces of work for `slots`
// threads: blocks of about equally many rows, at most `max_block_rows`, and, when these are too
// few, runs of about equally many columns. Threads that take equally many pieces have equal work.
class GemmSplit {
 public:
  GemmSplit(int64_t rows, int64_t cols, int64_t depth, int64_t max_block_rows, int64_t slots)
      : rows_(rows),
        cols_(cols),
        blocks_(CeilDiv(rows, max_block_rows)),
        groups_(CeilDiv(NumPanels(cols), GroupPanels())) {
    // Some more pieces than threads, so that threads that finish early can help the others.
    const int64_t enough = slots == 1 ? 1 : 4 * slots;
    const bool by_rows = slots > 1 && IsByRows(slots, depth);
    // Rows whose columns are divided are pointed to twice. But each block reads all weights.
    const bool by_rows_alone = by_rows && SaturatingMul(depth, cols) <= kCachedWeightFloats;
    if (by_rows_alone) blocks_ = std::max(blocks_, std::min(rows / kMinGemmBlockRows, enough));
    if (by_rows) blocks_ = CeilDiv(blocks_, slots) * slots;
    int64_t wanted = by_rows_alone ? 1 : CeilDiv(enough, std::max<int64_t>(blocks_, 1));
    if (blocks_ % slots != 0) wanted = CeilDiv(wanted, slots) * slots;
    runs_ = std::min(wanted, groups_);
  }
  int64_t pieces() const { return blocks_ * runs_; }
  int64_t row_begin(int64_t piece) const { return BlockBegin(piece / runs_); }
  int64_t row_end(int64_t piece) const { return BlockBegin(piece / runs_ + 1); }
  int64_t col_begin(int64_t piece) const { return RunBegin(piece % runs_); }
  int64_t col_end(int64_t piece) const { return RunBegin(piece % runs_ + 1); }

 private:
  // As many weights probably stay in the L2 cache from one block of rows to the next.
  static constexpr int64_t kCachedWeightFloats = 4 * kGemmCacheFloats;

  // Inner loops compute several panels at once.
  int64_t GroupPanels() const { return rows_ <= 4 ? 4 : 2; }
  // Whether each thread gets equally many blocks of rows, which it probably has in its cache,
  // rather than columns, for which all threads read all rows: what two threads have read takes each
  // of them long to overwrite in a later step. But each thread then reads all weights, and with
  // many weights and few rows that takes longer, unless columns do not make equal parts.
  bool IsByRows(int64_t slots, int64_t depth) const {
    if (rows_ < slots * 2 * kGemmTileRows) return false;
    const int64_t weights = SaturatingMul(depth, cols_);
    const int64_t image = SaturatingMul(rows_, SaturatingAdd(depth, cols_));
    return weights / 2 <= image || (blocks_ < slots && groups_ < 4 * slots);
  }
  int64_t BlockBegin(int64_t block) const { return rows_ * block / blocks_; }
  int64_t RunBegin(int64_t run) const {
    return std::min(groups_ * run / runs_ * GroupPanels() * kPanelCols, cols_);
  }

  const int64_t rows_, cols_;
  int64_t blocks_;        // of rows
  const int64_t groups_;  // of panels
  int64_t runs_;          // of groups of panels
};

#ifdef LINNET_NO_THREADS
inline constexpr int64_t kMaxGemmSlots = 1;
#else
inline constexpr int64_t kMaxGemmSlots = 64;
#endif

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

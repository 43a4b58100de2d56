// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

using kernels::GemmBlock;
using kernels::kPanelCols;

// A register tile has kTileRows x kTileVecs accumulators. The other registers contain one row of
// the panel and one broadcast element.
#if LINNET_ISA_AVX2
inline constexpr int kTileRows = 6, kTileVecs = 2, kWidePanels = 4;  // 16 registers of 8
#elif defined(__aarch64__)
inline constexpr int kTileRows = 5, kTileVecs = 4, kWidePanels = 4;  // 32 registers of 4
#else
inline constexpr int kTileRows = 4, kTileVecs = 2, kWidePanels = 2;  // 16 registers of 4
#endif
// What is prefetched while a tile runs, because the hardware prefetcher stops at the end of each
// page. A row of a panel is one cache line. One tile alone reads its panel from memory: it fetches
// the lines so far ahead that the latency of memory is hidden. When several tiles read a panel, on
// x86 each fetches its part of the next one instead.
inline constexpr int64_t kPrefetchBytes = 4096, kLineBytes = 64;
#if LINNET_ISA_AVX2
inline constexpr bool kFetchesNextPanel = true, kPairsOfPanels = true;
#else
inline constexpr bool kFetchesNextPanel = false, kPairsOfPanels = false;
#endif
inline constexpr int kPanelVecs = kPanelCols / kLanes;

// Place of a tile. `offset` is the offset of its first column in row 0 of its (first) panel.
struct TilePlace {
  int64_t row;
  int64_t col;
  int64_t offset;
  int64_t panel_width;   // floats from one row of the panel to the next
  int64_t panel_stride;  // floats from one panel to the next
  bool in_order;         // loops for cores that issue instructions in order
  // What is prefetched: bytes from its first column, and bytes per row of the panel.
  int64_t ahead = kPrefetchBytes;
  int64_t ahead_step = kLineBytes;
};

template <int kRows, int kVecs>
LINNET_INLINE void StoreTile(const GemmBlock& g, const TilePlace& at, Vec (&acc)[kRows][kVecs]) {
  const Vec min = Broadcast<Vec>(g.min), max = Broadcast<Vec>(g.max);
  const int64_t cols = g.cols - at.col;
  LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
    float* out = g.out[at.row + i] + at.col;
    LINNET_UNROLL for (int v = 0; v < kVecs; ++v) acc[i][v] = ClampTo(acc[i][v], min, max);
    if (cols >= kVecs * kLanes) {
      LINNET_UNROLL for (int v = 0; v < kVecs; ++v) Store(out + v * kLanes, acc[i][v]);
    } else {
      float row[kVecs * kLanes];
      LINNET_UNROLL for (int v = 0; v < kVecs; ++v) Store(row + v * kLanes, acc[i][v]);
      for (int64_t n = 0; n < cols; ++n) out[n] = row[n];
    }
  }
}

// A loop over the columns that asks for each whether there is a bias would become masked loads,
// which take a hundred cycles where the address is not valid.
template <int kRows, int kVecs>
LINNET_INLINE void InitTile(const GemmBlock& g, const TilePlace& at, Vec (&acc)[kRows][kVecs]) {
  float rest[kVecs * kLanes] = {};
  const float* bias = rest;
  if (g.bias != nullptr) {
    bias = g.bias + at.col;
    if (const int64_t cols = g.cols - at.col; cols < kVecs * kLanes) {
      for (int64_t n = 0; n < cols; ++n) rest[n] = bias[n];
      bias = rest;
    }
  }
  LINNET_UNROLL for (int v = 0; v < kVecs; ++v) {
    const Vec value = Load<Vec>(bias + v * kLanes);
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) acc[i][v] = value;
  }
}

#if defined(__aarch64__)
}  // namespace linnet::LINNET_ISA
#include "runtime/kernels/gemm_neon_inl.h"
namespace linnet::LINNET_ISA {
#else
template <int kRows, int kVecs>
void Tile(const GemmBlock& g, const TilePlace& at) {
  Vec acc[kRows][kVecs];
  InitTile(g, at, acc);
  const float* b = g.PanelsFrom(at.offset);
  intptr_t ahead = reinterpret_cast<intptr_t>(b) + at.ahead;
  for (int64_t t = 0; t < g.taps; ++t) {
    if (g.tap_panels != nullptr) {
      b = g.tap_panels[t] + g.tap_offset + at.offset;
      ahead = reinterpret_cast<intptr_t>(b) + at.ahead;
    }
    const float* a[kRows];
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) a[i] = g.a[t * g.rows + at.row + i];
    for (int64_t k = 0; k < g.depth; ++k) {
      Prefetch(ahead);
      ahead += at.ahead_step;
      Vec bv[kVecs];
      LINNET_UNROLL for (int v = 0; v < kVecs; ++v) bv[v] =
          Load<Vec>(b + v / kPanelVecs * at.panel_stride + v % kPanelVecs * kLanes);
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
        const Vec av = Broadcast<Vec>(a[i][k]);
        LINNET_UNROLL for (int v = 0; v < kVecs; ++v) acc[i][v] = MulAdd(av, bv[v], acc[i][v]);
      }
      b += at.panel_width;
    }
  }
  StoreTile(g, at, acc);
}
#endif

// Calls Tile for `rows` rows, 1 <= rows <= kRows.
template <int kRows, int kVecs>
void TileOfRows(int64_t rows, const GemmBlock& g, const TilePlace& at) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return TileOfRows<kRows - 1, kVecs>(rows, g, at);
  }
  Tile<kRows, kVecs>(g, at);
}

// Computes all rows of a block for the columns of one tile's width, in tiles of about equal height,
// because a low tile has too few independent sums. Narrow tiles are higher instead, by multiples of
// 4 so that the elements of their rows have registers too.
template <int kVecs>
void TileColumn(const GemmBlock& g, TilePlace at) {
  at.row = 0;
  const int64_t depth = g.tap_panels != nullptr ? g.depth : g.taps * g.depth;
  if (const int64_t tiles = (g.rows + kTileRows - 1) / kTileRows; kFetchesNextPanel && tiles > 1) {
    at.ahead = at.panel_width * depth * int64_t{sizeof(float)};
    at.ahead_step = (kLineBytes + tiles - 1) / tiles;
  }
  if constexpr (kVecs < kTileVecs) {
    constexpr int kTallRows = kTileRows * kTileVecs / kVecs / 4 * 4;
    for (; at.row + kTallRows <= g.rows; at.row += kTallRows) Tile<kTallRows, kVecs>(g, at);
  }
  for (int64_t tiles = (g.rows - at.row + kTileRows - 1) / kTileRows; tiles > 0; --tiles) {
    const int64_t rows = (g.rows - at.row) / tiles;
    TileOfRows<kTileRows, kVecs>(rows, g, at);
    at.row += rows;
    if (kFetchesNextPanel) at.ahead += at.ahead_step * depth;
  }
}

void GemmFor(const GemmBlock& g, bool in_order) {
  constexpr int kTileCols = kTileVecs * kLanes;
  const int64_t depth = g.tap_panels != nullptr ? g.depth : g.taps * g.depth;
  const int64_t panel_stride = kPanelCols * depth;
  for (int64_t col = 0; col < g.cols;) {
    const int64_t offset = col * depth;
    // One row has too few independent sums to hide the latency of additions: take several panels.
    if (g.rows == 1 && g.cols - col >= kWidePanels * kPanelCols) {
      Tile<1, kWidePanels * kPanelVecs>(g, {0, col, offset, kPanelCols, panel_stride, in_order});
      col += kWidePanels * kPanelCols;
      continue;
    }
    if constexpr (kPairsOfPanels) {  // memory answers faster at two places at once
      if (g.rows == 2 && g.cols - col >= 2 * kPanelCols) {
        Tile<2, 2 * kPanelVecs>(g, {0, col, offset, kPanelCols, panel_stride, in_order});
        col += 2 * kPanelCols;
        continue;
      }
    }
    const int64_t width = kernels::PanelWidth(g.cols - col);
    if (width < kTileCols) {
      TileColumn<kernels::kHalfPanelCols / kLanes>(g,
                                                   {0, col, offset, width, panel_stride, in_order});
    } else {
      for (int64_t part = 0; part < width && col + part < g.cols; part += kTileCols)
        TileColumn<kTileVecs>(g, {0, col + part, offset + part, width, panel_stride, in_order});
    }
    col += width;
  }
}

void Gemm(const GemmBlock& g) { GemmFor(g, kernels::CoresIssueInOrder()); }
#if defined(__aarch64__)
void GemmInOrder(const GemmBlock& g) { GemmFor(g, true); }
#endif

}  // namespace linnet::LINNET_ISA

// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. The product for AVX-512: as gemm_inl.h, with the
// same bits as its form for AVX2, but a panel is one vector wide, and 32 registers hold larger
// tiles.

namespace linnet::LINNET_ISA {

using kernels::GemmBlock;
using kernels::kPanelCols;
static_assert(kPanelCols == kLanes);

// A register tile has up to kTallRows rows of two panels, kWideRows of four, or kNarrowRows of one,
// or of one and a half. The other registers contain one row of the panels and one broadcast
// element.
inline constexpr int kTallRows = 14, kWideRows = 6, kNarrowRows = 8, kWidePanels = 4;
// The fewest rows of a tile of one and a half panels.
inline constexpr int kLeastHalfRows = kNarrowRows / 2 + 1;
// With so few rows in all, reading the panels takes most of the time.
inline constexpr int64_t kFewRows = 8;

// The last products of a tile's sums are computed row by row, each row with its stores, which then
// run beside the products of the rows below. All stores of a tile together would fill the CPU's
// queue, and the next tile would wait behind them. Low tiles have few stores.
inline constexpr int kTail = 4, kLowRows = 6, kLowNarrowRows = 3;
template <int kRows, int kPanels, bool kHalf>
inline constexpr bool kHasTail = kPanels <= 2 &&
                                 kRows > (kPanels == 2 && !kHalf ? kLowRows : kLowNarrowRows);

// What is prefetched while tiles run. With many rows, the panels that follow: each tile of a column
// fetches its part of them. With few, the same panels a little further down.
inline constexpr int64_t kLineBytes = 64, kStreamFloats = 256;

// Place of a tile.
struct TilePlace {
  int64_t row;
  int64_t col;
  int64_t offset;        // of row 0 of its first panel
  int64_t panel_stride;  // floats from one panel to the next
  int64_t last_width;    // floats from one row of its last panel to the next
  __mmask16 last_lanes;  // the columns of its last panel
  int64_t ahead;         // floats from its first panel to what is prefetched
  int64_t ahead_step;    // bytes of it per row of the panels
  int64_t part;          // which part of it the tile fetches
};

// Prefetches for a tile, row by row of its panels. High tiles fetch one line per row, because more
// would take time from the sums.
template <int kRows, int kPanels>
struct Ahead {
  static constexpr bool kEachPanel = kPanels == kWidePanels || kRows <= kFewRows;
  static constexpr int kStreams = 1 + kEachPanel * (kPanels - 1);
  static constexpr int64_t kStepOfOneTile = kLineBytes * (kPanels / kStreams);

  LINNET_INLINE void Begin(const float* panel, const TilePlace& at, int64_t depth) {
    line = reinterpret_cast<intptr_t>(panel) + at.ahead * int64_t{sizeof(float)} +
           at.part * at.ahead_step * depth;
  }
  LINNET_INLINE void Row(const TilePlace& at) {
    LINNET_UNROLL for (int v = 0; v < kStreams; ++v)
        Prefetch(line + v * at.panel_stride * int64_t{sizeof(float)});
    line += at.ahead_step;
  }
  intptr_t line;
};

// One row of a tile's panels, or of its bias. With kHalf the last panel is half a panel, and its
// vector contains it twice.
template <int kPanels, bool kHalf>
struct TileRow {
  LINNET_INLINE void Load(const float* first, const float* last_panel, const TilePlace& at,
                          int64_t stride) {
    LINNET_UNROLL for (int v = 0; v < kPanels - 1; ++v) panels[v] =
        LINNET_ISA::Load<Vec>(first + v * stride);
    // Lanes outside the mask are not read.
    if constexpr (kHalf) {
      panels[kPanels - 1] = _mm512_broadcast_f32x8(
          _mm256_maskz_loadu_ps(static_cast<__mmask8>(at.last_lanes), last_panel));
    } else {
      panels[kPanels - 1] = _mm512_maskz_loadu_ps(at.last_lanes, last_panel);
    }
  }
  Vec panels[kPanels];
};

// The sums of a tile. Half a panel has one vector of sums for two rows, because a CPU whose vector
// units are 64 bytes wide takes as long for half of one.
template <int kRows, int kPanels, bool kHalf>
struct TileSums {
  static constexpr int kStep = kHalf ? 2 : 1;  // rows that are computed together
  static constexpr int kWhole = kPanels - kHalf;

  LINNET_INLINE void Begin(const TileRow<kPanels, kHalf>& bias) {
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
      LINNET_UNROLL for (int v = 0; v < kWhole; ++v) whole[i][v] = bias.panels[v];
      if constexpr (kHalf) halves[i / 2] = bias.panels[kPanels - 1];
    }
  }
  // Adds the products of element k of rows [row, row + kStep).
  LINNET_INLINE void Add(const float* const* a, int64_t k, int row,
                         const TileRow<kPanels, kHalf>& panels) {
    Vec x[kStep];
    LINNET_UNROLL for (int i = 0; i < kStep; ++i) {
      if (row + i >= kRows) break;
      x[i] = Broadcast<Vec>(a[row + i][k]);
      if constexpr (kPanels > 1) KeepInRegister(x[i]);  // one load for all panels
      LINNET_UNROLL for (int v = 0; v < kWhole; ++v) whole[row + i][v] =
          LINNET_ISA::MulAdd(x[i], panels.panels[v], whole[row + i][v]);
    }
    if constexpr (kHalf) {
      constexpr __mmask16 kUpper = 0xff00;
      const Vec both = row + 1 < kRows ? _mm512_mask_blend_ps(kUpper, x[0], x[1]) : x[0];
      halves[row / 2] = LINNET_ISA::MulAdd(both, panels.panels[kPanels - 1], halves[row / 2]);
    }
  }
  LINNET_INLINE void StoreTo(float* const* out, const TilePlace& at, int row, Vec min,
                             Vec max) const {
    LINNET_UNROLL for (int i = row; i < row + kStep; ++i) {
      if (i >= kRows) break;
      float* to = out[i] + at.col;
      LINNET_UNROLL for (int v = 0; v < kPanels - 1; ++v)
          Store(to + v * kLanes, ClampTo(whole[i][v], min, max));
      to += (kPanels - 1) * kLanes;
      if constexpr (kHalf) {
        const Vec clamped = ClampTo(halves[i / 2], min, max);
        _mm256_mask_storeu_ps(
            to, static_cast<__mmask8>(at.last_lanes),
            i % 2 == 0 ? _mm512_castps512_ps256(clamped) : _mm512_extractf32x8_ps(clamped, 1));
      } else {
        _mm512_mask_storeu_ps(to, at.last_lanes, ClampTo(whole[i][kPanels - 1], min, max));
      }
    }
  }

  Vec whole[kRows][kPanels] = {};
  Vec halves[(kRows + 1) / 2] = {};  // only with kHalf
};

// The sums of the last `kProducts` products of all rows, and their stores.
template <int kProducts, int kRows, int kPanels, bool kHalf>
LINNET_INLINE void FinishTile(const GemmBlock& g, const TilePlace at, const float* panel,
                              const float* last_panel, TileSums<kRows, kPanels, kHalf>& sums) {
  [[maybe_unused]] const int64_t k = g.depth - kProducts;
  const float* const* a = g.a + (g.taps - 1) * g.rows + at.row;
  float* const* out = g.out + at.row;
  const Vec min = Broadcast<Vec>(g.min), max = Broadcast<Vec>(g.max);
  TileRow<kPanels, kHalf> panels[kProducts + 1];
  LINNET_UNROLL for (int t = 0; t < kProducts; ++t) panels[t].Load(
      panel + t * kPanelCols, last_panel + t * at.last_width, at, at.panel_stride);
  LINNET_UNROLL for (int row = 0; row < kRows; row += sums.kStep) {
    LINNET_UNROLL for (int t = 0; t < kProducts; ++t) sums.Add(a, k + t, row, panels[t]);
    sums.StoreTo(out, at, row, min, max);
    // Or the compiler would move all stores to the end.
    if constexpr (kProducts > 0) std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

template <int kRows, int kPanels, bool kHalf = false>
void Tile(const GemmBlock& g, const TilePlace& at) {
  constexpr int kTailProducts = kHasTail<kRows, kPanels, kHalf> ? kTail : 0;
  TileSums<kRows, kPanels, kHalf> sums;
  if (g.bias != nullptr) {
    const float* bias = g.bias + at.col;
    TileRow<kPanels, kHalf> row;
    row.Load(bias, bias + (kPanels - 1) * kLanes, at, kLanes);
    sums.Begin(row);
  }
  const float* panel = g.PanelsFrom(at.offset);
  Ahead<kRows, kPanels> ahead;
  ahead.Begin(panel, at, g.taps * g.depth);
  const float* last_panel = g.PanelsFrom(at.offset + (kPanels - 1) * at.panel_stride);
  for (int64_t t = 0; t < g.taps; ++t) {
    if (g.tap_panels != nullptr) {
      panel = g.tap_panels[t] + g.tap_offset + at.offset;
      last_panel = panel + (kPanels - 1) * at.panel_stride;
      ahead.Begin(panel, at, g.depth);
    }
    const float* a[kRows];
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) a[i] = g.a[t * g.rows + at.row + i];
    const int64_t depth = t + 1 < g.taps ? g.depth : g.depth - kTailProducts;
    for (int64_t k = 0; k < depth; ++k) {
      if constexpr (kPanels > 1 && !kHalf) ahead.Row(at);  // else it is the last one
      TileRow<kPanels, kHalf> panels;
      panels.Load(panel, last_panel, at, at.panel_stride);
      LINNET_UNROLL for (int row = 0; row < kRows; row += sums.kStep) sums.Add(a, k, row, panels);
      panel += kPanelCols;
      last_panel += at.last_width;
    }
  }
  FinishTile<kTailProducts>(g, at, panel, last_panel, sums);
}

// Calls Tile for `rows` rows, kLeast <= rows <= kRows.
template <int kLeast, int kRows, int kPanels, bool kHalf>
void TileOfRows(int64_t rows, const GemmBlock& g, const TilePlace& at) {
  if constexpr (kRows > kLeast) {
    if (rows < kRows) return TileOfRows<kLeast, kRows - 1, kPanels, kHalf>(rows, g, at);
  }
  Tile<kRows, kPanels, kHalf>(g, at);
}

// Computes all rows of a block for the columns of one tile's width, in tiles of about equal height,
// because a low tile has too few independent sums.
template <int kLeast, int kRows, int kPanels, bool kHalf = false>
void TileColumn(const GemmBlock& g, TilePlace at) {
  using Ahead = LINNET_ISA::Ahead<kRows, kPanels>;
  const int64_t tiles = (g.rows + kRows - 1) / kRows;
  const bool many = g.rows > kFewRows;
  if (many) at.ahead = kPanels * at.panel_stride;
  at.ahead_step = many ? (Ahead::kStepOfOneTile + tiles - 1) / tiles : Ahead::kStepOfOneTile;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    at.part = many ? tile : 0;
    const int64_t rows = (g.rows - at.row) / (tiles - tile);
    TileOfRows<kLeast, kRows, kPanels, kHalf>(rows, g, at);
    at.row += rows;
  }
}

// Rows that lie a multiple of a page apart share sets of the L1 cache: 14 do not fit.
LINNET_INLINE bool RowsShareSets(const GemmBlock& g) {
  constexpr uintptr_t kPage = 4096;
  return g.rows > kWideRows && g.depth > 1 &&
         (reinterpret_cast<uintptr_t>(g.a[1]) - reinterpret_cast<uintptr_t>(g.a[0])) % kPage == 0;
}

// Half a panel alone. The loops for AVX2 take less time for it: there are CPUs that execute twice
// as many of the shorter instructions.
void HalfPanel(const GemmBlock& g, const TilePlace& at) {
#if LINNET_HAS_AVX2_KERNELS
  float* out[kernels::kMaxGemmBlockRows];
  for (int64_t i = 0; i < g.rows; ++i) out[i] = g.out[i] + at.col;
  GemmBlock half = g;
  half.cols -= at.col;
  half.panels = g.PanelsFrom(at.offset);
  half.tap_offset += at.offset;
  if (g.bias != nullptr) half.bias += at.col;
  half.out = out;
  isa_avx2::Gemm(half);
#else
  TileColumn<1, kLowNarrowRows, 1>(g, at);
#endif
}

void Gemm(const GemmBlock& g) {
  const int64_t depth = g.tap_panels != nullptr ? g.depth : g.taps * g.depth;
  const int64_t panels = kernels::NumPanels(g.cols);
  const bool many = g.rows > kFewRows, wide = !many || RowsShareSets(g);
  const bool tails = g.taps > 0 && g.depth >= kTail;
  const int64_t last_cols = g.cols - (panels - 1) * kPanelCols;
  const bool halves = many && last_cols <= kernels::kHalfPanelCols;
  // Whether half a panel goes together with the one before it, or else alone.
  const bool joined = halves && tails && g.rows >= 2 * kLeastHalfRows;
  for (int64_t panel = 0, count = 0; panel < panels; panel += count) {
    const int64_t left = panels - panel;
    if (wide && left >= kWidePanels) {
      count = kWidePanels;
    } else {
      count = left == 1 || (halves && left == (joined ? 3 : 2)) ? 1 : 2;
    }
    const int64_t cols = panel + count == panels ? last_cols : kPanelCols;
    const TilePlace at = {.row = 0,
                          .col = panel * kPanelCols,
                          .offset = panel * kPanelCols * depth,
                          .panel_stride = kPanelCols * depth,
                          .last_width = kernels::PanelWidth(cols),
                          .last_lanes = FirstLanes(cols),
                          .ahead = kStreamFloats,
                          .ahead_step = 0,
                          .part = 0};
    if (count == kWidePanels) {
      TileColumn<1, kWideRows, kWidePanels>(g, at);
    } else if (joined && left == 2) {
      TileColumn<kLeastHalfRows, kNarrowRows, 2, true>(g, at);
    } else if (count == 2) {
      tails ? TileColumn<1, kTallRows, 2>(g, at) : TileColumn<1, kLowRows, 2>(g, at);
    } else if (halves && left == 1) {
      HalfPanel(g, at);
    } else {
      tails ? TileColumn<1, kNarrowRows, 1>(g, at) : TileColumn<1, kLowNarrowRows, 1>(g, at);
    }
  }
}

}  // namespace linnet::LINNET_ISA

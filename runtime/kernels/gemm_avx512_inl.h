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

// The last panel of a tile may be half a panel, which is half a vector.
typedef float HalfVec __attribute__((vector_size(2 * kLanes)));
LINNET_INLINE HalfVec MulAdd(HalfVec a, HalfVec b, HalfVec c) { return _mm256_fmadd_ps(a, b, c); }
LINNET_INLINE HalfVec ClampTo(HalfVec x, HalfVec min, HalfVec max) {
  return _mm256_min_ps(max, _mm256_max_ps(min, x));
}
template <typename V>
LINNET_INLINE V LowerLanes(Vec v) {
  if constexpr (sizeof(V) == sizeof(Vec)) {
    return v;
  } else {
    return _mm512_castps512_ps256(v);
  }
}
// Lanes outside the mask are neither read nor written.
template <typename V>
LINNET_INLINE V LoadLanes(const float* p, __mmask16 lanes) {
  if constexpr (sizeof(V) == sizeof(Vec)) {
    return _mm512_maskz_loadu_ps(lanes, p);
  } else {
    return _mm256_maskz_loadu_ps(static_cast<__mmask8>(lanes), p);
  }
}
LINNET_INLINE void StoreLanes(float* p, __mmask16 lanes, Vec v) {
  _mm512_mask_storeu_ps(p, lanes, v);
}
LINNET_INLINE void StoreLanes(float* p, __mmask16 lanes, HalfVec v) {
  _mm256_mask_storeu_ps(p, static_cast<__mmask8>(lanes), v);
}

// One row of a tile's panels, of its sums, or of its bias: vectors for all panels but the last, for
// which it is a vector or, with kHalf, half of one.
template <int kPanels, bool kHalf>
struct TileRow {
  using Last = std::conditional_t<kHalf, HalfVec, Vec>;

  LINNET_INLINE void Load(const float* first, const float* last_panel, const TilePlace& at,
                          int64_t stride) {
    LINNET_UNROLL for (int v = 0; v < kPanels - 1; ++v) full[v] =
        LINNET_ISA::Load<Vec>(first + v * stride);
    last = LoadLanes<Last>(last_panel, at.last_lanes);
  }
  LINNET_INLINE void Add(float element, const TileRow& panels) {
    Vec x = Broadcast<Vec>(element);
    if constexpr (kPanels > 1) KeepInRegister(x);  // one load for all panels
    LINNET_UNROLL for (int v = 0; v < kPanels - 1; ++v) full[v] =
        LINNET_ISA::MulAdd(x, panels.full[v], full[v]);
    last = LINNET_ISA::MulAdd(LowerLanes<Last>(x), panels.last, last);
  }
  LINNET_INLINE void StoreTo(float* out, Vec min, Vec max, __mmask16 last_lanes) const {
    LINNET_UNROLL for (int v = 0; v < kPanels - 1; ++v)
        Store(out + v * kLanes, ClampTo(full[v], min, max));
    StoreLanes(out + (kPanels - 1) * kLanes, last_lanes,
               ClampTo(last, LowerLanes<Last>(min), LowerLanes<Last>(max)));
  }

  Vec full[kPanels];  // one more than is used
  Last last;
};

// The sums of the last `kProducts` products of all rows, and their stores.
template <int kProducts, int kRows, int kPanels, bool kHalf>
LINNET_INLINE void FinishTile(const GemmBlock& g, const TilePlace& at, const float* panel,
                              const float* last_panel, TileRow<kPanels, kHalf> (&sums)[kRows]) {
  const float* const* a = g.a + (g.taps - 1) * g.rows + at.row;
  float* const* out = g.out + at.row;
  const int64_t col = at.col, k = g.depth - kProducts;
  const __mmask16 last_lanes = at.last_lanes;
  const Vec min = Broadcast<Vec>(g.min), max = Broadcast<Vec>(g.max);
  TileRow<kPanels, kHalf> panels[kProducts + 1];
  LINNET_UNROLL for (int t = 0; t < kProducts; ++t) panels[t].Load(
      panel + t * kPanelCols, last_panel + t * at.last_width, at, at.panel_stride);
  LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
    LINNET_UNROLL for (int t = 0; t < kProducts; ++t) sums[i].Add(a[i][k + t], panels[t]);
    sums[i].StoreTo(out[i] + col, min, max, last_lanes);
    // Or the compiler would move all stores to the end.
    if constexpr (kProducts > 0) std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

template <int kRows, int kPanels, bool kHalf = false>
void Tile(const GemmBlock& g, const TilePlace& at) {
  constexpr int kTailProducts = kHasTail<kRows, kPanels, kHalf> ? kTail : 0;
  TileRow<kPanels, kHalf> sums[kRows] = {};
  if (g.bias != nullptr) {
    const float* bias = g.bias + at.col;
    sums[0].Load(bias, bias + (kPanels - 1) * kLanes, at, kLanes);
    LINNET_UNROLL for (int i = 1; i < kRows; ++i) sums[i] = sums[0];
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
      if constexpr (!kHalf) ahead.Row(at);  // half a panel is the last one
      TileRow<kPanels, kHalf> panels;
      panels.Load(panel, last_panel, at, at.panel_stride);
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) sums[i].Add(a[i][k], panels);
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
  for (int64_t panel = 0, count = 0; panel < panels; panel += count) {
    const int64_t left = panels - panel;
    const bool with_half = halves && tails && left == 2;
    if (wide && left >= kWidePanels) {
      count = kWidePanels;
    } else {
      // Half a panel goes together with the one before it if there are tails, else alone.
      count = left == 1 || (halves && left == (tails ? 3 : 2)) ? 1 : 2;
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
    } else if (with_half) {
      TileColumn<kNarrowRows / 2, kNarrowRows, 2, true>(g, at);
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

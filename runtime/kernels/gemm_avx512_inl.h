// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. The product for AVX-512: as gemm_inl.h, with the
// same bits as its form for AVX2, but a panel is one vector wide, and 32 registers hold larger
// tiles.

namespace linnet::LINNET_ISA {

using kernels::GemmBlock;
using kernels::kPanelCols;
static_assert(kPanelCols == kLanes);

// A register tile has up to kTallRows rows of two panels, kWideRows of four, or kNarrowRows of one.
// The other registers contain one row of the panels and one broadcast element. Narrow tiles could
// have more rows, but GCC then keeps pointers to rows in vector registers, which takes a fifth more
// time.
inline constexpr int kTallRows = 14, kWideRows = 6, kNarrowRows = 8, kWidePanels = 4;
// With so few rows in all, reading the panels takes most of the time.
inline constexpr int64_t kFewRows = 8;

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
  int64_t part, parts;   // which part of that it fetches
};

// Prefetches for a tile, row by row of its panels. High tiles fetch one line per row, because more
// would take time from the sums.
template <int kRows, int kPanels>
struct Ahead {
  static constexpr bool kEachPanel = kPanels == kWidePanels || kRows <= kFewRows;
  static constexpr int kStreams = 1 + kEachPanel * (kPanels - 1);

  LINNET_INLINE void Begin(const float* panel, const TilePlace& at, int64_t depth) {
    step = (kLineBytes * (kPanels / kStreams) + at.parts - 1) / at.parts;
    line = reinterpret_cast<intptr_t>(panel) + at.ahead * int64_t{sizeof(float)} +
           at.part * step * depth;
  }
  LINNET_INLINE void Row(const TilePlace& at) {
    LINNET_UNROLL for (int v = 0; v < kStreams; ++v)
        Prefetch(line + v * at.panel_stride * int64_t{sizeof(float)});
    line += step;
  }
  intptr_t line;
  int64_t step;
};

// A vector of a row of `kPanels` panels, which may end in the last one. Never reads past the row's
// end.
template <int kPanels>
LINNET_INLINE Vec LoadPanel(const float* row, int v, __mmask16 last_lanes) {
  const float* p = row + v * kLanes;
  return v < kPanels - 1 ? Load<Vec>(p) : Vec(_mm512_maskz_loadu_ps(last_lanes, p));
}

template <int kRows, int kPanels>
LINNET_INLINE void InitTile(const GemmBlock& g, const TilePlace& at, Vec (&acc)[kRows][kPanels]) {
  LINNET_UNROLL for (int v = 0; v < kPanels; ++v) {
    const Vec bias =
        g.bias == nullptr ? Vec{} : LoadPanel<kPanels>(g.bias + at.col, v, at.last_lanes);
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) acc[i][v] = bias;
  }
}

template <int kRows, int kPanels>
LINNET_INLINE void StoreTile(const GemmBlock& g, const TilePlace& at, Vec (&acc)[kRows][kPanels]) {
  const Vec min = Broadcast<Vec>(g.min), max = Broadcast<Vec>(g.max);
  LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
    float* out = g.out[at.row + i] + at.col;
    LINNET_UNROLL for (int v = 0; v < kPanels - 1; ++v)
        Store(out + v * kLanes, ClampTo(acc[i][v], min, max));
    _mm512_mask_storeu_ps(out + (kPanels - 1) * kLanes, at.last_lanes,
                          ClampTo(acc[i][kPanels - 1], min, max));
  }
}

template <int kRows, int kPanels>
void Tile(const GemmBlock& g, const TilePlace& at) {
  Vec acc[kRows][kPanels];
  InitTile(g, at, acc);
  const float* b = g.PanelsFrom(at.offset);
  Ahead<kRows, kPanels> ahead;
  ahead.Begin(b, at, g.taps * g.depth);
  const float* last = g.PanelsFrom(at.offset + (kPanels - 1) * at.panel_stride);
  for (int64_t t = 0; t < g.taps; ++t) {
    if (g.tap_panels != nullptr) {
      b = g.tap_panels[t] + g.tap_offset + at.offset;
      last = b + (kPanels - 1) * at.panel_stride;
      ahead.Begin(b, at, g.depth);
    }
    const float* a[kRows];
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) a[i] = g.a[t * g.rows + at.row + i];
    for (int64_t k = 0; k < g.depth; ++k) {
      ahead.Row(at);
      Vec bv[kPanels];
      LINNET_UNROLL for (int v = 0; v < kPanels - 1; ++v) bv[v] =
          Load<Vec>(b + v * at.panel_stride);
      bv[kPanels - 1] = _mm512_maskz_loadu_ps(at.last_lanes, last);
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
        Vec av = Broadcast<Vec>(a[i][k]);
        if constexpr (kPanels > 1) KeepInRegister(av);  // one load for all panels
        LINNET_UNROLL for (int v = 0; v < kPanels; ++v) acc[i][v] = MulAdd(av, bv[v], acc[i][v]);
      }
      b += kPanelCols;
      last += at.last_width;
    }
  }
  StoreTile(g, at, acc);
}

// Calls Tile for `rows` rows, 1 <= rows <= kRows.
template <int kRows, int kPanels>
void TileOfRows(int64_t rows, const GemmBlock& g, const TilePlace& at) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return TileOfRows<kRows - 1, kPanels>(rows, g, at);
  }
  Tile<kRows, kPanels>(g, at);
}

// Computes all rows of a block for the columns of one tile's width, in tiles of about equal height,
// because a low tile has too few independent sums.
template <int kRows, int kPanels>
void TileColumn(const GemmBlock& g, TilePlace at) {
  const int64_t tiles = (g.rows + kRows - 1) / kRows;
  if (g.rows > kFewRows) {
    at.ahead = kPanels * at.panel_stride;
    at.parts = tiles;
  }
  for (int64_t tile = 0; tile < tiles; ++tile) {
    if (g.rows > kFewRows) at.part = tile;
    const int64_t rows = (g.rows - at.row) / (tiles - tile);
    TileOfRows<kRows, kPanels>(rows, g, at);
    at.row += rows;
  }
}

// Rows that lie a multiple of a page apart share sets of the L1 cache: 14 do not fit.
LINNET_INLINE bool RowsShareSets(const GemmBlock& g) {
  constexpr uintptr_t kPage = 4096;
  return g.rows > kWideRows && g.depth > 1 &&
         (reinterpret_cast<uintptr_t>(g.a[1]) - reinterpret_cast<uintptr_t>(g.a[0])) % kPage == 0;
}

#if LINNET_HAS_AVX2_KERNELS
// A panel of half the width fills half a vector. The loops for AVX2 take as long for it as one of
// full width takes here, or less: there are CPUs that execute twice as many of the shorter
// instructions.
LINNET_INLINE bool LastPanelHalves(const GemmBlock& g) {
  const int64_t last = g.cols % kPanelCols;
  return last > 0 && last <= kernels::kHalfPanelCols && g.rows > kFewRows;
}
void HalfPanel(const GemmBlock& g, int64_t col, int64_t depth) {
  float* out[kernels::kMaxGemmBlockRows];
  for (int64_t i = 0; i < g.rows; ++i) out[i] = g.out[i] + col;
  GemmBlock half = g;
  half.cols -= col;
  half.panels = g.PanelsFrom(col * depth);
  half.tap_offset += col * depth;
  if (g.bias != nullptr) half.bias += col;
  half.out = out;
  isa_avx2::Gemm(half);
}
#else
LINNET_INLINE bool LastPanelHalves(const GemmBlock&) { return false; }
LINNET_INLINE void HalfPanel(const GemmBlock&, int64_t, int64_t) {}
#endif

void Gemm(const GemmBlock& g) {
  const int64_t depth = g.tap_panels != nullptr ? g.depth : g.taps * g.depth;
  const bool wide = g.rows <= kFewRows || RowsShareSets(g);
  const bool halves = LastPanelHalves(g);
  const int64_t panels = kernels::NumPanels(g.cols) - (halves ? 1 : 0);
  for (int64_t panel = 0, count = 0; panel < panels; panel += count) {
    const int64_t left = panels - panel;
    count = wide && left >= kWidePanels ? kWidePanels : left >= 2 ? 2 : 1;
    const int64_t last_cols = g.cols - (panel + count - 1) * kPanelCols;
    const TilePlace at = {.row = 0,
                          .col = panel * kPanelCols,
                          .offset = panel * kPanelCols * depth,
                          .panel_stride = kPanelCols * depth,
                          .last_width = kernels::PanelWidth(last_cols),
                          .last_lanes = FirstLanes(last_cols < kLanes ? last_cols : kLanes),
                          .ahead = kStreamFloats,
                          .part = 0,
                          .parts = 1};
    if (count == kWidePanels) {
      TileColumn<kWideRows, kWidePanels>(g, at);
    } else if (count == 2) {
      TileColumn<kTallRows, 2>(g, at);
    } else {
      TileColumn<kNarrowRows, 1>(g, at);
    }
  }
  if (halves) HalfPanel(g, panels * kPanelCols, depth);
}

}  // namespace linnet::LINNET_ISA

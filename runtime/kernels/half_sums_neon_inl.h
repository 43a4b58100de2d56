// SPDX-License-Identifier: Apache-2.0
// Included by isa_inl.h for 64-bit ARM: products that multiply and add in binary16, eight in one
// instruction, on CPUs that have it (InstructionSet::kFp16). What they add is said in
// encoded_filter.h. Rows are rounded to halves in registers, each element once for all columns of a
// tile, so that tensors stay f32.

#define LINNET_BODY(i) [&](auto i) __attribute__((always_inline))

namespace linnet::LINNET_ISA::half_sums {

using encoded::Place;
using kernels::GemmBlock;
using kernels::kHalfPanelCols;
using kernels::kHalfSumTerms;
using kernels::kPanelCols;

typedef uint16_t Halves __attribute__((vector_size(16)));
inline constexpr int kHalfLanes = 8;
inline constexpr int kQuad = 4;  // the k's of which one load brings a row's elements
inline constexpr int64_t kHalfBytes = 2, kFetchedAhead = 2048;

// As in gemm_neon_inl.h, volatile assembly keeps instructions in the order written here, so that a
// tile stays in registers, and loads do not say what they read.
//
// The compiler need not know of the instruction, so that the rest of the program has none of its
// set. It takes lanes of the first 16 registers only.
template <int kLane>
LINNET_INLINE void MulAddLane(Halves& acc, Halves b, float16x4_t a) {
  __asm__ volatile(".arch_extension fp16\n\tfmla %0.8h, %1.8h, %2.h[%c3]"
                   : "+w"(acc)
                   : "w"(b), "x"(a), "i"(kLane));
}
template <int64_t kOffset>
LINNET_INLINE void LoadHalves(const std::byte* p, Halves& to) {
  __asm__ volatile("ldr %q0, [%1, %c2]" : "=w"(to) : "r"(p), "i"(kOffset));
}
LINNET_INLINE void LoadQuad(const float* row, int64_t bytes, Vec& to) {
  __asm__ volatile("ldr %q0, [%1, %2]" : "=w"(to) : "r"(row), "r"(bytes));
}

// kVecs: vectors of 8 columns, of one panel or of two.
template <int kRows, int kVecs>
struct Tile {
  static constexpr int kPanelVecs = kVecs == 1 ? 1 : 2;
  static constexpr int64_t kRowBytes = kPanelVecs * kHalfLanes * kHalfBytes;  // of a panel
  static constexpr int kGroup = kVecs == 1 ? 1 : 2;
  static constexpr int kPanels = kVecs / kPanelVecs, kCols = kVecs * kHalfLanes;

  LINNET_INLINE void Clear() {
    Repeat<kRows * kVecs>(LINNET_BODY(i) { acc[i / kVecs][i % kVecs] = Halves{}; });
  }
  // Group: kGroup vectors of the panels, of one k. kTurn counts the groups of successive k's.
  template <int kTurn, int kVec>
  LINNET_INLINE void LoadVec(const std::byte* const (&b)[kPanels]) {
    constexpr int kStep = kTurn * kGroup + kVec, kColumn = kStep % kVecs;
    constexpr int64_t kOffset =
        kStep / kVecs * kRowBytes + kColumn % kPanelVecs * int64_t{sizeof(Halves)};
    LoadHalves<kOffset>(b[kColumn / kPanelVecs], row[kTurn % 2][kVec]);
  }
  // Multiplies a group, and loads the next one meanwhile.
  template <int kTurn, int kTurns>
  LINNET_INLINE void AddGroup(const std::byte* const (&b)[kPanels], const float16x4_t (&a)[kRows]) {
    Repeat<kGroup * kRows>(LINNET_BODY(i) {
      constexpr int kVec = i / kRows, kStep = kTurn * kGroup + kVec;
      MulAddLane<kStep / kVecs>(acc[i % kRows][kStep % kVecs], row[kTurn % 2][kVec], a[i % kRows]);
      if constexpr (i < kGroup && kTurn + 1 < kTurns) LoadVec<kTurn + 1, i>(b);
    });
  }
  template <int kDepth>
  LINNET_INLINE void AddDepth(const std::byte* const (&b)[kPanels], const float16x4_t (&a)[kRows]) {
    constexpr int kTurns = kDepth * kVecs / kGroup;
    Repeat<kTurns>(LINNET_BODY(turn) { AddGroup<turn, kTurns>(b, a); });
  }
  // Products of k's [k, end), of which `panels` points to the rows.
  LINNET_INLINE void Add(const float* const (&rows)[kRows], int64_t k, int64_t end,
                         const std::byte* const (&panels)[kPanels]) {
    const std::byte* b[kPanels];
    Repeat<kPanels>(LINNET_BODY(p) { b[p] = panels[p]; });
    float16x4_t a[kRows];
    for (; k + kQuad <= end; k += kQuad) {
      Repeat<kGroup>(LINNET_BODY(v) { LoadVec<0, v>(b); });
      Repeat<kRows>(LINNET_BODY(i) {
        Vec quad;
        LoadQuad(rows[i], k * int64_t{sizeof(float)}, quad);
        a[i] = vcvt_f16_f32(quad);
      });
      AddDepth<kQuad>(b, a);
      Repeat<kPanels>(LINNET_BODY(p) {
        __builtin_prefetch(b[p] + kFetchedAhead);
        if constexpr (kQuad * kRowBytes > 64) __builtin_prefetch(b[p] + kFetchedAhead + 64);
        b[p] += kQuad * kRowBytes;
      });
    }
    for (; k < end; ++k) {
      Repeat<kRows>(LINNET_BODY(i) { a[i] = vcvt_f16_f32(Broadcast<Vec>(rows[i][k])); });
      Repeat<kGroup>(LINNET_BODY(v) { LoadVec<0, v>(b); });
      AddDepth<1>(b, a);
      Repeat<kPanels>(LINNET_BODY(p) { b[p] += kRowBytes; });
    }
  }
  // Moves the sums of halves to those of floats.
  LINNET_INLINE void MoveTo(float (&sums)[kRows][kCols]) {
    Repeat<kRows * kVecs>(LINNET_BODY(i) {
      const auto halves = reinterpret_cast<float16x8_t>(acc[i / kVecs][i % kVecs]);
      float* to = sums[i / kVecs] + i % kVecs * kHalfLanes;
      vst1q_f32(to, vaddq_f32(vld1q_f32(to), vcvt_f32_f16(vget_low_f16(halves))));
      vst1q_f32(to + 4, vaddq_f32(vld1q_f32(to + 4), vcvt_f32_f16(vget_high_f16(halves))));
    });
    Clear();
  }

  Halves acc[kRows][kVecs];
  Halves row[2][kGroup];
};

template <int kRows, int kVecs>
void RunTile(const GemmBlock& g, const Place& at) {
  using TileOf = Tile<kRows, kVecs>;
  float sums[kRows][TileOf::kCols];
  for (int i = 0; i < kRows; ++i) encoded::Begin(g, at.col, TileOf::kCols, sums[i]);
  __asm__ volatile("" : : : "memory");  // stores to what the tile reads
  TileOf tile;
  tile.Clear();
  int64_t first = 0, terms = 0;  // row of the panels; terms of the sums of halves
  for (int64_t t = 0; t < g.taps; ++t) {
    const float* rows[kRows];
    Repeat<kRows>(LINNET_BODY(i) { rows[i] = g.a[t * g.rows + at.row + i]; });
    for (int64_t k = 0; k < g.depth;) {
      const int64_t end = std::min(k + kHalfSumTerms - terms, g.depth);
      const std::byte* panels[TileOf::kPanels];
      Repeat<TileOf::kPanels>(LINNET_BODY(p) {
        panels[p] = at.panels + p * at.panel_bytes + first * TileOf::kRowBytes;
      });
      tile.Add(rows, k, end, panels);
      first += end - k;
      terms += end - k;
      k = end;
      if (terms < kHalfSumTerms) continue;
      tile.MoveTo(sums);
      terms = 0;
    }
  }
  if (terms > 0) tile.MoveTo(sums);
  __asm__ volatile("" : : : "memory");  // who calls this may write next what was read here
  for (int i = 0; i < kRows; ++i) encoded::End(g, at.row + i, at.col, TileOf::kCols, sums[i]);
}

template <int kVecs>
struct Tiles {
  template <int kRows>
  static void Run(const GemmBlock& g, const Place& at) {
    RunTile<kRows, kVecs>(g, at);
  }
};

}  // namespace linnet::LINNET_ISA::half_sums

namespace linnet::LINNET_ISA {

// 32 registers: sums, elements of the rows, and some for what is loaded from panels.
void ProductInHalves(const kernels::GemmBlock& g) {
  using namespace half_sums;
  const int64_t depth = g.taps * g.depth;
  const std::byte* panels = g.encoded->data + g.encoded_offset * kHalfBytes;
  for (int64_t col = 0; col < g.cols;) {
    const int64_t left = g.cols - col;
    const Place at = {0, col, panels + col * depth * kHalfBytes, kPanelCols * depth * kHalfBytes};
    if (left > 2 * kPanelCols - kHalfPanelCols) {
      encoded::RunColumn<Tiles<4>, 5>(g, at);
      col += 2 * kPanelCols;
    } else if (left > kHalfPanelCols) {
      encoded::RunColumn<Tiles<2>, 8>(g, at);
      col += kPanelCols;
    } else {
      encoded::RunColumn<Tiles<1>, 8>(g, at);
      col += kHalfPanelCols;
    }
  }
}

}  // namespace linnet::LINNET_ISA
#undef LINNET_BODY

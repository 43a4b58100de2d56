// SPDX-License-Identifier: Apache-2.0
// Included by isa_inl.h for AVX-512: products that multiply and add in binary16, 32 in one
// instruction, on CPUs that have AVX512-FP16 (InstructionSet::kFp16). What they add is said in
// encoded_filter.h. Rows are rounded to halves once for all columns of a tile, so that tensors stay
// f32.

namespace linnet::LINNET_ISA::half_sums {

using encoded::Place;
using kernels::GemmBlock;
using kernels::kHalfPanelCols;
using kernels::kHalfSumTerms;
using kernels::kPanelCols;

typedef __m512i Halves;  // 32

// The compiler need not know of the instruction, so that the rest of the program has none of its
// set.
LINNET_INLINE void MulAdd(Halves a, Halves b, Halves& sum) {
  __asm__("vfmadd231ph %1, %2, %0" : "+v"(sum) : "v"(b), "v"(a));
}

// A tile has up to kRows rows and kParts parts of columns: rounding a row for two parts takes half
// the time. A part has up to kVecs vectors, each of two panels. 32 registers hold the sums of one,
// a row of its panels and a factor.
inline constexpr int kRows = 14, kParts = 2, kVecs = 2;
inline constexpr int64_t kVecCols = 2 * kPanelCols, kPartCols = kVecs * kVecCols;
inline constexpr int64_t kHalfBytes = 2, kPanelRowBytes = kPanelCols * kHalfBytes;
inline constexpr int64_t kPanelBytesAhead = 1024, kTermsAhead = 2 * kHalfSumTerms;

// Elements of a row, rounded and each twice in a word: a CPU broadcasts words where it loads them,
// and halves by one more instruction.
struct Factors {
  // 0 <= count <= kHalfSumTerms
  LINNET_INLINE void Round(const float* row, int64_t count) {
    const __m512i twice = _mm512_set_epi16(15, 15, 14, 14, 13, 13, 12, 12, 11, 11, 10, 10, 9, 9, 8,
                                           8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0);
    LINNET_UNROLL for (int64_t k = 0; k < kHalfSumTerms; k += kLanes) {
      Prefetch(reinterpret_cast<intptr_t>(row) + (k + kTermsAhead) * int64_t{sizeof(float)});
      const auto lanes = static_cast<__mmask16>(((int64_t{1} << count) - 1) >> k);
      const __m256i rounded =
          _mm512_cvtps_ph(_mm512_maskz_loadu_ps(lanes, row + k), _MM_FROUND_TO_NEAREST_INT);
      _mm512_store_si512(words + k,
                         _mm512_permutexvar_epi16(twice, _mm512_castsi256_si512(rounded)));
    }
  }
  LINNET_INLINE Halves At(int64_t k) const { return _mm512_set1_epi32(words[k]); }

  alignas(64) int32_t words[kHalfSumTerms];
};

// Rows of the panels of a part, one after the other. The last panel may be half of one, or missing.
class PanelRows {
 public:
  // `cols`: those from the first one of the last vector on, at least 1.
  LINNET_INLINE void BeginAt(const Place& at, int64_t vecs, int64_t cols) {
    first_ = at.panels;
    panel_bytes_ = at.panel_bytes;
    low_ = high_ = first_ + (vecs - 1) * 2 * panel_bytes_;
    low_words_ = WordsOf(cols);
    high_words_ = 0;
    if (cols <= kPanelCols) return;
    high_ += panel_bytes_;
    high_words_ = WordsOf(cols - kPanelCols);
  }
  template <int kCount>
  LINNET_INLINE void Load(Halves (&row)[kCount]) const {
    LINNET_UNROLL for (int p = 0; p < 2 * kCount; ++p)
        Prefetch(reinterpret_cast<intptr_t>(first_) + p * panel_bytes_ + kPanelBytesAhead);
    if constexpr (kCount == 2) {
      const auto* low = reinterpret_cast<const __m256i*>(first_);
      const auto* high = reinterpret_cast<const __m256i*>(first_ + panel_bytes_);
      row[0] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(low)),
                                  _mm256_loadu_si256(high), 1);
    }
    // What the masks leave out is not read: the upper half of a vector comes from `high_`.
    const auto before = reinterpret_cast<uintptr_t>(high_) - kPanelRowBytes;
    row[kCount - 1] = _mm512_mask_loadu_epi32(
        _mm512_maskz_loadu_epi32(FirstLanes(low_words_), low_),
        static_cast<__mmask16>(FirstLanes(high_words_) << kWords),
        reinterpret_cast<const void*>(before));  // NOLINT(performance-no-int-to-ptr)
  }
  LINNET_INLINE void Next() {
    first_ += kPanelRowBytes;
    low_ += low_words_ * kWordBytes;
    high_ += high_words_ * kWordBytes;
  }

 private:
  static constexpr int64_t kWordBytes = 4, kWords = kPanelRowBytes / kWordBytes;
  LINNET_INLINE static int64_t WordsOf(int64_t cols) {
    return cols > kHalfPanelCols ? kWords : kWords / 2;
  }

  const std::byte* first_;        // of the first vector
  const std::byte *low_, *high_;  // of the last one
  int64_t panel_bytes_;
  int64_t low_words_, high_words_;  // in one row of a panel
};

// Some columns of a tile, and their sums.
struct Part {
  LINNET_INLINE void BeginAt(const GemmBlock& g, const Place& at) {
    col = at.col;
    vecs = g.cols - at.col > kVecCols ? 2 : 1;
    panels.BeginAt(at, vecs, g.cols - at.col - (vecs - 1) * kVecCols);
    for (int64_t v = 0; v < 2 * vecs; ++v) {
      const int64_t left = g.cols - col - v * kLanes;
      lanes[v] = FirstLanes(left < 0 ? 0 : left < kLanes ? left : kLanes);
    }
  }

  int64_t col, vecs;
  PanelRows panels;
  __mmask16 lanes[2 * kVecs];  // the columns that there are
  // [rows][columns], in halves and in floats
  Halves halves[kRows * kVecs];
  float sums[kRows * kPartCols];
};

// Adds the next `count` products to each sum in halves, count <= kHalfSumTerms, of `rows` rows, at
// least 1. `go_on` has all bits, or none where these sums begin with 0. kCount: the part's vectors.
template <int kCount>
void AddProducts(int64_t rows, int64_t count, const Factors* factors, __mmask16 go_on, Part& part) {
  PanelRows panels = part.panels;
  Halves sums[kRows][kCount];
  LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
    LINNET_UNROLL for (int v = 0; v < kCount; ++v) sums[i][v] =
        _mm512_maskz_loadu_epi32(go_on, &part.halves[i * kCount + v]);
  }
  LINNET_KEEP_LOOP for (int64_t k = 0; k < count; ++k, panels.Next()) {
    Halves row[kCount];
    panels.Load(row);
#define LINNET_ROW(i)                                                                  \
  case (i) + 1: {                                                                      \
    const Halves factor = factors[i].At(k);                                            \
    LINNET_UNROLL for (int v = 0; v < kCount; ++v) MulAdd(factor, row[v], sums[i][v]); \
    [[fallthrough]];                                                                   \
  }
    switch (rows) {
      LINNET_ROW(13)
      LINNET_ROW(12)
      LINNET_ROW(11)
      LINNET_ROW(10)
      LINNET_ROW(9)
      LINNET_ROW(8)
      LINNET_ROW(7)
      LINNET_ROW(6)
      LINNET_ROW(5)
      LINNET_ROW(4)
      LINNET_ROW(3)
      LINNET_ROW(2)
      LINNET_ROW(1)
      LINNET_ROW(0)
      default:
        break;
    }
#undef LINNET_ROW
  }
  LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
    LINNET_UNROLL for (int v = 0; v < kCount; ++v) part.halves[i * kCount + v] = sums[i][v];
  }
  part.panels = panels;
}

// Adds the first `count` vectors of sums of halves to those of floats.
LINNET_INLINE void MoveToFloats(int64_t count, Part& part) {
  float* sums = part.sums;
  LINNET_KEEP_LOOP for (int64_t i = 0; i < count; ++i, sums += kVecCols) {
    const auto* from = reinterpret_cast<const __m256i*>(part.halves + i);
    LINNET_UNROLL for (int v = 0; v < 2; ++v) {
      const Vec added = _mm512_cvtph_ps(_mm256_loadu_si256(from + v));
      Store(sums + v * kLanes, Load<Vec>(sums + v * kLanes) + added);
    }
  }
}

// As encoded::Begin and encoded::End, but for all rows in one piece of code: with few terms their
// calls, two for each row, take longer than the products.
LINNET_INLINE void Begin(const GemmBlock& g, int64_t rows, Part& part) {
  for (int64_t v = 0; v < 2 * part.vecs; ++v) {
    Vec first = {};
    if (g.bias != nullptr)
      first = _mm512_maskz_loadu_ps(part.lanes[v], g.bias + part.col + v * kLanes);
    float* to = part.sums + v * kLanes;
    LINNET_KEEP_LOOP for (int64_t i = 0; i < rows; ++i, to += part.vecs * kVecCols)
        Store(to, first);
  }
}
LINNET_INLINE void End(const GemmBlock& g, float* const* out, int64_t rows, const Part& part) {
  const Vec min = Broadcast<Vec>(g.min), max = Broadcast<Vec>(g.max);
  const float* from = part.sums;
  for (int64_t i = 0; i < rows; ++i) {
    float* to = out[i] + part.col;
    LINNET_KEEP_LOOP for (int64_t v = 0; v < 2 * part.vecs; ++v, from += kLanes)
        _mm512_mask_storeu_ps(to + v * kLanes, part.lanes[v], ClampTo(Load<Vec>(from), min, max));
  }
}

// `second`: whether the tile has two parts.
void RunTile(const GemmBlock& g, Place at, int64_t rows, bool second) {
  Factors factors[kRows];
  Part parts[kParts];
  for (int p = 0; p <= second; ++p) {
    parts[p].BeginAt(g, at);
    Begin(g, rows, parts[p]);
    at.col += kPartCols;
    at.panels += 2 * kVecs * at.panel_bytes;
  }
  int64_t terms = 0;  // of the sums of halves
  for (int64_t t = 0; t < g.taps; ++t) {
    const float* const* a = g.a + t * g.rows + at.row;
    for (int64_t k = 0; k < g.depth;) {
      const int64_t wanted = kHalfSumTerms - terms, left = g.depth - k;
      const int64_t count = left < wanted ? left : wanted;
      LINNET_KEEP_LOOP for (int64_t i = 0; i < rows; ++i) factors[i].Round(a[i] + k, count);
      const __mmask16 go_on = FirstLanes(terms > 0 ? kLanes : 0);
      k += count;
      terms += count;
      const bool move = terms == kHalfSumTerms || (k == g.depth && t + 1 == g.taps);
      if (move) terms = 0;
      LINNET_KEEP_LOOP for (int p = 0; p <= second; ++p) {
        (parts[p].vecs == 1 ? AddProducts<1> : AddProducts<2>)(rows, count, factors, go_on,
                                                               parts[p]);
        if (move) MoveToFloats(rows * parts[p].vecs, parts[p]);
      }
    }
  }
  for (int p = 0; p <= second; ++p) End(g, g.out + at.row, rows, parts[p]);
}

}  // namespace linnet::LINNET_ISA::half_sums

namespace linnet::LINNET_ISA {

void ProductInHalves(const kernels::GemmBlock& g) {
  using namespace half_sums;
  const int64_t column_bytes = g.taps * g.depth * kHalfBytes;
  const std::byte* panels = g.encoded->data + g.encoded_offset * kHalfBytes;
  for (int64_t col = 0; col < g.cols; col += kParts * kPartCols) {
    Place at = {0, col, panels + col * column_bytes, kPanelCols * column_bytes};
    const bool second = g.cols - col > kPartCols;
    for (int64_t tiles = (g.rows + kRows - 1) / kRows; tiles > 0; --tiles) {
      const int64_t rows = (g.rows - at.row) / tiles;  // about equally many in each
      RunTile(g, at, rows, second);
      at.row += rows;
    }
  }
}

}  // namespace linnet::LINNET_ISA

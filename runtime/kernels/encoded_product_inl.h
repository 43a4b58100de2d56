// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. Products of few rows, which decode the weights in
// registers. They add in the order of the other products, so they have the same bits.
#if LINNET_ISA_AVX2 || defined(__aarch64__)

namespace linnet::LINNET_ISA::encoded {

using kernels::EncodedFilter;
using kernels::GemmBlock;
using kernels::kHalfPanelCols;
using kernels::kPanelCols;

// A tile has sums of some rows and some panels: as many panels as there are registers for, because
// memory answers faster at several places at once.
inline constexpr int kTileRows = kMostEncodedRows, kWidePanels = 4;
#if LINNET_ISA_AVX512
inline constexpr int kWideRows = kTileRows, kNarrowRows = 1;
#else
inline constexpr int kWideRows = 1, kNarrowRows = kTileRows;
#endif
// The hardware's prefetcher stops at the end of each page.
inline constexpr int64_t kLineBytes = 64, kAheadBytes = 4096;  // of all panels of a tile

template <int64_t kCols>
inline constexpr int kVecsOf = kCols <= kLanes ? 1 : static_cast<int>(kCols / kLanes);

// Decoders: Row() makes floats of kCols elements of a panel's row, 16 or 8. It reads no others.
struct Halves {
  static constexpr bool kIsUsual = true;
  static constexpr int64_t kBytes = 2;
  explicit Halves(const EncodedFilter&) {}

  template <int64_t kCols>
  LINNET_INLINE void Row(const std::byte* row, Vec (&to)[kVecsOf<kCols>]) const {
#if LINNET_ISA_AVX512
    if constexpr (kCols == kLanes)
      to[0] = _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)));
    else
      to[0] = _mm512_cvtph_ps(
          _mm256_zextsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row))));
#elif LINNET_ISA_AVX2
    LINNET_UNROLL for (int v = 0; v < kVecsOf<kCols>; ++v) to[v] =
        _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row) + v));
#else
    LINNET_UNROLL for (int v = 0; v < kVecsOf<kCols>; ++v) to[v] =
        vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(reinterpret_cast<const uint8_t*>(row) + v * 8)));
#endif
  }
};

template <int64_t kCols>
LINNET_INLINE void LoadBytes(const std::byte* row, IntVec (&to)[kVecsOf<kCols>]) {
#if LINNET_ISA_AVX512
  const auto* p = reinterpret_cast<const __m128i*>(row);
  const __m128i bytes = kCols == kLanes ? _mm_loadu_si128(p) : _mm_loadl_epi64(p);
  to[0] = reinterpret_cast<IntVec>(_mm512_cvtepu8_epi32(bytes));
#elif LINNET_ISA_AVX2
  LINNET_UNROLL for (int v = 0; v < kVecsOf<kCols>; ++v) to[v] = reinterpret_cast<IntVec>(
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(row + v * kLanes))));
#else
  LINNET_UNROLL for (int v = 0; v < kVecsOf<kCols>; v += 2) {
    const uint16x8_t eight = vmovl_u8(vld1_u8(reinterpret_cast<const uint8_t*>(row) + v * kLanes));
    to[v] = vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(eight)));
    to[v + 1] = vreinterpretq_s32_u32(vmovl_high_u16(eight));
  }
#endif
}

LINNET_INLINE Vec ToFloats(IntVec x) { return __builtin_convertvector(x, Vec); }

struct AffineFloats {
  static constexpr bool kIsUsual = true;
  static constexpr int64_t kBytes = 1;
  explicit AffineFloats(const EncodedFilter& filter)
      : zero(filter.floats.zero - IntVec{}),
        scale(Broadcast<Vec>(filter.floats.scale)),
        scale_rest(Broadcast<Vec>(filter.floats.scale_rest)),
        minimum(Broadcast<Vec>(filter.floats.minimum)) {}

  template <int64_t kCols>
  LINNET_INLINE void Row(const std::byte* row, Vec (&to)[kVecsOf<kCols>]) const {
    IntVec bytes[kVecsOf<kCols>];
    LoadBytes<kCols>(row, bytes);
    LINNET_UNROLL for (int v = 0; v < kVecsOf<kCols>; ++v) {
      const Vec n = ToFloats(bytes[v] - zero);
      to[v] = MulAdd(n, scale, MulAdd(n, scale_rest, minimum));
    }
  }

  IntVec zero;
  Vec scale, scale_rest, minimum;
};

// As core/encoding.cc does it, for the few filters for which floats would round otherwise.
struct AffineDoubles {
  static constexpr bool kIsUsual = false;
  static constexpr int64_t kBytes = 1;
  typedef double Doubles __attribute__((vector_size(4 * kLanes)));
  typedef int32_t HalfInts __attribute__((vector_size(2 * kLanes)));
  typedef float HalfFloats __attribute__((vector_size(2 * kLanes)));
  explicit AffineDoubles(const EncodedFilter& filter)
      : scale(filter.scale - Doubles{}), minimum(filter.minimum - Doubles{}) {}

  LINNET_INLINE HalfFloats Half(HalfInts q) const {
    return __builtin_convertvector(__builtin_convertvector(q, Doubles) * scale + minimum,
                                   HalfFloats);
  }
  template <int64_t kCols>
  LINNET_INLINE void Row(const std::byte* row, Vec (&to)[kVecsOf<kCols>]) const {
    IntVec bytes[kVecsOf<kCols>];
    LoadBytes<kCols>(row, bytes);
    LINNET_UNROLL for (int v = 0; v < kVecsOf<kCols>; ++v) {
      struct {
        HalfInts q[2];
      } ints;
      struct {
        HalfFloats x[2];
      } floats;
      __builtin_memcpy(&ints, &bytes[v], sizeof(ints));
      floats.x[0] = Half(ints.q[0]);
      floats.x[1] = Half(ints.q[1]);
      __builtin_memcpy(&to[v], &floats, sizeof(floats));
    }
  }

  Doubles scale, minimum;
};

// Place of a tile: its first row and column, and row 0 of its first panel.
struct Place {
  int64_t row, col;
  const std::byte* panels;
  int64_t panel_bytes;  // from one panel to the next
};

// With what `count` sums from a column on begin, in all rows.
__attribute__((noinline)) void Begin(const GemmBlock& g, int64_t col, int64_t count, float* sums) {
  __builtin_memset(sums, 0, static_cast<size_t>(count) * sizeof(float));
  if (g.bias == nullptr) return;
  const int64_t cols = std::min(count, g.cols - col);
  __builtin_memcpy(sums, g.bias + col, static_cast<size_t>(cols) * sizeof(float));
}

// What becomes of the sums of one row. `count` is a multiple of kLanes.
__attribute__((noinline)) void End(const GemmBlock& g, int64_t row, int64_t col, int64_t count,
                                   float* sums) {
  const Vec min = Broadcast<Vec>(g.min), max = Broadcast<Vec>(g.max);
  for (int64_t n = 0; n < count; n += kLanes)
    Store(sums + n, ClampTo(Load<Vec>(sums + n), min, max));
  const int64_t cols = std::min(count, g.cols - col);
  __builtin_memcpy(g.out[row] + col, sums, static_cast<size_t>(cols) * sizeof(float));
}

template <int kRows, int kPanels, int64_t kCols>
struct Tile {
  static constexpr int kVecs = kVecsOf<kCols>;  // of a panel's row
  static constexpr int kSums = kPanels * kVecs * kLanes;

  LINNET_INLINE void BeginAt(const GemmBlock& g, const Place& at) {
    float first[kSums];
    Begin(g, at.col, kSums, first);
    LINNET_UNROLL for (int v = 0; v < kPanels * kVecs; ++v) {
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) sums[i][v] = Load<Vec>(first + v * kLanes);
    }
  }
  template <typename Decoder>
  LINNET_INLINE void Add(const Decoder& decoder, const std::byte* b, const Place& at,
                         const float* const (&a)[kRows], int64_t k) {
    Vec factors[kRows];
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) factors[i] = Broadcast<Vec>(a[i][k]);
    LINNET_UNROLL for (int p = 0; p < kPanels; ++p) {
      Vec row[kVecs];
      decoder.template Row<kCols>(b + p * at.panel_bytes, row);
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
        LINNET_UNROLL for (int v = 0; v < kVecs; ++v) sums[i][p * kVecs + v] =
            MulAdd(factors[i], row[v], sums[i][p * kVecs + v]);
      }
    }
  }
  LINNET_INLINE void EndAt(const GemmBlock& g, const Place& at) {
    float last[kRows][kSums];
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
      LINNET_UNROLL for (int v = 0; v < kPanels * kVecs; ++v)
          Store(last[i] + v * kLanes, sums[i][v]);
    }
    for (int i = 0; i < kRows; ++i) End(g, at.row + i, at.col, kSums, last[i]);
  }

  Vec sums[kRows][kPanels * kVecs];
};

template <typename Decoder, int kRows, int kPanels, int64_t kCols>
void RunTile(const GemmBlock& g, const Place& at) {
  constexpr int64_t kRowBytes = kCols * Decoder::kBytes;
  constexpr int64_t kLineRows = Decoder::kIsUsual ? kLineBytes / kRowBytes : 1;
  const Decoder decoder(*g.encoded);
  Tile<kRows, kPanels, kCols> tile;
  tile.BeginAt(g, at);
  const std::byte* b = at.panels;
  for (int64_t t = 0; t < g.taps; ++t) {
    const float* a[kRows];
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) a[i] = g.a[t * g.rows + at.row + i];
    int64_t k = 0;
    for (; k + kLineRows <= g.depth; k += kLineRows, b += kLineRows * kRowBytes) {
      LINNET_UNROLL for (int p = 0; p < kPanels; ++p)
          __builtin_prefetch(b + p * at.panel_bytes + kAheadBytes / kPanels);
      LINNET_UNROLL for (int64_t s = 0; s < kLineRows; ++s)
          tile.Add(decoder, b + s * kRowBytes, at, a, k + s);
    }
    for (; k < g.depth; ++k, b += kRowBytes) tile.Add(decoder, b, at, a, k);
  }
  tile.EndAt(g, at);
}

template <typename Decoder, int kPanels, int64_t kCols>
struct DecodedTiles {
  template <int kRows>
  static void Run(const GemmBlock& g, const Place& at) {
    RunTile<Decoder, kRows, kPanels, kCols>(g, at);
  }
};

// 1 <= rows <= kRows. `Tiles` are those of one width.
template <typename Tiles, int kRows>
void RunTileOfRows(int64_t rows, const GemmBlock& g, const Place& at) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return RunTileOfRows<Tiles, kRows - 1>(rows, g, at);
  }
  Tiles::template Run<kRows>(g, at);
}

// All rows of a block for the columns of one tile, in tiles of about equal height.
template <typename Tiles, int kRows>
void RunColumn(const GemmBlock& g, Place at) {
  for (int64_t tiles = (g.rows + kRows - 1) / kRows; tiles > 0; --tiles) {
    const int64_t rows = (g.rows - at.row) / tiles;
    RunTileOfRows<Tiles, kRows>(rows, g, at);
    at.row += rows;
  }
}

// The last panels, of which there are few, may be decoded once for each row.
template <typename Decoder>
void Product(const GemmBlock& g) {
  const int64_t depth = g.taps * g.depth;
  const std::byte* panels = g.encoded->data + g.encoded_offset * Decoder::kBytes;
  for (int64_t col = 0, count = 0; col < g.cols; col += count * kPanelCols) {
    const int64_t left = g.cols - col;
    const Place at = {0, col, panels + col * depth * Decoder::kBytes,
                      kPanelCols * depth * Decoder::kBytes};
    count = 1;
    if constexpr (Decoder::kIsUsual) {
      const bool fits = kWideRows == kTileRows || g.rows <= kWideRows;
      if (fits && left > kWidePanels * kPanelCols - kHalfPanelCols) {
        RunColumn<DecodedTiles<Decoder, kWidePanels, kPanelCols>, kWideRows>(g, at);
        count = kWidePanels;
        continue;
      }
    }
    if constexpr (Decoder::kIsUsual && kWideRows == 1) {
      if (g.rows == 2 && left > 2 * kPanelCols - kHalfPanelCols) {
        RunTile<Decoder, 2, 2, kPanelCols>(g, at);
        count = 2;
        continue;
      }
    }
    if (left > kHalfPanelCols)
      RunColumn<DecodedTiles<Decoder, 1, kPanelCols>, Decoder::kIsUsual ? kNarrowRows : 1>(g, at);
    else
      RunColumn<DecodedTiles<Decoder, 1, kHalfPanelCols>, 1>(g, at);
  }
}

}  // namespace linnet::LINNET_ISA::encoded

namespace linnet::LINNET_ISA {

void HalfProduct(const kernels::GemmBlock& g) { encoded::Product<encoded::Halves>(g); }
void AffineProduct(const kernels::GemmBlock& g) {
  if (g.encoded->has_floats) return encoded::Product<encoded::AffineFloats>(g);
  encoded::Product<encoded::AffineDoubles>(g);
}

}  // namespace linnet::LINNET_ISA
#endif

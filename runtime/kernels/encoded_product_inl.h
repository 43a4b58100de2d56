// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. Products of few rows, which decode the weights in
// registers. They add in the order of the other products, so they have the same bits.
#if LINNET_ISA_AVX2 || defined(__aarch64__)

namespace linnet::LINNET_ISA::encoded {

using kernels::EncodedFilter;
using kernels::GemmBlock;
using kernels::kHalfPanelCols;
using kernels::kPanelCols;

// Accumulators of a tile: half of the registers, the others contain weights and what decodes them.
#if LINNET_ISA_AVX512 || defined(__aarch64__)
inline constexpr int kMostSums = 16;
#else
inline constexpr int kMostSums = 8;
#endif
inline constexpr int kTileRows = kernels::kFewRows, kWidePanels = 4;
// The hardware's prefetcher stops at the end of each page.
inline constexpr int64_t kLineBytes = 64, kAheadBytes = 1024;

template <int64_t kCols>
inline constexpr int kVecsOf = kCols <= kLanes ? 1 : static_cast<int>(kCols / kLanes);

// Decoders: Row() makes floats of kCols elements of a panel's row, 16 or 8. It reads no others.
struct Halves {
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

// Place of a tile: its rows and columns, and row 0 of its first panel.
struct Place {
  int64_t row, col;
  const std::byte* panels;
  int64_t panel_bytes;  // from one panel to the next
};

template <int kRows, int kPanels, int64_t kCols>
struct Tile {
  static constexpr int kVecs = kVecsOf<kCols>;  // of a panel's row

  LINNET_INLINE static int64_t ColsAt(const GemmBlock& g, const Place& at, int v) {
    const int64_t left = g.cols - at.col - v * kLanes;
    return left < 0 ? 0 : left < kLanes ? left : kLanes;
  }
  LINNET_INLINE void Begin(const GemmBlock& g, const Place& at) {
    LINNET_UNROLL for (int v = 0; v < kPanels * kVecs; ++v) {
      const Vec bias = g.bias == nullptr
                           ? Vec{}
                           : LoadPart(g.bias + at.col + v * kLanes, ColsAt(g, at, v), 0.0f);
      LINNET_UNROLL for (int i = 0; i < kRows; ++i) sums[i][v] = bias;
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
  LINNET_INLINE void End(const GemmBlock& g, const Place& at) {
    const Vec min = Broadcast<Vec>(g.min), max = Broadcast<Vec>(g.max);
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) {
      LINNET_UNROLL for (int v = 0; v < kPanels * kVecs; ++v) StorePart(
          g.out[at.row + i] + at.col + v * kLanes, ClampTo(sums[i][v], min, max), ColsAt(g, at, v));
    }
  }

  Vec sums[kRows][kPanels * kVecs];
};

template <typename Decoder, int kRows, int kPanels, int64_t kCols>
void RunTile(const GemmBlock& g, const Place& at) {
  constexpr int64_t kRowBytes = kCols * Decoder::kBytes, kLineRows = kLineBytes / kRowBytes;
  const Decoder decoder(*g.encoded);
  Tile<kRows, kPanels, kCols> tile;
  tile.Begin(g, at);
  const std::byte* b = at.panels;
  for (int64_t t = 0; t < g.taps; ++t) {
    const float* a[kRows];
    LINNET_UNROLL for (int i = 0; i < kRows; ++i) a[i] = g.a[t * g.rows + at.row + i];
    int64_t k = 0;
    for (; k + kLineRows <= g.depth; k += kLineRows, b += kLineBytes) {
      LINNET_UNROLL for (int p = 0; p < kPanels; ++p)
          __builtin_prefetch(b + p * at.panel_bytes + kAheadBytes);
      LINNET_UNROLL for (int64_t s = 0; s < kLineRows; ++s)
          tile.Add(decoder, b + s * kRowBytes, at, a, k + s);
    }
    for (; k < g.depth; ++k, b += kRowBytes) tile.Add(decoder, b, at, a, k);
  }
  tile.End(g, at);
}

// 1 <= rows <= kRows.
template <typename Decoder, int kRows, int kPanels, int64_t kCols>
void RunTileOfRows(int64_t rows, const GemmBlock& g, const Place& at) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return RunTileOfRows<Decoder, kRows - 1, kPanels, kCols>(rows, g, at);
  }
  RunTile<Decoder, kRows, kPanels, kCols>(g, at);
}

// All rows of a block for the columns of one tile.
template <typename Decoder, int kPanels, int64_t kCols>
void RunColumn(const GemmBlock& g, Place at) {
  constexpr int kRows = std::min(kTileRows, kMostSums / (kPanels * kVecsOf<kCols>));
  for (int64_t tiles = (g.rows - at.row + kRows - 1) / kRows; tiles > 0; --tiles) {
    const int64_t rows = (g.rows - at.row) / tiles;
    RunTileOfRows<Decoder, kRows, kPanels, kCols>(rows, g, at);
    at.row += rows;
  }
}

// As many panels at once as the sums of a tile's rows have registers for.
template <typename Decoder, int kPanels>
bool RunPanels(const GemmBlock& g, const Place& at) {
  constexpr int64_t kRows = kMostSums / (kPanels * kVecsOf<kPanelCols>);
  const int64_t left = g.cols - at.col;
  if (std::min<int64_t>(g.rows, kTileRows) > kRows || left <= kPanels * kPanelCols - kHalfPanelCols)
    return false;
  RunColumn<Decoder, kPanels, kPanelCols>(g, at);
  return true;
}

template <typename Decoder>
void Product(const GemmBlock& g) {
  const int64_t depth = g.taps * g.depth;
  const std::byte* panels = g.encoded->data + g.encoded_offset * Decoder::kBytes;
  // Where four panels do not fit for some rows, but two do.
  constexpr bool kFitsTwo = kMostSums < kTileRows * kWidePanels * kVecsOf<kPanelCols>;
  for (int64_t col = 0; col < g.cols;) {
    const Place at = {0, col, panels + col * depth * Decoder::kBytes,
                      kPanelCols * depth * Decoder::kBytes};
    int64_t count = 1;
    if (RunPanels<Decoder, kWidePanels>(g, at))
      count = kWidePanels;
    else if (kFitsTwo && RunPanels<Decoder, 2>(g, at))
      count = 2;
    else if (g.cols - col > kHalfPanelCols)
      RunColumn<Decoder, 1, kPanelCols>(g, at);
    else
      RunColumn<Decoder, 1, kHalfPanelCols>(g, at);
    col += count * kPanelCols;
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

// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. Windows of 3 x 3 and 5 x 5, for instruction sets
// with enough registers. Each result is summed up in the order of depthwise_conv2d_inl.h.

namespace linnet::LINNET_ISA {

using kernels::DepthwiseRow;

// kResults neighbouring results of kVectors vectors of channels. Where a vector has two pixels,
// these are kResults pixels apart.
template <int kSide, int kStride, int kResults, int kVectors, typename LanesOfVector>
struct DepthwiseWindowTile {
  using Lanes = LanesOfVector;
  using Mask = typename Lanes::Mask;
  using Filter = Vec[kVectors][kSide];  // a row of weights
  using Sums = Vec[kVectors][kResults];
  static constexpr int kColumns = (kResults - 1) * kStride + kSide;  // of the image
  static constexpr int kPixels = kResults * Lanes::kPixels;

  const DepthwiseRow& r;
  Lanes lanes;
  int64_t c, x;  // the first channel and pixel

  // The first pixel of the tile at `x`. The last one of a row ends with it, so that some results
  // are computed twice.
  LINNET_INLINE static int64_t FirstPixel(const DepthwiseRow& r, int64_t x) {
    return x + kPixels <= r.out_w ? x : r.out_w - kPixels;
  }

  LINNET_INLINE void StartWithBias(Sums& sums) const {
    LINNET_UNROLL for (int v = 0; v < kVectors; ++v) {
      const float* bias = r.bias + c + v * kLanes;
      const Vec first = r.bias == nullptr ? Vec{} : lanes.Read(lanes.all, bias, 0);
      LINNET_UNROLL for (int p = 0; p < kResults; ++p) sums[v][p] = first;
    }
  }
  LINNET_INLINE void ReadFilter(int64_t ky, Filter& weights) const {
    LINNET_UNROLL for (int v = 0; v < kVectors; ++v) {
      const float* filter = r.filter + ky * kSide * r.pitch + c + v * kLanes;
      LINNET_UNROLL for (int k = 0; k < kSide; ++k) weights[v][k] =
          lanes.Read(lanes.all, filter + k * r.pitch, 0);
    }
  }

  // Only the columns at the edges may be outside the image.
  LINNET_INLINE Mask Inside(int j) const {
    constexpr int kMargin = kSide / 2;
    if (j >= kMargin && j < kColumns - kMargin) return lanes.all;
    const int64_t left = x * kStride - r.pad_left;
    const int64_t last_left = left + (Lanes::kPixels - 1) * kResults * kStride;
    return lanes.Inside(left + j >= 0, last_left + j < r.in_w);
  }
  // Vector `v` of column `j` of the image, in row `i` under the first output row.
  LINNET_INLINE Vec Column(int64_t i, int j, int v, Mask inside) const {
    const int64_t left = x * kStride - r.pad_left;
    const float* in = r.in + (r.first_row + i * r.row_step + left * r.pitch + c + v * kLanes);
    Vec column = lanes.Read(inside, in + j * r.pitch, kResults * kStride * r.pitch);
    KeepInRegister(column);
    return column;
  }

  // Adds the products of this vector to the sums that use it.
  LINNET_INLINE static void Add(Vec column, int j, int v, Mask inside, const Filter& weights,
                                Sums& sums) {
    LINNET_UNROLL for (int p = 0; p < kResults; ++p) {
      const int k = j - p * kStride;
      if (k < 0 || k >= kSide) continue;
      sums[v][p] = Lanes::MulAddLanes(inside, column, weights[v][k], sums[v][p]);
    }
  }

  LINNET_INLINE void Write(int row, const Sums& sums) const {
    const Vec min = Broadcast<Vec>(r.min), max = Broadcast<Vec>(r.max);
    LINNET_UNROLL for (int v = 0; v < kVectors; ++v) {
      float* out = r.out + row * r.out_step + x * r.pitch + c + v * kLanes;
      LINNET_UNROLL for (int p = 0; p < kResults; ++p)
          lanes.Write(out + p * r.pitch, kResults * r.pitch, ClampTo(sums[v][p], min, max));
    }
  }
};

// Weights are read for each tile, a row of the window at a time: for windows that the registers
// cannot hold.
template <int kSide, int kStride, int kResults>
struct DepthwiseReadFilter {
  // Output rows of a tile, as many as there are registers for.
  static constexpr int kRows = LINNET_ISA_AVX512 ? 2 : 1;
  template <int kVectors>
  using Tile = DepthwiseWindowTile<kSide, kStride, kResults, kVectors, PixelLanes>;

  // Adds row `i` of the image times row `ky` of the window.
  template <int kVectors>
  LINNET_INLINE static void AddRow(const Tile<kVectors>& tile, int64_t i, int64_t ky,
                                   Vec (&sums)[kVectors][kResults]) {
    Vec weights[kVectors][kSide];
    tile.ReadFilter(ky, weights);
    LINNET_UNROLL for (int j = 0; j < tile.kColumns; ++j) {
      const auto inside = tile.Inside(j);
      if (!inside) continue;
      LINNET_UNROLL for (int v = 0; v < kVectors; ++v)
          tile.Add(tile.Column(i, j, v, inside), j, v, inside, weights, sums);
    }
  }

  template <int kVectors>
  LINNET_INLINE static void Compute(const DepthwiseRow& r, const PixelLanes& lanes, int64_t c,
                                    int64_t x) {
    const Tile<kVectors> tile = {r, lanes, c, Tile<kVectors>::FirstPixel(r, x)};
    const bool both = kRows == 2 && r.rows == 2;
    const int64_t last_row = both ? kStride + r.next_last_ky : r.last_ky;
    Vec sums[kRows][kVectors][kResults];
    LINNET_UNROLL for (int row = 0; row < kRows; ++row) tile.StartWithBias(sums[row]);
    for (int64_t i = r.first_ky; i < last_row; ++i) {
      if (i < r.last_ky) AddRow<kVectors>(tile, i, i, sums[0]);
      if (both && i >= kStride) AddRow<kVectors>(tile, i, i - kStride, sums[kRows - 1]);
    }
    tile.Write(0, sums[0]);
    if (both) tile.Write(1, sums[kRows - 1]);
  }

  static void Rows(const DepthwiseRow& rows) {
    const DepthwiseRow r = rows;  // no store can change this copy, so it stays in registers
    for (int64_t x = 0; x < r.out_w; x += kResults) {
      int64_t c = 0;
#if LINNET_ISA_AVX512
      for (; c < r.channels; c += kLanes) Compute<1>(r, PixelLanes(r.channels - c), c, x);
#else
      // With two vectors no sum waits for itself. The last one ends with the channels.
      for (; c + 2 * kLanes <= r.channels; c += 2 * kLanes) Compute<2>(r, {}, c, x);
      for (; c < r.channels; c += kLanes)
        Compute<1>(r, {}, c + kLanes <= r.channels ? c : r.channels - kLanes, x);
#endif
    }
  }
};

#if LINNET_ISA_AVX512
// Weights of 3 x 3 stay in registers from tile to tile, and the image is read once for both rows.
template <int kStride, int kRows, int kResults, typename Lanes>
struct DepthwiseHeldFilter {
  static constexpr int kSide = 3;
  using Tile = DepthwiseWindowTile<kSide, kStride, kResults, 1, Lanes>;
  using Filter = typename Tile::Filter[kSide];

  LINNET_INLINE static void Compute(const Tile& tile, const Filter& weights) {
    const DepthwiseRow& r = tile.r;
    const int64_t last_row = kRows == 1 ? r.last_ky : kStride + r.next_last_ky;
    Vec sums[kRows][1][kResults];
    LINNET_UNROLL for (int row = 0; row < kRows; ++row) tile.StartWithBias(sums[row]);
    LINNET_UNROLL for (int i = 0; i < (kRows - 1) * kStride + kSide; ++i) {
      if (i < r.first_ky || i >= last_row) continue;
      LINNET_UNROLL for (int j = 0; j < Tile::kColumns; ++j) {
        const auto inside = tile.Inside(j);
        if (!inside) continue;
        const Vec column = tile.Column(i, j, 0, inside);
        LINNET_UNROLL for (int row = 0; row < kRows; ++row) {
          const int ky = i - row * kStride;
          if (ky >= 0 && ky < kSide) Tile::Add(column, j, 0, inside, weights[ky], sums[row]);
        }
      }
    }
    LINNET_UNROLL for (int row = 0; row < kRows; ++row) tile.Write(row, sums[row]);
  }

  // Channels [first, last) of the rows, one vector of them after the other.
  static void Rows(const DepthwiseRow& rows, int64_t first, int64_t last) {
    const DepthwiseRow r = rows;  // as above
    for (int64_t c = first; c < last; c += kLanes) {
      Tile tile = {r, Lanes(last - c), c, 0};
      Filter weights;
      LINNET_UNROLL for (int ky = 0; ky < kSide; ++ky) tile.ReadFilter(ky, weights[ky]);
      for (int64_t x = 0; x < r.out_w; x += Tile::kPixels) {
        tile.x = Tile::FirstPixel(r, x);
        Compute(tile, weights);
      }
    }
  }
};
#endif

// Whether the rows are for DepthwiseWindowRows: 3 x 3 or 5 x 5 without dilation, in steps of one
// or two, and windows leave the image by less than half, as with SAME padding.
inline constexpr int kFewResults = 4, kManyResults = 7;
inline bool HasDepthwiseWindow(const DepthwiseRow& r) {
  const int64_t side = r.kernel_w, margin = side / 2;
  const int64_t last_left = (r.out_w - 1) * r.stride_w - r.pad_left;
  return (side == 3 || side == 5) && r.kernel_h == side && (r.stride_w == 1 || r.stride_w == 2) &&
         r.dilation_w == 1 && r.row_step == r.in_w * r.pitch &&
         r.in_step == r.stride_w * r.row_step && r.out_w >= kFewResults && r.pad_left <= margin &&
         last_left + side <= r.in_w + margin && (LINNET_ISA_AVX512 || r.channels >= kLanes);
}

#if LINNET_ISA_AVX512
// Wide tiles take a tenth less time per pixel, where they fit.
inline bool FitsManyResults(int64_t out_w) {
  const auto computed = [&](int64_t pixels) { return (out_w + pixels - 1) / pixels * pixels; };
  return out_w >= kManyResults && computed(kManyResults) * 10 < computed(kFewResults) * 11;
}

template <int kStride>
void DepthwiseHeldRows(const DepthwiseRow& r) {
  if (r.rows == 1)
    return DepthwiseHeldFilter<kStride, 1, kFewResults, PixelLanes>::Rows(r, 0, r.channels);
  // Channels that fill half a vector share it between two pixels.
  using Halves = DepthwiseHeldFilter<kStride, 2, kStride == 1 ? 8 : 4, TwoPixelLanes>;
  const int64_t rest = r.channels % kLanes;
  const bool halves = 0 < rest && rest <= kLanes / 2 && r.out_w >= Halves::Tile::kPixels;
  const int64_t whole = halves ? r.channels - rest : r.channels;
  FitsManyResults(r.out_w)
      ? DepthwiseHeldFilter<kStride, 2, kManyResults, PixelLanes>::Rows(r, 0, whole)
      : DepthwiseHeldFilter<kStride, 2, kFewResults, PixelLanes>::Rows(r, 0, whole);
  Halves::Rows(r, whole, r.channels);
}
#endif

template <int kSide, int kStride>
void DepthwiseWindowRows(const DepthwiseRow& r) {
#if LINNET_ISA_AVX512
  if constexpr (kSide == 3) return DepthwiseHeldRows<kStride>(r);
  if (FitsManyResults(r.out_w)) return DepthwiseReadFilter<kSide, kStride, kManyResults>::Rows(r);
#endif
  DepthwiseReadFilter<kSide, kStride, kFewResults>::Rows(r);
}

// For rows with HasDepthwiseWindow.
void DepthwiseWindowRows(const DepthwiseRow& r) {
  if (r.kernel_w == 3)
    r.stride_w == 1 ? DepthwiseWindowRows<3, 1>(r) : DepthwiseWindowRows<3, 2>(r);
  else
    r.stride_w == 1 ? DepthwiseWindowRows<5, 1>(r) : DepthwiseWindowRows<5, 2>(r);
}

}  // namespace linnet::LINNET_ISA

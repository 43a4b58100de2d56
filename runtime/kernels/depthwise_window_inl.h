// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. For 32 registers of AVX-512.

namespace linnet::LINNET_ISA {

using kernels::DepthwiseRow;

// Windows of 3 x 3. A vector of channels goes along the row, so that its weights stay in registers,
// in tiles of kPixels pixels of kRows output rows: an element of the input is loaded once for all
// results of a tile that use it. Each result is summed up in the order of depthwise_conv2d_inl.h.
template <int kStride, int kRows, int kPixels>
struct DepthwiseWindow {
  static constexpr int kSide = 3;
  static constexpr int kInRows = (kRows - 1) * kStride + kSide;
  static constexpr int kColumns = (kPixels - 1) * kStride + kSide;

  // A vector of channels from `c` on.
  struct Channels {
    int64_t c;
    __mmask16 lanes;
    Vec weights[kSide][kSide];
    Vec bias;
  };

  LINNET_INLINE static Vec LoadLanes(const Channels& at, const float* p) {
    return _mm512_maskz_loadu_ps(at.lanes, p);
  }

  // Adds column `j` of row `i` of the input under the tile to the results that use it.
  LINNET_INLINE static void Accumulate(const Channels& at, int i, int j, Vec column,
                                       Vec (&acc)[kRows][kPixels]) {
    KeepInRegister(column);
    LINNET_UNROLL for (int row = 0; row < kRows; ++row) {
      const int ky = i - row * kStride;
      if (ky < 0 || ky >= kSide) continue;
      LINNET_UNROLL for (int p = 0; p < kPixels; ++p) {
        const int kx = j - p * kStride;
        if (kx >= 0 && kx < kSide) acc[row][p] = MulAdd(column, at.weights[ky][kx], acc[row][p]);
      }
    }
  }

  LINNET_INLINE static void Tile(const DepthwiseRow& r, const Channels& at, int64_t x) {
    const int64_t left = x * kStride - r.pad_left;
    const bool first_inside = left >= 0, last_inside = left + kColumns <= r.in_w;
    const int64_t last_row = kRows == 1 ? r.last_ky : kStride + r.next_last_ky;
    Vec acc[kRows][kPixels];
    LINNET_UNROLL for (int row = 0; row < kRows; ++row) {
      LINNET_UNROLL for (int p = 0; p < kPixels; ++p) acc[row][p] = at.bias;
    }
    const float* corner = r.in + (r.first_row + left * r.pitch + at.c);
    LINNET_UNROLL for (int i = 0; i < kInRows; ++i) {
      if (i < r.first_ky || i >= last_row) continue;
      LINNET_UNROLL for (int j = 0; j < kColumns; ++j) {
        if (j == 0 && !first_inside) continue;
        if (j == kColumns - 1 && !last_inside) continue;
        Accumulate(at, i, j, LoadLanes(at, corner + i * r.row_step + j * r.pitch), acc);
      }
    }
    const Vec min = Broadcast<Vec>(r.min), max = Broadcast<Vec>(r.max);
    LINNET_UNROLL for (int row = 0; row < kRows; ++row) {
      float* out = r.out + row * r.out_step + x * r.pitch + at.c;
      LINNET_UNROLL for (int p = 0; p < kPixels; ++p) {
        _mm512_mask_storeu_ps(out + p * r.pitch, at.lanes, ClampTo(acc[row][p], min, max));
      }
    }
  }

  static void Rows(const DepthwiseRow& rows) {
    const DepthwiseRow r = rows;  // no store can change this copy, so it stays in registers
    for (int64_t c = 0; c < r.channels; c += kLanes) {
      Channels at;
      at.c = c;
      at.lanes = FirstLanes(r.channels - c < kLanes ? r.channels - c : kLanes);
      LINNET_UNROLL for (int k = 0; k < kSide * kSide; ++k) at.weights[k / kSide][k % kSide] =
          LoadLanes(at, r.filter + k * r.pitch + c);
      at.bias = r.bias == nullptr ? Vec{} : LoadLanes(at, r.bias + c);
      for (int64_t x = 0; x < r.out_w; x += kPixels) {
        // The last tile ends with the row: some pixels are computed twice.
        const int64_t first = x + kPixels <= r.out_w ? x : r.out_w - kPixels;
        Tile(r, at, first);
      }
    }
  }
};

// Whether the rows are for DepthwiseWindowRows: 3 x 3 without dilation, and windows reach at most
// one column beyond the picture, as with SAME padding.
inline constexpr int64_t kLeastWindowPixels = 4;
LINNET_INLINE bool HasDepthwiseWindow(const DepthwiseRow& r) {
  const int64_t last_left = (r.out_w - 1) * r.stride_w - r.pad_left;
  return r.kernel_h == 3 && r.kernel_w == 3 && r.dilation_w == 1 &&
         r.row_step == r.in_w * r.pitch && r.in_step == r.stride_w * r.row_step &&
         r.out_w >= kLeastWindowPixels && r.pad_left <= 1 && last_left + 3 <= r.in_w + 1;
}

template <int kStride>
void DepthwiseWindowRows(const DepthwiseRow& r) {
  constexpr int64_t kMany = 7, kFew = kLeastWindowPixels;
  const auto computed = [&](int64_t pixels) { return (r.out_w + pixels - 1) / pixels * pixels; };
  if (r.rows == 1) return DepthwiseWindow<kStride, 1, kFew>::Rows(r);
  // Wide tiles take a tenth less time per pixel, where they fit.
  if (r.out_w >= kMany && computed(kMany) * 10 < computed(kFew) * 11)
    return DepthwiseWindow<kStride, 2, kMany>::Rows(r);
  DepthwiseWindow<kStride, 2, kFew>::Rows(r);
}

}  // namespace linnet::LINNET_ISA

// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.

namespace linnet::LINNET_ISA {

using kernels::DepthwiseRow;

// The first output pixel of a tile, and the kernel columns [first_kx, last_kx) that it uses.
struct DepthwiseTile {
  int64_t x;
  int64_t first_kx, last_kx;
};

// Computes kPixels neighbouring output pixels, kVecs * lanes channels from `c` on. All pixels use
// the same kernel columns.
template <typename V, int kPixels, int kVecs>
LINNET_INLINE void DepthwiseChannels(const DepthwiseRow& r, const DepthwiseTile& tile, int64_t c) {
  constexpr int kWidth = sizeof(V) / sizeof(float);
  const int64_t pixel_step = r.stride_w * r.pitch;
  const int64_t column_step = r.dilation_w * r.pitch;
  V acc[kPixels][kVecs];
  LINNET_UNROLL for (int v = 0; v < kVecs; ++v) {
    const V bias = r.bias == nullptr ? V{} : Load<V>(r.bias + c + v * kWidth);
    LINNET_UNROLL for (int p = 0; p < kPixels; ++p) acc[p][v] = bias;
  }
  const int64_t first_x = tile.x * r.stride_w - r.pad_left + tile.first_kx * r.dilation_w;
  const float* in_row = r.in + (r.first_row + r.first_ky * r.row_step + first_x * r.pitch + c);
  const float* filter_row = r.filter + (r.first_ky * r.kernel_w + tile.first_kx) * r.pitch + c;
  for (int64_t ky = r.first_ky; ky < r.last_ky; ++ky) {
    const float* in = in_row;
    const float* filter = filter_row;
    for (int64_t kx = tile.first_kx; kx < tile.last_kx; ++kx) {
      LINNET_UNROLL for (int v = 0; v < kVecs; ++v) {
        const V weight = Load<V>(filter + v * kWidth);
        LINNET_UNROLL for (int p = 0; p < kPixels; ++p) acc[p][v] =
            MulAdd(Load<V>(in + p * pixel_step + v * kWidth), weight, acc[p][v]);
      }
      in += column_step;
      filter += r.pitch;
    }
    in_row += r.row_step;
    filter_row += r.kernel_w * r.pitch;
  }
  const V min = Broadcast<V>(r.min), max = Broadcast<V>(r.max);
  float* out = r.out + tile.x * r.pitch + c;
  LINNET_UNROLL for (int p = 0; p < kPixels; ++p) {
    LINNET_UNROLL for (int v = 0; v < kVecs; ++v)
        Store(out + p * r.pitch + v * kWidth, ClampTo(acc[p][v], min, max));
  }
}

template <int kPixels>
void DepthwisePixels(const DepthwiseRow& r, const DepthwiseTile& tile) {
  int64_t c = 0;
  for (; c + 2 * kLanes <= r.channels; c += 2 * kLanes)
    DepthwiseChannels<Vec, kPixels, 2>(r, tile, c);
  for (; c + kLanes <= r.channels; c += kLanes) DepthwiseChannels<Vec, kPixels, 1>(r, tile, c);
  if (c == r.channels) return;
  if (r.channels >= kLanes)  // the last lanes; some are computed twice
    return DepthwiseChannels<Vec, kPixels, 1>(r, tile, r.channels - kLanes);
  for (; c < r.channels; ++c) DepthwiseChannels<float, kPixels, 1>(r, tile, c);
}

// Windows of any size, stride and dilation.
void DepthwiseAnyRow(const DepthwiseRow& r) {
  constexpr int kPixels = 4;
  for (int64_t x = 0; x < r.out_w;) {
    const int64_t left = x * r.stride_w - r.pad_left;
    const int64_t reach = (r.kernel_w - 1) * r.dilation_w;
    const int64_t last_left = left + (kPixels - 1) * r.stride_w;
    if (left >= 0 && last_left + reach < r.in_w && x + kPixels <= r.out_w) {
      DepthwisePixels<kPixels>(r, {x, 0, r.kernel_w});
      x += kPixels;
      continue;
    }
    const int64_t first_kx = left >= 0 ? 0 : (-left + r.dilation_w - 1) / r.dilation_w;
    const int64_t room = r.in_w - left;  // columns from `left` to the right edge
    const int64_t last_kx = room <= 0 ? 0 : (room - 1) / r.dilation_w + 1;
    DepthwiseTile tile = {x, first_kx, last_kx < r.kernel_w ? last_kx : r.kernel_w};
    if (tile.first_kx > tile.last_kx) tile.first_kx = tile.last_kx;
    DepthwisePixels<1>(r, tile);
    ++x;
  }
}

// The usual windows of convolutional networks, as compile-time constants: a column of the image is
// loaded once for all output pixels that use it.
template <int kKernelW, int kStrideW, int kPixels>
struct DepthwiseStrip {
  static constexpr int kColumns = (kPixels - 1) * kStrideW + kKernelW;

  // Output pixels [x, x + kPixels), kVecs * lanes channels from `c` on.
  template <int kVecs, bool kInside>
  LINNET_INLINE static void Channels(const DepthwiseRow& r, int64_t x, int64_t c) {
    const int64_t left = x * kStrideW - r.pad_left;
    Vec acc[kPixels][kVecs];
    LINNET_UNROLL for (int v = 0; v < kVecs; ++v) {
      const Vec bias = r.bias == nullptr ? Vec{} : Load<Vec>(r.bias + c + v * kLanes);
      LINNET_UNROLL for (int p = 0; p < kPixels; ++p) acc[p][v] = bias;
    }
    const int64_t first_column = r.first_row + r.first_ky * r.row_step + left * r.pitch + c;
    const float* filter = r.filter + r.first_ky * kKernelW * r.pitch + c;
    for (int64_t ky = r.first_ky; ky < r.last_ky; ++ky, filter += kKernelW * r.pitch) {
      const int64_t row = first_column + (ky - r.first_ky) * r.row_step;
      Vec weights[kKernelW][kVecs];
      LINNET_UNROLL for (int k = 0; k < kKernelW; ++k) LINNET_UNROLL for (int v = 0; v < kVecs; ++v)
          weights[k][v] = Load<Vec>(filter + k * r.pitch + v * kLanes);
      LINNET_UNROLL for (int j = 0; j < kColumns; ++j) {
        if (!kInside && (left + j < 0 || left + j >= r.in_w)) continue;
        LINNET_UNROLL for (int v = 0; v < kVecs; ++v) {
          Vec column = Load<Vec>(r.in + (row + j * r.pitch + v * kLanes));
          KeepInRegister(column);
          LINNET_UNROLL for (int p = 0; p < kPixels; ++p) {
            const int k = j - p * kStrideW;
            if (k >= 0 && k < kKernelW) acc[p][v] = MulAdd(column, weights[k][v], acc[p][v]);
          }
        }
      }
    }
    const Vec min = Broadcast<Vec>(r.min), max = Broadcast<Vec>(r.max);
    float* out = r.out + x * r.pitch + c;
    LINNET_UNROLL for (int p = 0; p < kPixels; ++p) LINNET_UNROLL for (int v = 0; v < kVecs; ++v)
        Store(out + p * r.pitch + v * kLanes, ClampTo(acc[p][v], min, max));
  }

  template <bool kInside>
  static void Pixels(const DepthwiseRow& row, int64_t x) {
    const DepthwiseRow r = row;  // no store can change this copy, so it stays in registers
    int64_t c = 0;
    for (; c + 2 * kLanes <= r.channels; c += 2 * kLanes) Channels<2, kInside>(r, x, c);
    for (; c + kLanes <= r.channels; c += kLanes) Channels<1, kInside>(r, x, c);
    if (c < r.channels) Channels<1, kInside>(r, x, r.channels - kLanes);
  }

  // For rows of at least kPixels pixels and kLanes channels, without dilation.
  static void Row(const DepthwiseRow& r) {
    for (int64_t x = 0; x < r.out_w; x += kPixels) {
      // The last strip ends with the row: some pixels are computed twice.
      const int64_t at = x + kPixels <= r.out_w ? x : r.out_w - kPixels;
      const int64_t left = at * kStrideW - r.pad_left;
      left >= 0 && left + kColumns <= r.in_w ? Pixels<true>(r, at) : Pixels<false>(r, at);
    }
  }
};

void DepthwiseOneRow(const DepthwiseRow& r) {
#if LINNET_ISA_AVX2 || defined(__aarch64__)  // elsewhere there are too few registers
  constexpr int kPixels = 4;
  if (r.dilation_w == 1 && r.out_w >= kPixels && r.channels >= kLanes) {
#if !LINNET_ISA_AVX512
    if (r.kernel_w == 3 && r.stride_w == 1) return DepthwiseStrip<3, 1, kPixels>::Row(r);
    if (r.kernel_w == 3 && r.stride_w == 2) return DepthwiseStrip<3, 2, kPixels>::Row(r);
#endif
    if (r.kernel_w == 5 && r.stride_w == 1) return DepthwiseStrip<5, 1, kPixels>::Row(r);
    if (r.kernel_w == 5 && r.stride_w == 2) return DepthwiseStrip<5, 2, kPixels>::Row(r);
  }
#endif
#if LINNET_ISA_AVX512 && LINNET_HAS_AVX2_KERNELS
  // Windows for which this set has no loop of its own, or too few channels for a vector.
  if (r.kernel_w == 3 || r.channels < kLanes) {
    DepthwiseRow one = r;
    one.rows = 1;
    return isa_avx2::DepthwiseOutputRow(one);
  }
#endif
  DepthwiseAnyRow(r);
}

void DepthwiseOutputRow(const DepthwiseRow& rows) {
  DepthwiseRow r = rows;
#if LINNET_ISA_AVX512
  if (HasDepthwiseWindow(r)) {
    if (r.stride_w == 1) return DepthwiseWindowRows<1>(r);
    if (r.stride_w == 2) return DepthwiseWindowRows<2>(r);
  }
#endif
  DepthwiseOneRow(r);
  if (rows.rows == 1) return;
  r.first_row += r.in_step;
  r.out += r.out_step;
  r.first_ky = r.next_first_ky;
  r.last_ky = r.next_last_ky;
  DepthwiseOneRow(r);
}

}  // namespace linnet::LINNET_ISA

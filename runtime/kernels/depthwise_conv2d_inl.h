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

void DepthwiseOneRow(const DepthwiseRow& r) {
#if LINNET_ISA_AVX512 && LINNET_HAS_AVX2_KERNELS
  if (r.channels < kLanes) return isa_avx2::DepthwiseOutputRow(r);
#elif LINNET_ISA_AVX2 || defined(__aarch64__)
  if (HasDepthwiseWindow(r)) return DepthwiseWindowRows(r);
#endif
  DepthwiseAnyRow(r);
}

void DepthwiseOutputRow(const DepthwiseRow& rows) {
#if LINNET_ISA_AVX512
  if (HasDepthwiseWindow(rows)) return DepthwiseWindowRows(rows);
#endif
  DepthwiseRow r = rows;
  r.rows = 1;
  DepthwiseOneRow(r);
  if (rows.rows == 1) return;
  r.first_row += r.in_step;
  r.out += r.out_step;
  r.first_ky = r.next_first_ky;
  r.last_ky = r.next_last_ky;
  DepthwiseOneRow(r);
}

}  // namespace linnet::LINNET_ISA

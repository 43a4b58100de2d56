// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/transpose_conv2d.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/gemm_split.h"

namespace linnet::kernels {
namespace {

using Shape = TransposeConv2DShape;

// The same taps reach all output pixels (first_y + i * stride_h, first_x + j * stride_w), so a
// phase is one implicit matrix product.
struct Phase {
  Phase(const Shape& s, int64_t first_y, int64_t first_x)
      : first_y(first_y),
        first_x(first_x),
        out_h(CeilDiv(s.out_h - first_y, s.stride_h)),
        out_w(CeilDiv(s.out_w - first_x, s.stride_w)) {}
  int64_t rows(const Shape& s) const { return s.batch * out_h * out_w; }

  int64_t first_y, first_x, out_h, out_w;
};

bool Reaches(int64_t first, int64_t pad, int64_t k, int64_t dilation, int64_t stride) {
  return (first + pad - k * dilation) % stride == 0;
}

struct Layout {
  explicit Layout(const Shape& s) : Layout(s, GemmBlockRows(s.in_channels)) {}
  Layout(const Shape& s, int64_t block_rows)
      : block_rows(block_rows),
        zeros_bytes(AlignedBytes<float>(s.in_channels)),
        tap_bytes(AlignedBytes<void*>(s.taps())),
        slot_bytes(AlignedBytes<void*>(SaturatingMul(block_rows, SaturatingAdd(s.taps(), 1)))) {}
  int64_t bytes(int threads) const {
    return SaturatingAdd(SaturatingAdd(zeros_bytes, tap_bytes), SaturatingMul(threads, slot_bytes));
  }
  int64_t block_rows, zeros_bytes, tap_bytes, slot_bytes;
};

// Collects the weights of the taps that reach a phase, and returns how many there are.
int64_t CollectTaps(const Shape& s, const Phase& phase, const Filter& filter,
                    const float** tap_panels, Questions& questions) {
  const int64_t tap_floats =
      filter.in_panels ? PackedFloats(s.in_channels, s.out_channels) : s.in_channels;
  int64_t taps = 0;
  for (int64_t ky = 0; ky < s.kernel_h; ++ky) {
    if (questions.Stop(1)) return 0;
    if (!Reaches(phase.first_y, s.pad_top, ky, s.dilation_h, s.stride_h)) continue;
    for (int64_t kx = 0; kx < s.kernel_w; ++kx) {
      if (questions.Stop(4)) return 0;
      if (Reaches(phase.first_x, s.pad_left, kx, s.dilation_w, s.stride_w))
        tap_panels[taps++] = filter.data + (ky * s.kernel_w + kx) * tap_floats;
    }
  }
  return taps;
}

// Writes the pointers of one row (output pixel x, y of a picture) for all taps of its phase, `step`
// apart.
void PointRow(const Shape& s, const float* picture, int64_t y, int64_t x, const float* zeros,
              const float** a, int64_t step, Questions& questions) {
  for (int64_t ky = 0; ky < s.kernel_h; ++ky) {
    if (questions.Stop(1)) return;
    if (!Reaches(y, s.pad_top, ky, s.dilation_h, s.stride_h)) continue;
    const int64_t in_y = (y + s.pad_top - ky * s.dilation_h) / s.stride_h;
    for (int64_t kx = 0; kx < s.kernel_w; ++kx) {
      if (questions.Stop(4)) return;
      if (!Reaches(x, s.pad_left, kx, s.dilation_w, s.stride_w)) continue;
      const int64_t in_x = (x + s.pad_left - kx * s.dilation_w) / s.stride_w;
      const bool inside = in_y >= 0 && in_y < s.in_h && in_x >= 0 && in_x < s.in_w;
      *a = inside ? picture + (in_y * s.in_w + in_x) * s.in_channels : zeros;
      a += step;
    }
  }
}

// What the pieces of a phase have in common.
struct PhaseRun {
  const Shape& s;
  const Phase& phase;
  const float* in;
  const float* zeros;
  float* out;
  GemmBlock block;  // taps, panels, range
  const Parallel& parallel;

  void Piece(const GemmSplit& split, int64_t piece, const float* bias, void* memory) const {
    GemmBlock b = block;
    const int64_t first = split.row_begin(piece), col = split.col_begin(piece);
    b.rows = split.row_end(piece) - first;
    b.cols = split.col_end(piece) - col;
    auto** a = static_cast<const float**>(memory);
    auto** out_rows = const_cast<float**>(a + b.rows * b.taps);
    Questions questions(parallel);
    for (int64_t i = 0; i < b.rows; ++i) {
      const int64_t m = first + i, n = m / (phase.out_w * phase.out_h);
      const int64_t y = phase.first_y + m / phase.out_w % phase.out_h * s.stride_h;
      const int64_t x = phase.first_x + m % phase.out_w * s.stride_w;
      PointRow(s, in + n * s.in_h * s.in_w * s.in_channels, y, x, zeros, a + i, b.rows, questions);
      out_rows[i] = out + ((n * s.out_h + y) * s.out_w + x) * s.out_channels + col;
    }
    if (parallel.Stopped()) return;  // not all pointers may be set
    const PacksWeights packed = b.plain.col_stride == 0;
    b.tap_offset = col * (packed ? s.in_channels : b.plain.col_stride);
    b.bias = bias == nullptr ? nullptr : bias + col;
    b.a = a;
    b.out = out_rows;
    Gemm(b, parallel);
  }
};

}  // namespace

int64_t PackedTransposeConv2DFloats(const Shape& s) {
  return SaturatingMul(s.taps(), PackedFloats(s.in_channels, s.out_channels));
}

void PackTransposeConv2D(const Shape& s, const float* filter, float* packed) {
  const int64_t tap_floats = PackedFloats(s.in_channels, s.out_channels);
  for (int64_t t = 0; t < s.taps(); ++t) {
    PackPanels({filter + t * s.in_channels, 1, s.taps() * s.in_channels}, s.in_channels,
               s.out_channels, s.in_channels, 0, packed + t * tap_floats);
  }
}

int64_t TransposeConv2DScratchBytes(const Shape& s, int threads) {
  return Layout(s).bytes(threads);
}

int64_t TransposeConv2DScratchBound(const Shape& s, int threads) {
  return Layout(s, kMaxGemmBlockRows).bytes(threads);
}

void TransposeConv2D(const Shape& s, const float* in, const Filter& filter, const float* bias,
                     float min, float max, float* out, void* scratch, const Parallel& parallel) {
  if (s.batch == 0 || s.out_channels == 0) return;
  const Layout layout(s);
  auto* zeros = static_cast<float*>(scratch);
  if (layout.zeros_bytes > 0) std::memset(zeros, 0, layout.zeros_bytes);
  char* memory = static_cast<char*>(scratch) + layout.zeros_bytes;
  auto** tap_panels = reinterpret_cast<const float**>(memory);
  memory += layout.tap_bytes;
  Questions questions(parallel);
  for (int64_t y = 0; y < std::min(s.stride_h, s.out_h); ++y) {
    for (int64_t x = 0; x < std::min(s.stride_w, s.out_w); ++x) {
      const Phase phase(s, y, x);
      GemmBlock block;
      block.taps = CollectTaps(s, phase, filter, tap_panels, questions);
      if (parallel.Stopped()) return;
      block.depth = s.in_channels;
      block.tap_panels = tap_panels;
      if (!filter.in_panels) block.plain = {nullptr, 1, s.taps() * s.in_channels};
      block.min = min;
      block.max = max;
      const int64_t depth = SaturatingMul(block.taps, s.in_channels);
      const int64_t slots =
          GemmSlots(parallel, SaturatingMul(SaturatingMul(phase.rows(s), s.out_channels), depth));
      const GemmSplit split(phase.rows(s), s.out_channels, depth, layout.block_rows, slots);
      const PhaseRun run{s, phase, in, zeros, out, block, parallel};
      ForEachPiece(parallel, slots, split.pieces(), [&](int64_t slot, int64_t piece) {
        run.Piece(split, piece, bias, memory + slot * layout.slot_bytes);
      });
    }
  }
}

}  // namespace linnet::kernels

// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/conv2d.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/gemm.h"

namespace linnet::kernels {
namespace {

// With few channels a tap is too short to be a run of its own: rows are gathered into scratch and
// the product sees one tap.
bool GathersRows(const Conv2DShape& s) { return s.taps() > 1 && s.group_in() < 8; }

int64_t BlockRows(const Conv2DShape& s) {
  if (GathersRows(s)) return GemmBlockRows(s.depth());
  // Neighbouring windows overlap: count what a row adds to the pixels in use.
  return GemmBlockRows(s.kernel_h * std::min(s.stride_w, s.kernel_w) * s.group_in());
}

// Layout of scratch: zeros for taps outside the picture, then per slot what one block needs.
struct Layout {
  explicit Layout(const Conv2DShape& s)
      : block_rows(BlockRows(s)),
        zeros_bytes(AlignUp(s.group_in() * static_cast<int64_t>(sizeof(float)), 64)),
        pointers_bytes(AlignUp(
            block_rows * ((GathersRows(s) ? 1 : s.taps()) + 1) * int64_t{sizeof(void*)}, 64)),
        gathered_bytes(GathersRows(s) ? AlignUp(block_rows * s.depth() * int64_t{sizeof(float)}, 64)
                                      : 0) {}
  int64_t slot_bytes() const { return pointers_bytes + gathered_bytes; }

  int64_t block_rows, zeros_bytes, pointers_bytes, gathered_bytes;
};

// Where output row m (a pixel of some picture) looks for its window.
struct Window {
  Window(const Conv2DShape& s, const float* in, int64_t m) {
    const int64_t x = m % s.out_w, y = m / s.out_w % s.out_h, n = m / (s.out_w * s.out_h);
    top = y * s.stride_h - s.pad_top;
    left = x * s.stride_w - s.pad_left;
    picture = in + n * s.in_h * s.in_w * s.in_channels;
  }
  // Channel 0 of the pixel under a tap, or null outside the picture.
  const float* Pixel(const Conv2DShape& s, int64_t ky, int64_t kx) const {
    const int64_t y = top + ky * s.dilation_h, x = left + kx * s.dilation_w;
    const bool inside = y >= 0 && y < s.in_h && x >= 0 && x < s.in_w;
    return inside ? picture + (y * s.in_w + x) * s.in_channels : nullptr;
  }

  int64_t top, left;
  const float* picture;
};

// One block of rows and a run of panels of one group.
struct Piece {
  int64_t row_begin, rows;
  int64_t group;
  const float* in;  // first channel of the group
  const float* zeros;
  const float** a;  // room for rows * taps
  float* gathered;
};

void PointRows(const Conv2DShape& s, const Piece& p) {
  for (int64_t i = 0; i < p.rows; ++i) {
    const Window window(s, p.in, p.row_begin + i);
    const float** a = p.a + i;
    for (int64_t ky = 0; ky < s.kernel_h; ++ky) {
      for (int64_t kx = 0; kx < s.kernel_w; ++kx, a += p.rows) {
        const float* pixel = window.Pixel(s, ky, kx);
        *a = pixel == nullptr ? p.zeros : pixel;
      }
    }
  }
}

void GatherRows(const Conv2DShape& s, const Piece& p) {
  const int64_t channels = s.group_in();
  // Without dilation and groups the columns of a window are neighbours in memory.
  const bool whole_lines = s.dilation_w == 1 && s.groups == 1;
  float* to = p.gathered;
  for (int64_t i = 0; i < p.rows; ++i) {
    const Window window(s, p.in, p.row_begin + i);
    const bool inside = window.left >= 0 && window.left + s.kernel_w <= s.in_w;
    const int64_t runs = whole_lines && inside ? 1 : s.kernel_w;
    const int64_t run = channels * (s.kernel_w / runs);
    p.a[i] = to;
    for (int64_t ky = 0; ky < s.kernel_h; ++ky) {
      for (int64_t kx = 0; kx < runs; ++kx, to += run) {
        const float* from = window.Pixel(s, ky, kx);
        if (from != nullptr) {
          for (int64_t c = 0; c < run; ++c) to[c] = from[c];
        } else {
          std::fill_n(to, run, 0.0f);
        }
      }
    }
  }
}

}  // namespace

int64_t PackedConv2DFloats(const Conv2DShape& s) {
  return s.groups * PackedFloats(s.depth(), s.group_out());
}

void PackConv2D(const Conv2DShape& s, const float* filter, float* packed) {
  const int64_t depth = s.depth();
  for (int64_t g = 0; g < s.groups; ++g) {
    PackPanels({filter + g * s.group_out() * depth, 1, depth}, depth, s.group_out(), depth, 0,
               packed + g * PackedFloats(depth, s.group_out()));
  }
}

int64_t Conv2DScratchBytes(const Conv2DShape& s, int threads) {
  const Layout layout(s);
  return layout.zeros_bytes + threads * layout.slot_bytes();
}

void Conv2D(const Conv2DShape& s, const float* in, const float* packed, const float* bias,
            float min, float max, float* out, void* scratch, const Parallel& parallel) {
  if (s.rows() == 0 || s.out_channels == 0) return;
  const Layout layout(s);
  auto* zeros = static_cast<float*>(scratch);
  if (layout.zeros_bytes > 0) std::memset(zeros, 0, layout.zeros_bytes);
  char* slots_begin = static_cast<char*>(scratch) + layout.zeros_bytes;
  const int64_t slots = GemmSlots(parallel, s.rows() * s.out_channels * s.depth());
  const GemmSplit split(s.rows(), s.group_out(), layout.block_rows, slots);
  ForEachPiece(parallel, slots, split.pieces() * s.groups, [&](int64_t slot, int64_t index) {
    char* memory = slots_begin + slot * layout.slot_bytes();
    const int64_t group = index / split.pieces(), piece = index % split.pieces();
    const int64_t first = split.row_begin(piece), rows = split.row_end(piece) - first;
    const Piece p = {first,
                     rows,
                     group,
                     in + group * s.group_in(),
                     zeros,
                     reinterpret_cast<const float**>(memory),
                     reinterpret_cast<float*>(memory + layout.pointers_bytes)};
    GathersRows(s) ? GatherRows(s, p) : PointRows(s, p);
    const int64_t col = split.col_begin(piece), out_col = group * s.group_out() + col;
    GemmBlock block;
    block.taps = GathersRows(s) ? 1 : s.taps();
    block.depth = GathersRows(s) ? s.depth() : s.group_in();
    auto** out_rows = reinterpret_cast<float**>(memory) + rows * block.taps;
    for (int64_t i = 0; i < rows; ++i) out_rows[i] = out + (first + i) * s.out_channels + out_col;
    block.rows = rows;
    block.cols = split.col_end(piece) - col;
    block.a = p.a;
    block.panels = packed + group * PackedFloats(s.depth(), s.group_out()) + col * s.depth();
    block.bias = bias == nullptr ? nullptr : bias + out_col;
    block.out = out_rows;
    block.min = min;
    block.max = max;
    Gemm(block);
  });
}

}  // namespace linnet::kernels

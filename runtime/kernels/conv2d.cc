// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/conv2d.h"

#include <algorithm>
#include <cstring>

#include "runtime/kernels/gemm_split.h"

namespace linnet::kernels {
namespace {

// With few channels the run of one tap is too short for the inner loop of the product. A run is
// then a whole line of the window, which is contiguous in memory where it is inside the picture,
// and is copied to scratch where it is not.
constexpr int64_t kLeastTapChannels = 16;
bool RunsAreLines(const Conv2DShape& s) {
  return s.kernel_w > 1 && s.group_in() < kLeastTapChannels;
}

int64_t Runs(const Conv2DShape& s) { return RunsAreLines(s) ? s.kernel_h : s.taps(); }

// Then the windows of all output rows follow one another in memory, across lines and pictures.
bool EachPixelIsAWindow(const Conv2DShape& s) {
  return s.taps() == 1 && s.stride_h == 1 && s.stride_w == 1 && s.pad_top == 0 && s.pad_left == 0 &&
         s.in_h == s.out_h && s.in_w == s.out_w;
}

int64_t BlockRows(const Conv2DShape& s) {
  if (RunsAreLines(s)) return GemmBlockRows(s.depth());
  // Neighbouring windows overlap, so count only the pixels that a row adds.
  return GemmBlockRows(
      SaturatingMul(SaturatingMul(s.kernel_h, std::min(s.stride_w, s.kernel_w)), s.group_in()));
}

// Layout of scratch: zeros for taps outside the picture, then for each slot what one block needs.
struct Layout {
  explicit Layout(const Conv2DShape& s)
      : block_rows(BlockRows(s)),
        zeros_bytes(AlignedBytes<float>(s.group_in())),
        pointers_bytes(AlignedBytes<void*>(SaturatingMul(block_rows, SaturatingAdd(Runs(s), 1)))),
        gathered_bytes(RunsAreLines(s) ? AlignedBytes<float>(SaturatingMul(block_rows, s.depth()))
                                       : 0) {}
  int64_t slot_bytes() const { return SaturatingAdd(pointers_bytes, gathered_bytes); }
  int64_t bytes(int threads) const {
    return SaturatingAdd(zeros_bytes, SaturatingMul(threads, slot_bytes()));
  }

  int64_t block_rows, zeros_bytes, pointers_bytes, gathered_bytes;
};

// The window of one output row (a pixel of some picture); Skip() goes to a later row.
class Window {
 public:
  Window(const Conv2DShape& s, const float* in, int64_t row)
      : s_(s), x_(row % s.out_w), y_(row / s.out_w % s.out_h) {
    picture_ = in + row / (s.out_w * s.out_h) * picture_floats();
    Place();
  }

  // `count` rows, not beyond the last pixel of a line of the output.
  void Skip(int64_t count) {
    left_ += count * s_.stride_w;
    if ((x_ += count) < s_.out_w) return;
    x_ = 0;
    if (++y_ == s_.out_h) {
      y_ = 0;
      picture_ += picture_floats();
    }
    Place();
  }

  // The number of windows from this one on, in the same line and up to `most`, that are inside the
  // picture.
  int64_t InsideRun(int64_t most) const {
    const int64_t room = s_.in_w - 1 - reach_w() - left_;
    if (!rows_inside_ || left_ < 0 || room < 0) return 0;
    return std::min({most, s_.out_w - x_, room / s_.stride_w + 1});
  }
  // Channel 0 of the pixel under tap (0, 0) of a window inside the picture.
  const float* corner() const { return picture_ + (top_ * s_.in_w + left_) * s_.in_channels; }
  struct Columns {
    int64_t first, last;
  };
  // The columns [first, last) of a line of taps that are inside the picture, without dilation.
  Columns ColumnsInside(int64_t ky) const {
    const int64_t y = top_ + ky * s_.dilation_h;
    if (y < 0 || y >= s_.in_h) return {0, 0};
    const int64_t first = std::clamp<int64_t>(-left_, 0, s_.kernel_w);
    return {first, std::clamp(s_.in_w - left_, first, s_.kernel_w)};
  }
  // Channel 0 of the pixel under a tap, or null outside the picture.
  const float* Pixel(int64_t ky, int64_t kx) const {
    const int64_t y = top_ + ky * s_.dilation_h, x = left_ + kx * s_.dilation_w;
    const bool inside = y >= 0 && y < s_.in_h && x >= 0 && x < s_.in_w;
    return inside ? picture_ + (y * s_.in_w + x) * s_.in_channels : nullptr;
  }

 private:
  int64_t picture_floats() const { return s_.in_h * s_.in_w * s_.in_channels; }
  int64_t reach_w() const { return (s_.kernel_w - 1) * s_.dilation_w; }
  void Place() {
    top_ = y_ * s_.stride_h - s_.pad_top;
    left_ = x_ * s_.stride_w - s_.pad_left;
    rows_inside_ = top_ >= 0 && top_ + (s_.kernel_h - 1) * s_.dilation_h < s_.in_h;
  }

  const Conv2DShape& s_;
  int64_t x_, y_, top_, left_;
  bool rows_inside_;
  const float* picture_;
};

// One block of rows and a run of panels of one group.
struct Piece {
  int64_t row_begin, rows;
  const float* in;  // first channel of the group
  const float* zeros;
  const float** a;  // room for [Runs][rows]
  float* gathered;
};

// The taps of a window inside the picture.
struct InsideTaps {
  int64_t lines, line_step, columns, column_step;

  // Points to those of `count` windows, of which the first begins at `corner`.
  void Point(const Conv2DShape& s, const float* corner, int64_t count, int64_t rows,
             const float** a) const {
    const int64_t step = s.stride_w * s.in_channels;
    for (int64_t ky = 0; ky < lines; ++ky, corner += line_step) {
      const float* tap = corner;
      for (int64_t kx = 0; kx < columns; ++kx, tap += column_step, a += rows)
        PointToRows(tap, step, count, a);
    }
  }
};

void PointToTaps(const Conv2DShape& s, const Piece& p) {
  if (EachPixelIsAWindow(s)) {
    return PointToRows(p.in + p.row_begin * s.in_channels, s.in_channels, p.rows, p.a);
  }
  Window window(s, p.in, p.row_begin);
  const InsideTaps taps = {s.kernel_h, s.dilation_h * s.in_w * s.in_channels, s.kernel_w,
                           s.dilation_w * s.in_channels};
  for (int64_t i = 0; i < p.rows;) {
    const float** a = p.a + i;
    if (const int64_t run = window.InsideRun(p.rows - i); run > 0) {
      taps.Point(s, window.corner(), run, p.rows, a);
      window.Skip(run);
      i += run;
      continue;
    }
    for (int64_t ky = 0; ky < s.kernel_h; ++ky) {
      for (int64_t kx = 0; kx < s.kernel_w; ++kx, a += p.rows) {
        const float* pixel = window.Pixel(ky, kx);
        *a = pixel == nullptr ? p.zeros : pixel;
      }
    }
    window.Skip(1);
    ++i;
  }
}

// Line ky of a window, copied to `to` with zeros outside of the picture.
void GatherLine(const Conv2DShape& s, const Window& window, int64_t ky, float* to) {
  const int64_t channels = s.group_in();
  for (int64_t kx = 0; kx < s.kernel_w; ++kx, to += channels) {
    const float* from = window.Pixel(ky, kx);
    for (int64_t c = 0; c < channels; ++c) to[c] = from == nullptr ? 0 : from[c];
  }
}

// The same where the columns of a window are neighbours in memory: the line itself if it is inside
// the picture.
const float* LineOrCopy(const Conv2DShape& s, const Window& window, int64_t ky, float* to) {
  const auto [first, last] = window.ColumnsInside(ky);
  const float* from = first < last ? window.Pixel(ky, first) : nullptr;
  if (last - first == s.kernel_w) return from;
  const int64_t begin = first * s.in_channels, end = last * s.in_channels;
  for (int64_t i = 0; i < begin; ++i) to[i] = 0;
  for (int64_t i = begin; i < end; ++i) to[i] = from[i - begin];
  for (int64_t i = end; i < s.kernel_w * s.in_channels; ++i) to[i] = 0;
  return to;
}

void PointToLines(const Conv2DShape& s, const Piece& p) {
  Window window(s, p.in, p.row_begin);
  // Without dilation and groups the columns of a window are neighbours in memory.
  const bool whole_lines = s.dilation_w == 1 && s.groups == 1;
  const InsideTaps taps = {s.kernel_h, s.dilation_h * s.in_w * s.in_channels, 1, 0};
  float* gathered = p.gathered;
  for (int64_t i = 0; i < p.rows;) {
    const float** a = p.a + i;
    if (const int64_t run = whole_lines ? window.InsideRun(p.rows - i) : 0; run > 0) {
      taps.Point(s, window.corner(), run, p.rows, a);
      window.Skip(run);
      i += run;
      continue;
    }
    for (int64_t ky = 0; ky < s.kernel_h; ++ky, a += p.rows) {
      if (whole_lines) {
        *a = LineOrCopy(s, window, ky, gathered);
      } else {
        GatherLine(s, window, ky, gathered);
        *a = gathered;
      }
      gathered += s.kernel_w * s.group_in();
    }
    window.Skip(1);
    ++i;
  }
}

}  // namespace

int64_t PackedConv2DFloats(const Conv2DShape& s) {
  return SaturatingMul(s.groups, PackedFloats(s.depth(), s.group_out()));
}

void PackConv2D(const Conv2DShape& s, const float* filter, float* packed) {
  const int64_t depth = s.depth();
  for (int64_t g = 0; g < s.groups; ++g) {
    PackPanels({filter + g * s.group_out() * depth, 1, depth}, depth, s.group_out(), depth, 0,
               packed + g * PackedFloats(depth, s.group_out()));
  }
}

int64_t Conv2DScratchBytes(const Conv2DShape& s, int threads) { return Layout(s).bytes(threads); }

int64_t Conv2DScratchBound(const Conv2DShape& s, int threads) {
  Layout layout(s);
  layout.pointers_bytes =
      AlignedBytes<void*>(SaturatingMul(kMaxGemmBlockRows, SaturatingAdd(s.taps(), 1)));
  layout.gathered_bytes = AlignedBytes<float>(
      GemmBlockFloatsBound(SaturatingMul(s.taps(), std::min(s.group_in(), kLeastTapChannels - 1))));
  return layout.bytes(threads);
}

void Conv2D(const Conv2DShape& s, const float* in, const Filter& filter, const float* bias,
            float min, float max, float* out, void* scratch, const Parallel& parallel) {
  if (s.rows() == 0 || s.out_channels == 0) return;
  const Layout layout(s);
  auto* zeros = static_cast<float*>(scratch);
  if (layout.zeros_bytes > 0) std::memset(zeros, 0, layout.zeros_bytes);
  char* slots_begin = static_cast<char*>(scratch) + layout.zeros_bytes;
  const int64_t slots =
      GemmSlots(parallel, SaturatingMul(SaturatingMul(s.rows(), s.out_channels), s.depth()));
  const GemmSplit split(s.rows(), s.group_out(), s.depth(), layout.block_rows, slots);
  ForEachPiece(parallel, slots, split.pieces() * s.groups, [&](int64_t slot, int64_t index) {
    char* memory = slots_begin + slot * layout.slot_bytes();
    const int64_t group = index / split.pieces(), piece = index % split.pieces();
    const int64_t first = split.row_begin(piece), rows = split.row_end(piece) - first;
    const Piece p = {first,
                     rows,
                     in + group * s.group_in(),
                     zeros,
                     reinterpret_cast<const float**>(memory),
                     reinterpret_cast<float*>(memory + layout.pointers_bytes)};
    RunsAreLines(s) ? PointToLines(s, p) : PointToTaps(s, p);
    const int64_t col = split.col_begin(piece), out_col = group * s.group_out() + col;
    GemmBlock block;
    block.taps = Runs(s);
    block.depth = s.depth() / block.taps;
    auto** out_rows = reinterpret_cast<float**>(memory) + rows * block.taps;
    PointToRows(out + first * s.out_channels + out_col, s.out_channels, rows, out_rows);
    block.rows = rows;
    block.cols = split.col_end(piece) - col;
    block.a = p.a;
    const int64_t group_begin =
        filter.in_panels ? PackedFloats(s.depth(), s.group_out()) : s.group_out() * s.depth();
    filter.PassTo(&block, group * group_begin + col * s.depth(), s.depth());
    block.bias = bias == nullptr ? nullptr : bias + out_col;
    block.out = out_rows;
    block.min = min;
    block.max = max;
    Gemm(block, parallel);
  });
}

}  // namespace linnet::kernels

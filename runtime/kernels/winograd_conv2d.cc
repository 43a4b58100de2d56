// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/winograd_conv2d.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "runtime/core/transpose_tile.h"
#include "runtime/core/winograd.h"
#include "runtime/kernels/gemm_split.h"
#include "runtime/kernels/isa.h"

namespace linnet::kernels {
namespace {

// Columns of the output that are made together, so that their products stay in the L2 cache. The
// filter is stored run by run, and in each run matrix by matrix.
constexpr int64_t kRunCols = 64;
// Between matrices, so that values of one tile do not fall into one set of a cache.
constexpr int64_t kMatrixGap = 16;
// A block of tiles: transformed inputs of about this size, in floats. With more than 37 channels (n
// = 4) it has the fewest tiles, because each block reads the filter anew.
constexpr int64_t kBlockFloats = int64_t{32} << 10;
constexpr int64_t kFewestTiles = 24, kMostTiles = 48;

// The tiles of a convolution, and the scratch memory of a slot.
struct Tiling {
  Tiling(const Conv2DShape& s, int outputs)
      : matrices(WinogradMatrices(outputs)),
        tiles_h(CeilDiv(s.out_h, outputs)),
        tiles_w(CeilDiv(s.out_w, outputs)),
        tiles(SaturatingMul(s.batch, SaturatingMul(tiles_h, tiles_w))) {
    const int64_t wanted =
        kBlockFloats / std::max<int64_t>(SaturatingMul(matrices, s.in_channels), 1);
    const int64_t most =
        std::clamp(wanted / kGemmTileRows * kGemmTileRows, kFewestTiles, kMostTiles);
    blocks = CeilDiv(tiles, most);
    block_tiles = std::min(most, tiles);
    in_step = SaturatingAdd(SaturatingMul(block_tiles, s.in_channels), kMatrixGap);
    run_cols = std::min(kRunCols, s.out_channels);
    out_step = SaturatingAdd(SaturatingMul(block_tiles, run_cols), kMatrixGap);
    pointers_bytes = AlignedBytes<void*>(SaturatingMul(2 * matrices, block_tiles));
    zeros_bytes = AlignedBytes<float>(s.in_channels);
  }
  int64_t in_bytes() const { return AlignedBytes<float>(SaturatingMul(matrices, in_step)); }
  int64_t out_bytes() const { return AlignedBytes<float>(SaturatingMul(matrices, out_step)); }
  int64_t slot_bytes() const {
    return SaturatingAdd(pointers_bytes, SaturatingAdd(in_bytes(), out_bytes()));
  }

  int64_t matrices, tiles_h, tiles_w, tiles;
  int64_t blocks, block_tiles;          // the memory has room for so many tiles of a block
  int64_t in_step, run_cols, out_step;  // floats from matrix to matrix
  int64_t pointers_bytes, zeros_bytes;
};

// One convolution in progress.
class Convolution {
 public:
  Convolution(const Conv2DShape& shape, int outputs, const float* in, const float* packed,
              const float* bias, float min, float max, float* out, void* scratch,
              const Parallel& parallel)
      : s_(shape),
        outputs_(outputs),
        side_(WinogradSide(outputs)),
        t_(shape, outputs),
        blocks_(t_.blocks),
        in_(in),
        packed_(packed),
        bias_(bias),
        min_(min),
        max_(max),
        out_(out),
        zeros_(static_cast<float*>(scratch)),
        slots_begin_(static_cast<char*>(scratch) + t_.zeros_bytes),
        parallel_(parallel) {}

  void Run() {
    if (t_.zeros_bytes > 0) std::memset(zeros_, 0, static_cast<size_t>(t_.zeros_bytes));
    const int64_t macs =
        SaturatingMul(SaturatingMul(t_.tiles * t_.matrices, s_.in_channels), s_.out_channels);
    const int64_t slots = GemmSlots(parallel_, macs);
    // Few blocks of tiles are divided by columns too; the input is then transformed for each part.
    const int64_t runs = CeilDiv(s_.out_channels, kRunCols);
    const int64_t wanted = slots == 1 ? 1 : CeilDiv(2 * slots, t_.blocks);
    const int64_t part_runs = CeilDiv(runs, std::min(wanted, runs));
    const int64_t parts = CeilDiv(runs, part_runs);
    // Equally many pieces for each slot.
    if (t_.blocks * parts % slots != 0)
      blocks_ = std::min(CeilDiv(t_.blocks, slots) * slots, t_.tiles);
    ForEachPiece(parallel_, slots, blocks_ * parts, [&](int64_t slot, int64_t piece) {
      const int64_t first_col = piece % parts * part_runs * kRunCols;
      RunPart(slot, piece / parts, first_col,
              std::min(first_col + part_runs * kRunCols, s_.out_channels));
    });
  }

 private:
  struct Place {
    int64_t image, y, x;  // of a tile's first pixel
  };
  Place PlaceOf(int64_t tile) const {
    const int64_t line = tile / t_.tiles_w;
    return {line / t_.tiles_h, line % t_.tiles_h * outputs_, tile % t_.tiles_w * outputs_};
  }

  // What a slot has in its memory: pointers to the rows of values and of products, by matrix and
  // tile, and these.
  struct Memory {
    const float** rows;
    float** product_rows;
    float *values, *products;
  };
  Memory MemoryOf(int64_t slot) const {
    char* memory = slots_begin_ + slot * t_.slot_bytes();
    return {reinterpret_cast<const float**>(memory),
            reinterpret_cast<float**>(memory) + t_.matrices * t_.block_tiles,
            reinterpret_cast<float*>(memory + t_.pointers_bytes),
            reinterpret_cast<float*>(memory + t_.pointers_bytes + t_.in_bytes())};
  }

  // The same for all blocks.
  void PointToMatrices(const Memory& memory) const {
    for (int64_t i = 0; i < t_.matrices; ++i) {
      const int64_t first = i * t_.block_tiles;
      PointToRows(memory.values + i * t_.in_step, s_.in_channels, t_.block_tiles,
                  memory.rows + first);
      PointToRows(memory.products + i * t_.out_step, t_.run_cols, t_.block_tiles,
                  memory.product_rows + first);
    }
  }

  // Columns [col, last_col) of a block of tiles.
  void RunPart(int64_t slot, int64_t block, int64_t col, int64_t last_col) {
    const int64_t first = t_.tiles * block / blocks_;
    const int64_t count = t_.tiles * (block + 1) / blocks_ - first;
    const Memory memory = MemoryOf(slot);
    if (!has_pointers_[slot]) PointToMatrices(memory);
    has_pointers_[slot] = true;
    if (!TransformInputs(first, count, memory.values)) return;
    for (; col < last_col; col += kRunCols) {
      const int64_t cols = std::min(kRunCols, s_.out_channels - col);
      if (!Multiply(memory, count, col, cols)) return;
      TransformOutputs(first, count, memory.products, col, cols);
    }
  }

  bool TransformInputs(int64_t first, int64_t count, float* values) const {
    const auto transform = Isa<&IsaKernels::winograd_in>();
    const float* pixels[kMostWinogradMatrices];
    Questions questions(parallel_);
    for (int64_t tile = 0; tile < count; ++tile) {
      if (questions.Stop(t_.matrices * s_.in_channels)) return false;
      PointToPixels(PlaceOf(first + tile), pixels);
      transform({.outputs = outputs_,
                 .channels = s_.in_channels,
                 .pixels = pixels,
                 .values = values + tile * s_.in_channels,
                 .matrix_step = t_.in_step});
    }
    return true;
  }

  void PointToPixels(const Place& at, const float** pixels) const {
    const float* picture = in_ + at.image * s_.in_h * s_.in_w * s_.in_channels;
    const int64_t top = at.y - s_.pad_top, left = at.x - s_.pad_left;
    for (int64_t y = top; y < top + side_; ++y) {
      for (int64_t x = left; x < left + side_; ++x) {
        const bool inside = y >= 0 && y < s_.in_h && x >= 0 && x < s_.in_w;
        *pixels++ = inside ? picture + (y * s_.in_w + x) * s_.in_channels : zeros_;
      }
    }
  }

  bool Multiply(const Memory& memory, int64_t count, int64_t col, int64_t cols) const {
    const float* panels = packed_ + t_.matrices * s_.in_channels * col;
    GemmBlock block;
    block.rows = count;
    block.cols = cols;
    block.depth = s_.in_channels;
    block.min = -std::numeric_limits<float>::infinity();
    block.max = std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i < t_.matrices; ++i) {
      if (parallel_.Stopped()) return false;
      block.a = memory.rows + i * t_.block_tiles;
      block.out = memory.product_rows + i * t_.block_tiles;
      block.panels = panels + i * PackedFloats(s_.in_channels, cols);
      Gemm(block, parallel_);
    }
    return !parallel_.Stopped();  // the last product may have stopped before its end
  }

  void TransformOutputs(int64_t first, int64_t count, const float* products, int64_t col,
                        int64_t cols) const {
    const auto transform = Isa<&IsaKernels::winograd_out>();
    for (int64_t tile = 0; tile < count; ++tile) {
      const Place at = PlaceOf(first + tile);
      const int64_t pixel = (at.image * s_.out_h + at.y) * s_.out_w + at.x;
      transform({.outputs = outputs_,
                 .channels = cols,
                 .products = products + tile * t_.run_cols,
                 .matrix_step = t_.out_step,
                 .bias = bias_ == nullptr ? nullptr : bias_ + col,
                 .out = out_ + pixel * s_.out_channels + col,
                 .row_step = s_.out_w * s_.out_channels,
                 .pixel_step = s_.out_channels,
                 .rows = s_.out_h - at.y,
                 .columns = s_.out_w - at.x,
                 .min = min_,
                 .max = max_});
    }
  }

  const Conv2DShape& s_;
  const int outputs_, side_;
  const Tiling t_;
  int64_t blocks_;  // of tiles
  const float *in_, *packed_, *bias_;
  const float min_, max_;
  float *out_, *zeros_;
  char* slots_begin_;
  std::array<bool, kMaxGemmSlots> has_pointers_{};  // by slot
  const Parallel& parallel_;
};

// The windows of a panel's columns from `col` on, for the channels of one cache line.
struct Windows {
  static constexpr int64_t kChannels = 16;
  float taps[kWinogradTaps][kChannels][kPanelCols];

  // Fetches the lines of the channels that follow, too, which are far apart.
  Windows(const Conv2DShape& s, const float* filter, int64_t channel, int64_t col) : taps{} {
    constexpr int64_t kFloat = sizeof(float);
    const int64_t column = kWinogradTaps * s.in_channels, left = s.in_channels - channel;
    const int64_t cols = std::min(kPanelCols, s.out_channels - col);
    const int64_t ahead = left > kChannels ? kChannels : 0;
    for (int t = 0; t < kWinogradTaps; ++t) {
      const float* from = filter + col * column + t * s.in_channels + channel;
      TransposeBlock<float>(reinterpret_cast<const char*>(from), column * kFloat,
                            reinterpret_cast<char*>(taps[t]), kPanelCols * kFloat,
                            std::min(kChannels, left), cols);
      for (int64_t n = 0; n < cols; ++n, from += column) __builtin_prefetch(from + ahead);
    }
  }
};

// The panel of columns from `col` on, in each matrix. Matrices lie at distances at which most
// caches keep few lines, so values wait in `block` until whole lines of one matrix can be written.
void PackPanel(const Conv2DShape& s, int outputs, const float* filter, int64_t col, int64_t step,
               float* panel) {
  constexpr int64_t kChannels = 4;  // written together
  const int64_t width = PanelWidth(s.out_channels - col);
  const auto transform = Isa<&IsaKernels::winograd_filter>();
  float block[kMostWinogradMatrices][kChannels * kPanelCols];
  for (int64_t c = 0; c < s.in_channels;) {
    const Windows windows(s, filter, c, col);
    const int64_t end = std::min(c + Windows::kChannels, s.in_channels);
    for (int64_t k = 0; c < end; c += kChannels, k += kChannels) {
      const int64_t channels = std::min(kChannels, end - c);
      for (int64_t i = 0; i < channels; ++i)
        transform({.outputs = outputs,
                   .windows = width,
                   .taps = windows.taps[0][k + i],
                   .tap_step = Windows::kChannels * kPanelCols,
                   .values = &block[0][i * width],
                   .matrix_step = std::size(block[0])});
      for (int m = 0; m < WinogradMatrices(outputs); ++m)
        std::memcpy(panel + m * step + c * width, block[m],
                    static_cast<size_t>(channels * width) * sizeof(float));
    }
  }
}

}  // namespace

int64_t PackedWinogradFloats(const Conv2DShape& s, int outputs) {
  return SaturatingMul(WinogradMatrices(outputs), PackedFloats(s.in_channels, s.out_channels));
}

void PackWinograd(const Conv2DShape& s, int outputs, const float* filter, float* packed) {
  for (int64_t run = 0; run < s.out_channels; run += kRunCols) {
    const int64_t end = std::min(run + kRunCols, s.out_channels);
    const int64_t step = PackedFloats(s.in_channels, end - run);  // from matrix to matrix
    float* panel = packed + WinogradMatrices(outputs) * s.in_channels * run;
    for (int64_t col = run; col < end; col += kPanelCols, panel += kPanelCols * s.in_channels)
      PackPanel(s, outputs, filter, col, step, panel);
  }
}

int64_t WinogradScratchBytes(const Conv2DShape& s, int outputs, int threads) {
  const Tiling t(s, outputs);
  return SaturatingAdd(t.zeros_bytes, SaturatingMul(threads, t.slot_bytes()));
}

void WinogradConv2D(const Conv2DShape& s, int outputs, const float* in, const float* packed,
                    const float* bias, float min, float max, float* out, void* scratch,
                    const Parallel& parallel) {
  if (s.rows() == 0 || s.out_channels == 0) return;
  Convolution(s, outputs, in, packed, bias, min, max, out, scratch, parallel).Run();
}

constinit const WinogradFunctions kWinogradFunctions = {.packed_floats = PackedWinogradFloats,
                                                        .pack = PackWinograd,
                                                        .scratch_bytes = WinogradScratchBytes,
                                                        .run = WinogradConv2D};

}  // namespace linnet::kernels

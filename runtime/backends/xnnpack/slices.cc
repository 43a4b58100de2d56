// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/xnnpack/slices.h"

#include <algorithm>
#include <cstdint>

namespace linnet::xnnpack::xnn {
namespace {

#ifdef LINNET_XNNPACK_2024
constexpr bool kPacksPerOperator = false;
#else
constexpr bool kPacksPerOperator = true;
#endif

// XNNPACK's kernels compute this many output channels at once; elements are cut at cache lines.
constexpr size_t kChannelTile = 16, kElementTile = 64;

template <typename Struct>
struct PartOf {
  Struct params;
  Offsets offsets;
};

// Operators that always run whole.
template <typename Struct>
Cutting DoCuttingOf(const Struct&, int) {
  return {};
}
template <typename Struct>
PartOf<Struct> DoCut(const Struct& whole, Cutting, int) {
  return {whole, {}};
}

// A half-open range of indices.
struct Piece {
  size_t begin, end;
  size_t size() const { return end - begin; }
};

int AtMost(size_t units, int wanted) {
  return static_cast<int>(std::clamp<size_t>(units, 1, static_cast<size_t>(wanted)));
}

// Piece number `part` of `parts` about equal pieces of `count`. Pieces are whole tiles; the last
// one also gets the remainder, so that no piece is smaller than a tile.
Piece PieceOf(size_t count, int parts, int part, size_t tile = 1) {
  const size_t tiles = count / tile;
  const auto at = [&](int i) {
    return i == parts ? count : tiles * static_cast<size_t>(i) / static_cast<size_t>(parts) * tile;
  };
  return {at(part), at(part + 1)};
}

// The input rows that some output rows of a window need.
struct RowsUnder {
  int64_t first, count;
  uint32_t pad_top, pad_bottom;
};

RowsUnder InputRows(const Window& w, size_t input_height, Piece rows) {
  const int64_t height = static_cast<int64_t>(input_height);
  const int64_t top = static_cast<int64_t>(rows.begin) * w.stride_h - w.pad_top;
  const int64_t bottom = (static_cast<int64_t>(rows.end) - 1) * w.stride_h - w.pad_top +
                         int64_t{w.height - 1} * w.dilation_h + 1;
  const int64_t first = std::max<int64_t>(top, 0), last = std::min(bottom, height);
  return {first, last - first, static_cast<uint32_t>(first - top),
          static_cast<uint32_t>(bottom - last)};
}

size_t OutputExtent(size_t input, uint32_t pads, uint32_t window, uint32_t dilation,
                    uint32_t stride) {
  return (input + pads - (size_t{window - 1} * dilation + 1)) / stride + 1;
}

size_t OutputHeight(const Window& w, size_t input) {
  return OutputExtent(input, w.pad_top + w.pad_bottom, w.height, w.dilation_h, w.stride_h);
}

size_t OutputWidth(const Window& w, size_t input) {
  return OutputExtent(input, w.pad_left + w.pad_right, w.width, w.dilation_w, w.stride_w);
}

// The number of parts when cut into images of a batch, or into rows of a single image. No part may
// have only padding as input.
int ImageParts(const Window& window, const Image& input, int wanted) {
  if (input.batch > 1) return AtMost(input.batch, wanted);
  const size_t height = OutputHeight(window, input.height);
  const int parts = AtMost(height, wanted);
  for (int i = 0; i < parts; ++i)
    if (InputRows(window, input.height, PieceOf(height, parts, i)).count <= 0) return 1;
  return parts;
}

// Changes window and input to those of a part.
Offsets CutImage(int parts, int part, size_t output_channels, Window* window, Image* input) {
  // The whole operator may have only padding as input, so there may be no input rows to compute.
  if (parts == 1) return {};
  const size_t height = OutputHeight(*window, input->height);
  const size_t output_row = OutputWidth(*window, input->width) * output_channels;
  const size_t input_row = input->width * input->channels;
  if (input->batch > 1) {
    const Piece images = PieceOf(input->batch, parts, part);
    const Offsets offsets = {.input = images.begin * input->height * input_row,
                             .output = images.begin * height * output_row};
    input->batch = images.size();
    return offsets;
  }
  const Piece rows = PieceOf(height, parts, part);
  const RowsUnder under = InputRows(*window, input->height, rows);
  input->height = static_cast<size_t>(under.count);
  window->pad_top = under.pad_top;
  window->pad_bottom = under.pad_bottom;
  return {.input = static_cast<size_t>(under.first) * input_row, .output = rows.begin * output_row};
}

int ChannelParts(size_t channels, int wanted) { return AtMost(channels / kChannelTile, wanted); }

// Skips the output channels before `first`, each of which has `weights` elements of the filter.
template <typename Struct>
void SkipChannels(size_t first, size_t weights, PartOf<Struct>* part) {
  part->params.filter += first * weights;
  if (part->params.bias != nullptr) part->params.bias += first;
  part->offsets.output = first;
}

// When cut by rows, a thread reads mostly rows that it wrote in the previous layer and has in its
// cache; when cut by channels, it reads what all threads wrote. But in 2022 each part packs its
// weights: cut by rows, all of them. That pays as long as these copies are not larger than the
// images.
Cutting DoCuttingOf(const Convolution& conv, int wanted) {
  const Window& w = conv.window;
  const size_t channels = conv.group_output_channels;
  const size_t height = OutputHeight(w, conv.input.height),
               width = OutputWidth(w, conv.input.width);
  const size_t least = conv.input.batch > 1 ? height * width : width;  // pixels: rows of a product
  const int rows = least < kRowTile ? 1 : ImageParts(w, conv.input, wanted);
  if (!kPacksPerOperator || conv.depthwise || conv.groups > 1) return {rows};
  const size_t input = conv.input.height * conv.input.width * conv.input.channels;
  const size_t output = height * width * channels;
  const size_t weights = size_t{w.height} * w.width * conv.group_input_channels * channels;
  const int packs = AtMost(1 + conv.input.batch * (input + output) / weights, rows);
  const int tiles = ChannelParts(channels, wanted);
  if (tiles >= 2 * packs) return {tiles, /*by_channels=*/true};
  return {packs};
}

PartOf<Convolution> DoCut(const Convolution& conv, Cutting cutting, int part) {
  PartOf<Convolution> cut = {conv, {}};
  if (!cutting.by_channels) {
    cut.offsets = CutImage(cutting.parts, part, conv.output_pixel_stride, &cut.params.window,
                           &cut.params.input);
    return cut;
  }
  const Piece channels = PieceOf(conv.group_output_channels, cutting.parts, part, kChannelTile);
  cut.params.group_output_channels = channels.size();
  SkipChannels(channels.begin,
               size_t{conv.window.height} * conv.window.width * conv.group_input_channels, &cut);
  return cut;
}

Cutting DoCuttingOf(const Deconvolution& conv, int wanted) {
  if (!kPacksPerOperator) return {};
  return {ChannelParts(conv.output_channels, wanted), /*by_channels=*/true};
}

PartOf<Deconvolution> DoCut(const Deconvolution& conv, Cutting cutting, int part) {
  PartOf<Deconvolution> cut = {conv, {}};
  const Piece channels = PieceOf(conv.output_channels, cutting.parts, part, kChannelTile);
  cut.params.output_channels = channels.size();
  SkipChannels(channels.begin, size_t{conv.window.height} * conv.window.width * conv.input.channels,
               &cut);
  return cut;
}

Cutting DoCuttingOf(const FullyConnected& fc, int wanted) {
  if (kPacksPerOperator && fc.output_channels >= 2 * kChannelTile)
    return {ChannelParts(fc.output_channels, wanted), /*by_channels=*/true};
  return {AtMost(fc.batch / kRowTile, wanted)};
}

PartOf<FullyConnected> DoCut(const FullyConnected& fc, Cutting cutting, int part) {
  PartOf<FullyConnected> cut = {fc, {}};
  if (cutting.by_channels) {
    const Piece channels = PieceOf(fc.output_channels, cutting.parts, part, kChannelTile);
    cut.params.output_channels = channels.size();
    SkipChannels(channels.begin, fc.input_channels, &cut);
    return cut;
  }
  const Piece rows = PieceOf(fc.batch, cutting.parts, part, kRowTile);
  cut.params.batch = rows.size();
  cut.offsets = {.input = rows.begin * fc.input_channels,
                 .output = rows.begin * fc.output_pixel_stride};
  return cut;
}

Cutting DoCuttingOf(const Pool& pool, int wanted) {
  // In XNNPACK 2024-11, parts of some padded averages (for example with windows larger than the
  // image) give other bits than the whole.
  const Window& w = pool.window;
  const bool is_padded = w.pad_top + w.pad_bottom + w.pad_left + w.pad_right > 0;
  if (!kPacksPerOperator && pool.average && is_padded) return {};
  return {ImageParts(pool.window, pool.input, wanted)};
}

PartOf<Pool> DoCut(const Pool& pool, Cutting cutting, int part) {
  PartOf<Pool> cut = {pool, {}};
  cut.offsets =
      CutImage(cutting.parts, part, pool.input.channels, &cut.params.window, &cut.params.input);
  return cut;
}

Cutting DoCuttingOf(const Unary& unary, int wanted) {
  return {AtMost(unary.elements / kElementTile, wanted)};
}

PartOf<Unary> DoCut(const Unary& unary, Cutting cutting, int part) {
  const Piece elements = PieceOf(unary.elements, cutting.parts, part, kElementTile);
  PartOf<Unary> cut = {unary, {elements.begin, 0, elements.begin}};
  cut.params.elements = elements.size();
  return cut;
}

// The axis of the output that is cut: the first one larger than 1. Axes are counted from the end,
// because the operands may have different ranks.
struct Axis {
  size_t from_end = 0;  // 1: the last
  size_t extent = 1;
};

size_t ExtentAt(const Dims& dims, size_t from_end) {
  return from_end > dims.rank ? 1 : dims.extents[dims.rank - from_end];
}

Axis OuterAxis(const Binary& binary) {
  for (size_t i = std::max(binary.a.rank, binary.b.rank); i > 0; --i) {
    const size_t extent = std::max(ExtentAt(binary.a, i), ExtentAt(binary.b, i));
    if (extent > 1) return {i, extent};
  }
  return {};
}

bool IsElementwise(const Binary& binary) {
  return binary.a.rank == binary.b.rank &&
         std::equal(binary.a.extents, binary.a.extents + binary.a.rank, binary.b.extents);
}

// Cuts this axis of an operand, unless the operand is broadcast along it, and returns where the
// piece begins.
size_t CutAxis(const Axis& axis, Piece piece, Dims* dims) {
  if (ExtentAt(*dims, axis.from_end) == 1) return 0;
  size_t stride = 1;
  for (size_t i = 1; i < axis.from_end; ++i) stride *= ExtentAt(*dims, i);
  dims->extents[dims->rank - axis.from_end] = piece.size();
  return piece.begin * stride;
}

Cutting DoCuttingOf(const Binary& binary, int wanted) {
  if (IsElementwise(binary)) return {AtMost(binary.output_elements / kElementTile, wanted)};
  return {AtMost(OuterAxis(binary).extent, wanted)};
}

PartOf<Binary> DoCut(const Binary& binary, Cutting cutting, int part) {
  PartOf<Binary> cut = {binary, {}};
  if (cutting.parts == 1) return cut;
  if (IsElementwise(binary)) {
    const Piece piece = PieceOf(binary.output_elements, cutting.parts, part, kElementTile);
    cut.params.a = cut.params.b = {1, {piece.size()}};
    cut.params.output_elements = piece.size();
    cut.offsets = {piece.begin, piece.begin, piece.begin};
    return cut;
  }
  const Axis axis = OuterAxis(binary);
  const Piece piece = PieceOf(axis.extent, cutting.parts, part);
  const size_t slice = binary.output_elements / axis.extent;
  cut.offsets = {.input = CutAxis(axis, piece, &cut.params.a),
                 .input2 = CutAxis(axis, piece, &cut.params.b),
                 .output = piece.begin * slice};
  cut.params.output_elements = piece.size() * slice;
  return cut;
}

// For operators whose output has the same rows of `channels` floats as the input.
template <typename Struct>
PartOf<Struct> CutRows(const Struct& whole, Cutting cutting, int part) {
  const Piece rows = PieceOf(whole.rows, cutting.parts, part);
  const size_t begin = rows.begin * whole.channels;
  PartOf<Struct> cut = {whole, {begin, 0, begin}};
  cut.params.rows = rows.size();
  return cut;
}

// For operators that turn each `tile` rows of the images into equally many floats of the output.
template <typename Struct>
PartOf<Struct> CutImageRows(const Struct& whole, Cutting cutting, int part, size_t tile) {
  const Image& in = whole.input;
  const Piece rows = PieceOf(in.batch * in.height, cutting.parts, part, tile);
  const size_t begin = rows.begin * in.width * in.channels;
  PartOf<Struct> cut = {whole, {begin, 0, begin}};
  cut.params.input.batch = 1;
  cut.params.input.height = rows.size();
  return cut;
}

Cutting DoCuttingOf(const ChannelPrelu& prelu, int wanted) { return {AtMost(prelu.rows, wanted)}; }

PartOf<ChannelPrelu> DoCut(const ChannelPrelu& prelu, Cutting cutting, int part) {
  return CutRows(prelu, cutting, part);
}

Cutting DoCuttingOf(const Softmax& softmax, int wanted) { return {AtMost(softmax.rows, wanted)}; }

PartOf<Softmax> DoCut(const Softmax& softmax, Cutting cutting, int part) {
  return CutRows(softmax, cutting, part);
}

// Not by rows, because positions would be rounded differently.
Cutting DoCuttingOf(const ResizeBilinear& resize, int wanted) {
  return {ChannelParts(resize.input.channels, wanted)};
}

PartOf<ResizeBilinear> DoCut(const ResizeBilinear& resize, Cutting cutting, int part) {
  const Piece channels = PieceOf(resize.input.channels, cutting.parts, part, kChannelTile);
  PartOf<ResizeBilinear> cut = {resize, {channels.begin, 0, channels.begin}};
  cut.params.input.channels = channels.size();
  return cut;
}

// Cut by rows of all images, like SpaceToDepth: `block` rows on one side are one row on the other.
Cutting DoCuttingOf(const DepthToSpace& d2s, int wanted) {
  return {AtMost(d2s.input.batch * d2s.input.height, wanted)};
}

PartOf<DepthToSpace> DoCut(const DepthToSpace& d2s, Cutting cutting, int part) {
  return CutImageRows(d2s, cutting, part, /*tile=*/1);
}

Cutting DoCuttingOf(const SpaceToDepth& s2d, int wanted) {
  return {AtMost(s2d.input.batch * s2d.input.height / s2d.block, wanted)};
}

PartOf<SpaceToDepth> DoCut(const SpaceToDepth& s2d, Cutting cutting, int part) {
  return CutImageRows(s2d, cutting, part, s2d.block);
}

Cutting DoCuttingOf(const Reduce& reduce, int wanted) { return {AtMost(reduce.batch, wanted)}; }

PartOf<Reduce> DoCut(const Reduce& reduce, Cutting cutting, int part) {
  const Piece batch = PieceOf(reduce.batch, cutting.parts, part);
  PartOf<Reduce> cut = {
      reduce, {batch.begin * reduce.reduced * reduce.channels, 0, batch.begin * reduce.channels}};
  cut.params.batch = batch.size();
  return cut;
}

// The number of products; 1 when the batch dimensions broadcast.
size_t Products(const BatchMatMul& matmul) {
  size_t products = 1;
  for (size_t i = 0; i < matmul.batch_a.rank; ++i) {
    if (matmul.batch_a.extents[i] != matmul.batch_b.extents[i]) return 1;
    products *= matmul.batch_a.extents[i];
  }
  return products;
}

Cutting DoCuttingOf(const BatchMatMul& matmul, int wanted) {
  return {AtMost(Products(matmul), wanted)};
}

PartOf<BatchMatMul> DoCut(const BatchMatMul& matmul, Cutting cutting, int part) {
  PartOf<BatchMatMul> cut = {matmul, {}};
  if (cutting.parts == 1) return cut;
  const Piece piece = PieceOf(Products(matmul), cutting.parts, part);
  cut.params.batch_a = cut.params.batch_b = {1, {piece.size()}};
  cut.offsets = {.input = piece.begin * matmul.m * matmul.k,
                 .input2 = piece.begin * matmul.k * matmul.n,
                 .output = piece.begin * matmul.m * matmul.n};
  return cut;
}

}  // namespace

Cutting CuttingOf(const Params& whole, int wanted) {
  return std::visit([&](const auto& p) { return DoCuttingOf(p, wanted); }, whole);
}

Part Cut(const Params& whole, Cutting cutting, int part) {
  return std::visit(
      [&](const auto& p) -> Part {
        const auto cut = DoCut(p, cutting, part);
        return {cut.params, cut.offsets};
      },
      whole);
}

}  // namespace linnet::xnnpack::xnn

// SPDX-License-Identifier: Apache-2.0
// Convolution and pooling of volumes by ops for pictures. For a convolution the slices in depth
// become channels; a pooling separates into one over planes and one over depth.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/transpose_conv2d.h"

namespace linnet::converter {
namespace {

using schema::PoolKind;

constexpr int kSides = 3;         // depth, height, width
constexpr int64_t kDeepest = 64;  // of a filter: every slice becomes an op

struct Side {
  int64_t size = 0, kernel = 1;
  int stride = 1, dilation = 1;
  Margins pad;
  int64_t outputs() const {
    const int64_t room = size + pad.before + pad.after - (kernel - 1) * dilation - 1;
    return room < 0 ? 0 : room / stride + 1;
  }
};

struct Volume {
  DataFormat format;
  Side sides[kSides];
  const Side& depth() const { return sides[0]; }
};

// Attribute `name`, a list of five values of which those for batch and channels must be 1: the
// values for the sides.
absl::StatusOr<std::vector<int64_t>> SideValues(const LegalizeContext& context, const char* name,
                                                DataFormat format) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> values, context.Ints(name));
  if (values.empty()) values.assign(5, 1);
  if (values.size() != 5 || values[0] != 1 || values[format.c()] != 1)
    return Unsupported("'{}' is [{}], want five, 1 for batch and channels", name,
                       fmt::join(values, ","));
  std::vector<int64_t> sides;
  for (int i = 0; i < kSides; ++i) {
    sides.push_back(values[format.side(i)]);
    if (sides.back() < 1 || sides.back() > INT32_MAX)
      return Invalid("'{}' is [{}], want values >= 1", name, fmt::join(values, ","));
  }
  return sides;
}

absl::Status WantFloatVolume(const LegalizeContext& context, int i) {
  LINNET_RETURN_IF_ERROR(context.WantFloats(i));
  return context.WantRank(i, 5);
}

// How windows of extents `kernel` move over a volume of `shape`. Reads the attributes.
absl::StatusOr<Volume> GetVolume(const LegalizeContext& context, const Shape& shape,
                                 const std::vector<int64_t>& kernel) {
  Volume volume;
  LINNET_ASSIGN_OR_RETURN(volume.format, GetDataFormat(context, kSides));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides,
                          SideValues(context, "strides", volume.format));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> dilations,
                          SideValues(context, "dilations", volume.format));
  LINNET_ASSIGN_OR_RETURN(const std::string& padding, context.String("padding", ""));
  if (padding != "SAME" && padding != "VALID") return Invalid("attr 'padding' is {}", padding);
  for (int i = 0; i < kSides; ++i) {
    Side& side = volume.sides[i];
    side.size = shape[volume.format.side(i)];
    side.kernel = kernel[i];
    side.stride = static_cast<int>(strides[i]);
    side.dilation = static_cast<int>(dilations[i]);
    if (side.kernel < 1 || side.kernel > INT32_MAX || side.size > INT32_MAX)
      return Invalid("a kernel of {} over {} elements", side.kernel, side.size);
    if (padding == "SAME") {
      LINNET_ASSIGN_OR_RETURN(side.pad,
                              SamePadding(side.size, side.kernel, side.stride, side.dilation));
    }
    if (side.outputs() < 1)
      return Invalid("a kernel of {} over {} elements", side.kernel, side.size);
  }
  return volume;
}

// The windows in height and width.
Window PlaneWindow(const Volume& volume) {
  const Side &h = volume.sides[1], &w = volume.sides[2];
  return {h.stride,     w.stride,    h.dilation,   w.dilation,
          h.pad.before, h.pad.after, w.pad.before, w.pad.after};
}

// [N, D, H, W, C] -> [N * D', H, W, kernel * C]: each plane of the result has all planes of its
// window as channels.
Emitted EmitPlanes(LegalizeContext& context, const Side& depth, const Emitted& x) {
  if (!x.ok()) return x;
  Shape before = Filled(5, 0), after = Filled(5, 0);
  before[1] = depth.pad.before;
  after[1] = depth.pad.after;
  const Emitted padded = EmitPad(context, before, after, x, "Pad");
  Shape size = context.shape(*x), stride = Filled(5, 1);
  size[1] = depth.outputs();
  stride[1] = depth.stride;
  std::vector<Emitted> parts;
  for (int64_t k = 0; k < depth.kernel; ++k)
    parts.push_back(EmitSlice(context, {0, k * depth.dilation, 0, 0, 0}, size, stride, padded,
                              fmt::format("depth_{}", k)));
  const Emitted all = EmitJoined(context, parts, 4, "depths");
  return EmitReshape(context, {size[0] * size[1], size[2], size[3], depth.kernel * size[4]}, all,
                     "planes");
}

absl::Status Conv3D(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(WantFloatVolume(context, 0));
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 5));
  const Shape filter_shape = context.shape(1);  // DHWIO
  LINNET_ASSIGN_OR_RETURN(
      const Volume volume,
      GetVolume(context, context.shape(0), {filter_shape[0], filter_shape[1], filter_shape[2]}));
  if (context.shape(0)[volume.format.c()] != filter_shape[3])
    return Unsupported("{} input channels for a filter {}", context.shape(0)[volume.format.c()],
                       ShapeText(filter_shape));
  if (filter_shape[0] > kDeepest) return Unsupported("a filter {} deep", filter_shape[0]);
  Emitted x = ToChannelsLast(context, volume.format, context.input(0));
  x = EmitPlanes(context, volume.depth(), x);
  Emitted filter = EmitTranspose(context, {4, 1, 2, 0, 3}, context.input(1), "filter_ohwdi");
  filter = EmitReshape(
      context,
      {filter_shape[4], filter_shape[1], filter_shape[2], filter_shape[0] * filter_shape[3]},
      filter, "filter_ohwi");
  Emitted y = context.Emit(WithWindow(PlaneWindow(volume), Conv2DAttrs()), {x, filter}, "Conv2D");
  y = EmitReshape(context,
                  {context.shape(0)[0], volume.depth().outputs(), volume.sides[1].outputs(),
                   volume.sides[2].outputs(), filter_shape[4]},
                  y, ChannelsLastSuffix(volume.format, ""));
  return context.Replace(FromChannelsLast(context, volume.format, y));
}

// Puts stride - 1 planes of zeros between every two planes of [N, D, H, W, C].
Emitted EmitSpread(LegalizeContext& context, int64_t stride, Emitted x) {
  if (!x.ok() || stride == 1) return x;
  Shape shape = context.shape(*x);
  const int64_t plane = shape.Product(2, 5);
  x = EmitReshape(context, {shape[0], shape[1], 1, plane}, x, "spread/planes");
  x = EmitPad(context, Filled(4, 0), {0, 0, stride - 1, 0}, x, "spread/Pad");
  const int64_t needed = (shape[1] - 1) * stride + 1;  // no zeros after the last plane
  shape[1] *= stride;
  x = EmitReshape(context, shape, x, "spread/volume");
  return EmitSliceAlong(context, 1, 0, needed, x, "spread");
}

// Makes a DHWIO filter that of a TransposeConv2D, IHWO: its planes, in reverse order, become output
// channels.
Emitted EmitTransposedFilter(LegalizeContext& context, Output filter) {
  const Shape shape = context.shape(filter);
  Shape begin = Filled(5, 0), stride = Filled(5, 1);
  begin[0] = shape[0] - 1;
  stride[0] = -1;
  Emitted y = EmitSlice(context, begin, shape, stride, filter, "filter_reversed");
  y = EmitTranspose(context, {3, 1, 2, 0, 4}, y, "filter_ihwdo");
  return EmitReshape(context, {shape[3], shape[1], shape[2], shape[0] * shape[4]}, y,
                     "filter_ihwo");
}

// Conv3DBackpropInputV2(input_sizes, filter, out_backprop). Along the depth it is a forward
// convolution with the filter reversed, over planes with stride - 1 planes of zeros between them.
absl::Status TransposeConv3D(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 5));
  LINNET_RETURN_IF_ERROR(WantFloatVolume(context, 2));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, context.ConstantInts(0, "input_sizes"));
  LINNET_ASSIGN_OR_RETURN(const Shape result, CheckedShape(sizes));
  const Shape filter_shape = context.shape(1);  // DHWIO of the forward convolution
  if (result.rank() != 5) return Invalid("'input_sizes' has {} values, want 5", result.rank());
  LINNET_ASSIGN_OR_RETURN(
      const Volume volume,
      GetVolume(context, result, {filter_shape[0], filter_shape[1], filter_shape[2]}));
  Shape forward = result;
  forward[volume.format.c()] = filter_shape[4];
  for (int i = 0; i < kSides; ++i) {
    forward[volume.format.side(i)] = volume.sides[i].outputs();
    if (volume.sides[i].dilation != 1) return Unsupported("'dilations' other than 1");
  }
  if (context.shape(2) != forward || result[volume.format.c()] != filter_shape[3])
    return Invalid("'out_backprop' is {}, but a filter {} makes {} of {}",
                   ShapeText(context.shape(2)), ShapeText(filter_shape), ShapeText(forward),
                   ShapeText(result));
  if (filter_shape[0] > kDeepest) return Unsupported("a filter {} deep", filter_shape[0]);
  Emitted x = ToChannelsLast(context, volume.format, context.input(2));
  x = EmitSpread(context, volume.depth().stride, x);
  const auto last_tap = static_cast<int>(filter_shape[0] - 1);
  Side depth{.size = (volume.depth().outputs() - 1) * volume.depth().stride + 1,
             .kernel = filter_shape[0]};
  depth.pad.before = last_tap - volume.depth().pad.before;
  depth.pad.after =
      static_cast<int>(volume.depth().size - depth.size + last_tap - depth.pad.before);
  x = EmitPlanes(context, depth, x);
  const Emitted filter = EmitTransposedFilter(context, context.input(1));
  const TransposeConv2DAttrs attrs{.output_h = static_cast<int>(volume.sides[1].size),
                                   .output_w = static_cast<int>(volume.sides[2].size)};
  x = context.Emit(WithWindow(PlaneWindow(volume), attrs), {x, filter}, "TransposeConv2D");
  x = EmitReshape(context,
                  {result[0], volume.depth().size, attrs.output_h, attrs.output_w, filter_shape[3]},
                  x, ChannelsLastSuffix(volume.format, ""));
  return context.Replace(FromChannelsLast(context, volume.format, x));
}

// Pools over planes, then over depth, where each plane is one row. The divisor of a mean is the
// number of elements that are not padding, which is a product over the sides, so means of means are
// right at the border, too.
template <PoolKind kKind>
absl::Status Pool3D(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const DataFormat format, GetDataFormat(context, kSides));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> ksize, SideValues(context, "ksize", format));
  LINNET_RETURN_IF_ERROR(WantFloatVolume(context, 0));
  LINNET_ASSIGN_OR_RETURN(const Volume volume, GetVolume(context, context.shape(0), ksize));
  const int64_t batch = context.shape(0)[0], channels = context.shape(0)[format.c()];
  const Side &side = volume.depth(), &h = volume.sides[1], &w = volume.sides[2];
  Emitted x = ToChannelsLast(context, format, context.input(0));
  x = EmitReshape(context, {batch * side.size, h.size, w.size, channels}, x, "planes");
  const Pool2DAttrs plane{.kind = kKind,
                          .window_h = static_cast<int>(ksize[1]),
                          .window_w = static_cast<int>(ksize[2])};
  x = context.Emit(WithWindow(PlaneWindow(volume), plane), {x}, "planes/Pool2D");
  x = EmitReshape(context, {batch, side.size, h.outputs() * w.outputs(), channels}, x, "depths");
  const Pool2DAttrs depth{.kind = kKind,
                          .window_h = static_cast<int>(side.kernel),
                          .window_w = 1,
                          .stride_h = side.stride,
                          .pad_top = side.pad.before,
                          .pad_bottom = side.pad.after};
  x = context.Emit(depth, {x}, "depths/Pool2D");
  x = EmitReshape(context, {batch, side.outputs(), h.outputs(), w.outputs(), channels}, x,
                  ChannelsLastSuffix(format, ""));
  return context.Replace(FromChannelsLast(context, format, x));
}

}  // namespace

std::span<const TfOp> VolumeOps() {
  static constexpr TfOp kRows[] = {
      {"AvgPool3D", Pool3D<PoolKind::Average>, "Pool2D, Reshape"},
      {"Conv3D", Conv3D, "Pad, Slice, Concat, Reshape, Conv2D; no groups"},
      {"Conv3DBackpropInputV2", TransposeConv3D,
       "Pad, Slice, Concat, Reshape, TransposeConv2D; input_sizes known"},
      {"MaxPool3D", Pool3D<PoolKind::Max>, "Pool2D, Reshape"},
  };
  return kRows;
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
// Convolutions of pictures. Ops on the filter bring it from TensorFlow's HWIO to Linnet's layouts;
// they fold where it is constant.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/activations.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/transpose_conv2d.h"

namespace linnet::converter {
namespace {

// Emits the convolution `attrs` of x with the filter and the fused bias, then what else was fused.
template <typename Attrs>
absl::Status EmitConvolution(LegalizeContext& context, DataFormat format, Attrs attrs,
                             const Emitted& x, const Emitted& filter, const FusedTail& tail) {
  attrs.range = tail.range();
  std::vector<Emitted> inputs = {x, filter};
  if (tail.bias) inputs.push_back(*tail.bias);
  const bool more = tail.HasMore();
  // The slopes of a Prelu broadcast against the tensor in its own format, all else against the
  // channels, which are last in NHWC.
  const bool tail_in_nhwc = !tail.prelu_alpha;
  const std::string suffix = more ? "Conv" : "";
  Emitted y = context.Emit(attrs, inputs, ChannelsLastSuffix(format, suffix));
  if (more && tail_in_nhwc) y = EmitFusedTail(context, tail, y, ChannelsLastSuffix(format, ""));
  y = FromChannelsLast(context, format, y, tail_in_nhwc ? "" : "nchw");
  if (more && !tail_in_nhwc) return context.Replace(EmitFusedTail(context, tail, y, ""));
  return context.Replace(y);
}

// What Conv2D and DepthwiseConv2D have in common.
struct Convolution {
  DataFormat format;
  FusedTail tail;
  Window window;
  int64_t channels = 0;
  Shape filter;  // HWIO, or HWCM of a depthwise one
};

// The margins of padding SAME follow from the filter's size, which must be a number for them.
absl::Status WantFixedWindow(const LegalizeContext& context) {
  const Extents filter = context.extents(1);
  if (filter[0].is_constant() && filter[1].is_constant()) return absl::OkStatus();
  return Unsupported("a filter of {}, want a fixed height and width",
                     context.symbols().Text(filter));
}

absl::StatusOr<Convolution> GetConvolution(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, 8));
  for (const int i : {0, 1}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 4));
  LINNET_RETURN_IF_ERROR(WantFixedWindow(context));
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  Convolution conv;
  LINNET_ASSIGN_OR_RETURN(conv.format, GetDataFormat(context));
  LINNET_ASSIGN_OR_RETURN(conv.tail, GetFusedTail(context));
  const Shape& x = context.shape(0);
  conv.channels = x[conv.format.c()];
  conv.filter = context.shape(1);
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.Ints("strides"));
  LINNET_ASSIGN_OR_RETURN(conv.window,
                          GetWindow(context, conv.format, x[conv.format.h()], x[conv.format.w()],
                                    conv.filter[0], conv.filter[1], strides));
  return conv;
}

// A filter in HWIO with one input channel for each group, or in HWCM.
absl::Status EmitDepthwise(LegalizeContext& context, const Convolution& conv) {
  const Emitted x = ToChannelsLast(context, conv.format, context.input(0));
  const Shape hwc = {conv.filter[0], conv.filter[1], conv.filter[2] * conv.filter[3]};
  const Emitted filter = EmitReshape(context, hwc, context.input(1), "filter_hwc");
  return EmitConvolution(context, conv.format, WithWindow(conv.window, DepthwiseConv2DAttrs()), x,
                         filter, conv.tail);
}

absl::Status Conv2D(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Convolution conv, GetConvolution(context));
  if (conv.filter[2] == 0 || conv.channels % conv.filter[2] != 0 || conv.channels > INT32_MAX)
    return Invalid("{} input channels are no multiple of the filter's {}", conv.channels,
                   conv.filter[2]);
  // As Keras' ConvNeXt spells depthwise convolutions. Groups that make several channels of one are
  // better off as products.
  if (conv.filter[2] == 1 && conv.filter[3] == conv.channels && conv.channels > 1)
    return EmitDepthwise(context, conv);
  const auto groups = static_cast<int>(conv.channels / conv.filter[2]);
  const Emitted x = ToChannelsLast(context, conv.format, context.input(0));
  const Emitted filter = EmitTranspose(context, {3, 0, 1, 2}, context.input(1), "filter_ohwi");
  return EmitConvolution(context, conv.format,
                         WithWindow(conv.window, Conv2DAttrs{.groups = groups}), x, filter,
                         conv.tail);
}

absl::Status DepthwiseConv2D(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Convolution conv, GetConvolution(context));
  if (conv.channels != conv.filter[2])
    return Invalid("{} input channels, but the filter {} is for {}", conv.channels,
                   ShapeText(conv.filter), conv.filter[2]);
  return EmitDepthwise(context, conv);
}

// Padding SAME has the margins (input - 1) * stride + kernel - result, if that is not below 0. They
// are numbers in a plan, so they must not depend on the extents that vary.
absl::Status MarginsStayTheSame(const LegalizeContext& context, DataFormat format,
                                const Window& window, const Extents& result) {
  LINNET_ASSIGN_OR_RETURN(const std::string& padding, context.String("padding", ""));
  if (padding != "SAME") return absl::OkStatus();
  const Extents input = context.extents(2);
  const Extent rows = input[format.h()] * window.stride_h - result[0];
  const Extent columns = input[format.w()] * window.stride_w - result[1];
  for (const Extent& margins : {rows, columns})
    if (!context.symbols().Canonical(margins).is_constant())
      return Unsupported(
          "a result of {} from {} by strides {} and {} has margins (padding SAME) that vary",
          context.symbols().Text(result), context.symbols().Text(input), window.stride_h,
          window.stride_w);
  return absl::OkStatus();
}

// Transposed convolution: Conv2DBackpropInput(input_sizes, filter, out_backprop).
absl::Status TransposeConv2D(LegalizeContext& context) {
  for (const int i : {1, 2}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 4));
  LINNET_RETURN_IF_ERROR(WantFixedWindow(context));
  LINNET_RETURN_IF_ERROR(context.WantFloats(2));
  LINNET_ASSIGN_OR_RETURN(const DataFormat format, GetDataFormat(context));
  LINNET_ASSIGN_OR_RETURN(const Extents sizes, context.ExtentValues(0, "input_sizes"));
  if (sizes.size() != 4 && sizes.size() != 2)
    return Invalid("'input_sizes' has {} values, want 4 (or height and width)", sizes.size());
  const Extents size = sizes.size() == 2 ? sizes : Extents{sizes[format.h()], sizes[format.w()]};
  LINNET_ASSIGN_OR_RETURN(const Shape picture, LargestPicture(context, size));
  const Shape& filter_shape = context.shape(1);  // HWIO of the forward convolution
  // The attributes are those of the forward convolution, so the picture is this op's output.
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.Ints("strides"));
  LINNET_ASSIGN_OR_RETURN(const Window window,
                          GetWindow(context, format, picture[0], picture[1], filter_shape[0],
                                    filter_shape[1], strides));
  LINNET_RETURN_IF_ERROR(MarginsStayTheSame(context, format, window, size));
  LINNET_ASSIGN_OR_RETURN(
      const OpAttrs attrs,
      WithOutputSize(context, WithWindow(window, TransposeConv2DAttrs()), size));
  const Emitted x = ToChannelsLast(context, format, context.input(2));
  const Emitted filter = EmitTranspose(context, {2, 0, 1, 3}, context.input(1), "filter_ohwi");
  const Emitted y = context.Emit(attrs, {x, filter}, ChannelsLastSuffix(format, ""));
  return context.Replace(FromChannelsLast(context, format, y));
}

}  // namespace

std::span<const TfOp> ConvolutionOps() {
  static constexpr TfOp kRows[] = {
      {"Conv2D", Conv2D, "Conv2D (groups too) or DepthwiseConv2D, Transpose of the filter",
       kMayVary},
      {"Conv2DBackpropInput", TransposeConv2D, "TransposeConv2D; input_sizes known or bounded",
       kMayVary},
      {"DepthwiseConv2dNative", DepthwiseConv2D, "DepthwiseConv2D", kMayVary},
      {"FusedDepthwiseConv2dNative", DepthwiseConv2D, "DepthwiseConv2D and what is fused",
       kMayVary},
      {"_FusedConv2D", Conv2D, "Conv2D or DepthwiseConv2D, and what is fused", kMayVary},
      {"_FusedDepthwiseConv2dNative", DepthwiseConv2D, "DepthwiseConv2D and what is fused"},
  };
  return kRows;
}

}  // namespace linnet::converter

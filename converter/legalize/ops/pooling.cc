// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/pool2d.h"

namespace linnet::converter {
namespace {

using schema::PoolKind;

// A maximum over groups of channels: [..., C] -> [..., C/k, k] -> [..., C/k].
absl::Status DepthwiseMaxPool(LegalizeContext& context, int64_t window, int64_t stride) {
  const Shape& shape = context.shape(0);
  if (window != stride || shape[3] % window != 0)
    return Unsupported("a window of {} over {} channels with stride {}", window, shape[3], stride);
  const Shape groups = {shape[0], shape[1], shape[2], shape[3] / window, window};
  const Emitted x = EmitReshape(context, groups, context.input(0), "channel_groups");
  return context.Replace(EmitReduce(context, ReduceKind::Max, {4}, false, x));
}

absl::Status EmitPool(LegalizeContext& context, PoolKind kind, const std::vector<int64_t>& ksize,
                      const std::vector<int64_t>& strides) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 4));
  LINNET_ASSIGN_OR_RETURN(const DataFormat format, GetDataFormat(context));
  if (ksize.size() != 4 || strides.size() != 4)
    return Invalid("'ksize' and 'strides' have {} and {} values, want 4", ksize.size(),
                   strides.size());
  if (ksize[0] != 1 || ksize[format.c()] != 1) {
    const bool channels_only = kind == PoolKind::Max && !format.channels_first && ksize[0] == 1 &&
                               ksize[1] == 1 && ksize[2] == 1 && strides[1] == 1 &&
                               strides[2] == 1 && ksize[3] > 0;
    if (channels_only) return DepthwiseMaxPool(context, ksize[3], strides[3]);
    return Unsupported("'ksize' is [{}]: batch and channels must have 1", fmt::join(ksize, ","));
  }
  const int64_t window_h = ksize[format.h()], window_w = ksize[format.w()];
  if (window_h < 1 || window_w < 1 || window_h > INT32_MAX || window_w > INT32_MAX)
    return Invalid("'ksize' is [{}], want values >= 1", fmt::join(ksize, ","));
  const Shape& shape = context.shape(0);
  LINNET_ASSIGN_OR_RETURN(const Window window,
                          GetWindow(context, format, shape[format.h()], shape[format.w()], window_h,
                                    window_w, strides));
  const Pool2DAttrs attrs{
      .kind = kind, .window_h = static_cast<int>(window_h), .window_w = static_cast<int>(window_w)};
  const DType dtype = context.type(0).dtype;
  const bool is_wide = kind == PoolKind::Max && (dtype == DType::kInt16 || dtype == DType::kUint16);
  const std::string suffix = ChannelsLastSuffix(format, "");
  Emitted x = ToChannelsLast(context, format, context.input(0));
  x = EmitCast(context, is_wide ? DType::kInt32 : dtype, x, "wide");
  x = context.Emit(WithWindow(window, attrs), {x}, is_wide ? "Pool" : suffix);
  x = EmitCast(context, dtype, x, suffix);
  return context.Replace(FromChannelsLast(context, format, x));
}

template <PoolKind kKind>
absl::Status Pool(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> ksize, context.Ints("ksize"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.Ints("strides"));
  return EmitPool(context, kKind, ksize, strides);
}

// The size of the window and the strides are inputs.
absl::Status MaxPoolV2(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> ksize, context.ConstantInts(1, "ksize"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.ConstantInts(2, "strides"));
  return EmitPool(context, PoolKind::Max, ksize, strides);
}

}  // namespace

std::span<const TfOp> PoolingOps() {
  static constexpr TfOp kRows[] = {
      {"AvgPool", Pool<PoolKind::Average>, "Pool2D", kMayVary},
      {"MaxPool", Pool<PoolKind::Max>, "Pool2D; over channels: Reduce", kMayVary},
      {"MaxPoolV2", MaxPoolV2, "Pool2D; over channels: Reduce", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/shape.h"
#include "runtime/core/status.h"

namespace linnet {

// What convolutions and poolings share: windows that move over a padded image.

// Reads stride_h, stride_w and the four pads, which the tables and structs of all these ops have.
template <typename Table, typename Attrs>
Status DecodeStridesAndPads(const Table& table, Attrs* attrs) {
  if (table.stride_h() < 1 || table.stride_w() < 1)
    return {StatusCode::kInvalidPlan, "strides must be >= 1"};
  if (table.pad_top() < 0 || table.pad_bottom() < 0 || table.pad_left() < 0 ||
      table.pad_right() < 0)
    return {StatusCode::kInvalidPlan, "pads must be >= 0"};
  attrs->stride_h = table.stride_h();
  attrs->stride_w = table.stride_w();
  attrs->pad_top = table.pad_top();
  attrs->pad_bottom = table.pad_bottom();
  attrs->pad_left = table.pad_left();
  attrs->pad_right = table.pad_right();
  return {};
}

template <typename Table, typename Attrs>
Status DecodeDilations(const Table& table, Attrs* attrs) {
  if (table.dilation_h() < 1 || table.dilation_w() < 1)
    return {StatusCode::kInvalidPlan, "dilations must be >= 1"};
  attrs->dilation_h = table.dilation_h();
  attrs->dilation_w = table.dilation_w();
  return {};
}

// One axis of a window op. All values but `in` and `kernel` come from checked attributes.
struct WindowAxis {
  int64_t in, kernel;
  int64_t stride, dilation;
  int64_t pad_before, pad_after;
};

// Extent of the output: the number of windows that fit. As in TensorFlow it may be 0, when the
// padded image is smaller than the window by at most the stride.
inline Status WindowOutput(const WindowAxis& axis, int64_t* out) {
  constexpr int64_t kMaxExtent = INT32_MAX;  // so that the following fits in 64 bits
  if (axis.in > kMaxExtent || axis.kernel < 1 || axis.kernel > kMaxExtent)
    return {StatusCode::kInvalidPlan, "image and window extents must be in 1..2^31-1"};
  const int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
  const int64_t room = axis.in + axis.pad_before + axis.pad_after - reach + axis.stride;
  if (room < 0) return {StatusCode::kInvalidPlan, "window is larger than the padded image"};
  *out = room / axis.stride;
  return {};
}

// Sizes are bounded by the filter's elements, except where it has no channels.
inline Status CheckTaps(int64_t kernel_h, int64_t kernel_w) {
  int64_t taps = 0;
  if (!CheckedMul(kernel_h, kernel_w, &taps) || taps > INT32_MAX)
    return {StatusCode::kInvalidPlan, "filter has too many taps"};
  return {};
}

// `bias` must be f32 [channels].
inline Status CheckBias(const TensorType& bias, int64_t channels) {
  if (bias.dtype != DType::kFloat32 || bias.shape != Shape{channels})
    return {StatusCode::kInvalidPlan, "bias must be f32 [output channels]"};
  return {};
}

inline bool IsFloat32OfRank(const TensorType& type, int rank) {
  return type.dtype == DType::kFloat32 && type.shape.rank() == rank;
}

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "runtime/core/linked_parts.h"
#include "runtime/core/shape.h"
#include "runtime/core/status.h"
#include "runtime/ops/op_def.h"

namespace linnet {

// What convolutions and poolings share: windows that move over a padded image.

// Reads stride_h, stride_w and the four pads, which the tables and structs of all these ops have,
// and `same`, which some have.
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
  if constexpr (requires { attrs->same; }) {
    attrs->same = table.same();
    const bool padded =
        (attrs->pad_top | attrs->pad_bottom | attrs->pad_left | attrs->pad_right) != 0;
    if (attrs->same && padded)
      return {StatusCode::kInvalidPlan, "pads must be 0 where they follow from the image"};
  }
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

struct Margins {
  int before = 0, after = 0;
};

// TensorFlow's padding SAME along one axis: there are ceil(in / stride) windows, and of an odd
// padding the larger half goes behind. False when the window reaches too far.
[[nodiscard]] inline bool SameMargins(int64_t in, int64_t kernel, int64_t stride, int64_t dilation,
                                      Margins* margins) {
  int64_t reach = 0;
  if (!CheckedMul(kernel - 1, dilation, &reach) || reach >= INT32_MAX || in > INT32_MAX)
    return false;
  const int64_t windows = CeilDiv(in, stride);
  const int64_t total = std::max<int64_t>((windows - 1) * stride + reach + 1 - in, 0);
  *margins = {static_cast<int>(total / 2), static_cast<int>(total - total / 2)};
  return true;
}

// The attributes with the pads that they mean for an image of in_h x in_w: with `same` these are
// computed, and `same` is then false. Everything that reads pads takes them from here. REQUIRES
// (else the pads are 0): the shape rule accepts the image.
template <typename Attrs>
Attrs WithPads(Attrs attrs, int64_t in_h, int64_t in_w, int64_t kernel_h, int64_t kernel_w) {
  if constexpr (requires { attrs.same; }) {
    if (!attrs.same) return attrs;
    int64_t dilation_h = 1, dilation_w = 1;
    if constexpr (requires { attrs.dilation_h; }) {
      dilation_h = attrs.dilation_h;
      dilation_w = attrs.dilation_w;
    }
    Margins rows, columns;
    if (!SameMargins(in_h, kernel_h, attrs.stride_h, dilation_h, &rows) ||
        !SameMargins(in_w, kernel_w, attrs.stride_w, dilation_w, &columns))
      return attrs;
    attrs.same = false;
    attrs.pad_top = rows.before;
    attrs.pad_bottom = rows.after;
    attrs.pad_left = columns.before;
    attrs.pad_right = columns.after;
  }
  return attrs;
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

// Height and width of the output over an image of in_h x in_w.
template <typename Attrs>
Status WindowOutputs(const Attrs& attrs, int64_t in_h, int64_t in_w, int64_t kernel_h,
                     int64_t kernel_w, int64_t* out_h, int64_t* out_w) {
  const Attrs a = WithPads(attrs, in_h, in_w, kernel_h, kernel_w);
  WindowAxis rows = {in_h, kernel_h, a.stride_h, 1, a.pad_top, a.pad_bottom};
  WindowAxis columns = {in_w, kernel_w, a.stride_w, 1, a.pad_left, a.pad_right};
  if constexpr (requires { a.dilation_h; }) {
    rows.dilation = a.dilation_h;
    columns.dilation = a.dilation_w;
  }
  if constexpr (requires { a.same; }) {
    if (a.same) return {StatusCode::kInvalidPlan, "window reaches too far"};
  }
  LINNET_RETURN_IF_ERROR(WindowOutput(rows, out_h));
  return WindowOutput(columns, out_w);
}

// OpDef::row_window of an op with such attributes.
template <typename Attrs>
RowWindow RowWindowOf(const Attrs& attrs, const Shape& in, int64_t kernel_h, int64_t kernel_w) {
  if (!kLinkedStrips) return {};
  const Attrs a = WithPads(attrs, in[1], in[2], kernel_h, kernel_w);
  int64_t dilation = 1;
  if constexpr (requires { a.dilation_h; }) dilation = a.dilation_h;
  return {.size = (kernel_h - 1) * dilation + 1, .stride = a.stride_h, .pad = a.pad_top};
}

// OpDef::cut_rows of the same.
template <typename Attrs>
void CutRowsOf(const Attrs& whole, const Shape& in, int64_t kernel_h, int64_t kernel_w,
               int64_t above, int64_t below, void* attrs) {
  if (!kLinkedStrips) return;
  Attrs part = WithPads(whole, in[1], in[2], kernel_h, kernel_w);
  part.pad_top = static_cast<int>(above);
  part.pad_bottom = static_cast<int>(below);
  *static_cast<Attrs*>(attrs) = part;
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "converter/legalize/context/legalize_context.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/compare.h"
#include "runtime/ops/output_range.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/unary.h"
#include "runtime/ops/window.h"

// What translators have in common. Each Emit... function is LegalizeContext::Emit with the
// attributes of one op; some give x itself where the op would change nothing.
namespace linnet::converter {

using schema::BinaryKind;
using schema::CompareKind;
using schema::ReduceKind;
using schema::UnaryKind;

// How large a constant may be that a translator computes from attributes, such as a mask or a table
// of indices. A tiny model could ask for gigabytes otherwise.
inline constexpr int64_t kMostElements = 1 << 24;

Emitted EmitUnary(LegalizeContext& context, UnaryKind kind, const Emitted& x,
                  std::string_view suffix = "");
Emitted EmitBinary(LegalizeContext& context, BinaryKind kind, const Emitted& a, const Emitted& b,
                   std::string_view suffix = "");
// The right operand is a scalar constant of a's dtype.
Emitted EmitBinary(LegalizeContext& context, BinaryKind kind, const Emitted& a, double b,
                   std::string_view suffix = "");
Emitted EmitCompare(LegalizeContext& context, CompareKind kind, const Emitted& a, const Emitted& b,
                    std::string_view suffix = "");
Emitted EmitClamp(LegalizeContext& context, OutputRange range, const Emitted& x,
                  std::string_view suffix = "");
Emitted EmitSelect(LegalizeContext& context, const Emitted& condition, const Emitted& a,
                   const Emitted& b, std::string_view suffix = "");
Emitted EmitReduce(LegalizeContext& context, ReduceKind kind, const Shape& axes, bool keep_dims,
                   const Emitted& x, std::string_view suffix = "");
// The next four give x itself when there is nothing to do. A list in braces is a shape, also where
// varying.h declares functions of the same names that take extents.
Emitted EmitCast(LegalizeContext& context, DType dtype, const Emitted& x,
                 std::string_view suffix = "");
Emitted EmitReshape(LegalizeContext& context, const Shape& shape, const Emitted& x,
                    std::string_view suffix = "");
inline Emitted EmitReshape(LegalizeContext& context, std::initializer_list<int64_t> shape,
                           const Emitted& x, std::string_view suffix = "") {
  return EmitReshape(context, Shape(shape), x, suffix);
}
Emitted EmitTranspose(LegalizeContext& context, const Shape& perm, const Emitted& x,
                      std::string_view suffix = "");
Emitted EmitBroadcastTo(LegalizeContext& context, const Shape& shape, const Emitted& x,
                        std::string_view suffix = "");
inline Emitted EmitBroadcastTo(LegalizeContext& context, std::initializer_list<int64_t> shape,
                               const Emitted& x, std::string_view suffix = "") {
  return EmitBroadcastTo(context, Shape(shape), x, suffix);
}
// `size` elements of every dimension from `begin` on, stride 1 unless given; x itself when that is
// all of it.
Emitted EmitSlice(LegalizeContext& context, const Shape& begin, const Shape& size, const Emitted& x,
                  std::string_view suffix = "");
Emitted EmitSlice(LegalizeContext& context, const Shape& begin, const Shape& size,
                  const Shape& stride, const Emitted& x, std::string_view suffix = "");
// `size` elements of dimension `axis` from `begin` on, and all elements of the other dimensions.
Emitted EmitSliceAlong(LegalizeContext& context, int axis, int64_t begin, int64_t size,
                       const Emitted& x, std::string_view suffix = "");
struct Paddings {
  Shape before, after;  // per dimension
};
// Splits `paddings`, an input [rank, 2] of TensorFlow's Pad and MirrorPad. InvalidArgument for
// another size and for negative values.
absl::StatusOr<Paddings> SplitPaddings(std::span<const int64_t> paddings, int rank);
// Zeros around x; x itself when there are none.
Emitted EmitPad(LegalizeContext& context, const Shape& before, const Shape& after, const Emitted& x,
                std::string_view suffix = "");

// A constant of 0, 1, 2, ... in the order of its elements.
template <typename T>
Output AddIndices(LegalizeContext& context, const Shape& shape, std::string_view suffix) {
  std::vector<T> indices;
  for (int64_t i = 0; i < shape.num_elements(); ++i) indices.push_back(static_cast<T>(i));
  return context.AddConstant(Constant::Of<T>(shape, std::move(indices)), suffix);
}

// The parts concatenated along `axis`; a single part as it is.
Emitted EmitJoined(LegalizeContext& context, const Operands& parts, int axis,
                   std::string_view suffix = "");
// An integer dtype of fewer than 32 bits. Most of Linnet's ops do not have these, so translators
// compute in i32 and cast back.
bool IsNarrowInteger(DType dtype);
// Indices as i32 or i64.
Emitted EmitIndices(LegalizeContext& context, const Emitted& indices,
                    std::string_view suffix = "indices");
// The matrix product of a and b, plus a bias for each column unless `bias` is empty. It is a
// FullyConnected where b and the bias are constant.
Emitted EmitMatMul(LegalizeContext& context, const Emitted& a, const Emitted& b, Output bias,
                   std::string_view suffix = "");

// Translators (TfOp::legalize) that several families use in their rows. PassThrough: output i is
// input i.
absl::Status PassThrough(LegalizeContext& context);
// Drop: for ops that only have an effect or control dependencies, or fill a table, whose content is
// known from before the passes (resources/tables.h).
absl::Status Drop(LegalizeContext& context);
template <UnaryKind kKind>
absl::Status Unary(LegalizeContext& context) {
  return context.Replace(EmitUnary(context, kKind, context.input(0)));
}
template <BinaryKind kKind>
absl::Status Binary(LegalizeContext& context) {
  return context.Replace(EmitBinary(context, kKind, context.input(0), context.input(1)));
}

// The shape with these extents, which come from the model: Unimplemented for more than kMaxRank,
// InvalidArgument for negative extents and too many elements.
absl::StatusOr<Shape> CheckedShape(std::span<const int64_t> dims);
Shape Concatenated(const Shape& a, const Shape& b);
Shape SubShape(const Shape& shape, int first, int last);  // dims [first, last)
Shape Filled(int rank, int64_t value);
bool IsIdentityPermutation(const Shape& perm);
// Input 1, 'perm', of Transpose on `rank` dimensions, with negative axes counted from the end.
// InvalidArgument where it does not name every dimension once.
absl::StatusOr<Shape> ConstantPermutation(const LegalizeContext& context, int rank);

// The order of the dimensions of a picture (NHWC or NCHW) or of a volume (NDHWC or NCDHW), as
// attribute data_format says. Linnet's ops want channels last. An op with channels first gets
// transposes before and behind it, which a later pass cancels against those of its neighbours.
struct DataFormat {
  bool channels_first = false;
  int sides = 2;  // height and width; 3 in a volume: depth, height, width
  int side(int i) const { return i + (channels_first ? 2 : 1); }
  int h() const { return side(sides - 2); }
  int w() const { return side(sides - 1); }
  int c() const { return channels_first ? 1 : sides + 1; }
};
// Reads attribute data_format. Unimplemented for any other format.
absl::StatusOr<DataFormat> GetDataFormat(const LegalizeContext& context, int sides = 2);
// Transposes to channels last, and back to `format`. Where FromChannelsLast gets `suffix`, the op
// whose result it transposes is named ChannelsLastSuffix(format, suffix).
Emitted ToChannelsLast(LegalizeContext& context, DataFormat format, const Emitted& x);
Emitted FromChannelsLast(LegalizeContext& context, DataFormat format, const Emitted& x,
                         std::string_view suffix = "");
std::string ChannelsLastSuffix(DataFormat format, std::string_view suffix);

// SameMargins (runtime/ops/window.h), or InvalidArgument.
absl::StatusOr<Margins> SamePadding(int64_t size, int64_t kernel, int64_t stride, int64_t dilation);

// Rows and columns of a window: strides, dilations and padding as TensorFlow's attributes give
// them.
struct Window {
  int stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  // The pads are 0 here and follow from the picture's size in each run, as SAME says.
  bool same = false;
};
// The window of a kernel of kernel_h x kernel_w that moves over a picture of height x width. Reads
// the attributes dilations, padding and explicit_paddings.
absl::StatusOr<Window> GetWindow(const LegalizeContext& context, DataFormat format, int64_t height,
                                 int64_t width, int64_t kernel_h, int64_t kernel_w,
                                 const std::vector<int64_t>& strides);
// `attrs` with the strides, dilations (if it has any) and padding of `window`.
template <typename Attrs>
Attrs WithWindow(const Window& window, Attrs attrs) {
  attrs.stride_h = window.stride_h;
  attrs.stride_w = window.stride_w;
  attrs.pad_top = window.pad_top;
  attrs.pad_bottom = window.pad_bottom;
  attrs.pad_left = window.pad_left;
  attrs.pad_right = window.pad_right;
  if constexpr (requires { attrs.same; }) attrs.same = window.same;
  if constexpr (requires { attrs.dilation_h; }) {
    attrs.dilation_h = window.dilation_h;
    attrs.dilation_w = window.dilation_w;
  }
  return attrs;
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "converter/legalize/context/legalize_context.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/compare.h"
#include "runtime/ops/output_range.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/unary.h"

// Ops that the families emit again and again. Each is LegalizeContext::Emit with its attributes.
namespace linnet::converter {

using schema::BinaryKind;
using schema::CompareKind;
using schema::ReduceKind;
using schema::UnaryKind;

// The most elements of a constant that a translator makes of a few numbers.
inline constexpr int64_t kMostElements = 1 << 24;

Emitted EmitUnary(LegalizeContext& context, UnaryKind kind, const Emitted& x,
                  std::string_view suffix = "");
Emitted EmitBinary(LegalizeContext& context, BinaryKind kind, const Emitted& a, const Emitted& b,
                   std::string_view suffix = "");
// With a scalar of a's dtype on the right.
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
// The next four give x itself when there is nothing to do.
Emitted EmitCast(LegalizeContext& context, DType dtype, const Emitted& x,
                 std::string_view suffix = "");
Emitted EmitReshape(LegalizeContext& context, const Shape& shape, const Emitted& x,
                    std::string_view suffix = "");
Emitted EmitTranspose(LegalizeContext& context, const Shape& perm, const Emitted& x,
                      std::string_view suffix = "");
Emitted EmitBroadcastTo(LegalizeContext& context, const Shape& shape, const Emitted& x,
                        std::string_view suffix = "");
// size elements of every dimension from begin on, stride 1 unless given; x itself when all of it.
Emitted EmitSlice(LegalizeContext& context, const Shape& begin, const Shape& size, const Emitted& x,
                  std::string_view suffix = "");
Emitted EmitSlice(LegalizeContext& context, const Shape& begin, const Shape& size,
                  const Shape& stride, const Emitted& x, std::string_view suffix = "");
// `size` elements of dimension `axis` from `begin` on, all of the others.
Emitted EmitSliceAlong(LegalizeContext& context, int axis, int64_t begin, int64_t size,
                       const Emitted& x, std::string_view suffix = "");
struct Paddings {
  Shape before, after;  // per dimension
};
// What the `paddings` [rank, 2] of Pad and its like say.
absl::StatusOr<Paddings> SplitPaddings(std::span<const int64_t> paddings, int rank);
// Zeros around x; x itself when there are none.
Emitted EmitPad(LegalizeContext& context, const Shape& before, const Shape& after, const Emitted& x,
                std::string_view suffix = "");

// The parts one behind the other along `axis`; a single one as it is.
Emitted EmitJoined(LegalizeContext& context, const Operands& parts, int axis,
                   std::string_view suffix = "");
// Of fewer than 32 bits: most ops take such integers as i32.
bool IsNarrowInteger(DType dtype);
// Indices as i32 or i64.
Emitted EmitIndices(LegalizeContext& context, const Emitted& indices,
                    std::string_view suffix = "indices");
// Product of the matrices a and b plus, if given, a bias for its columns: a FullyConnected where b
// and the bias are constant.
Emitted EmitMatMul(LegalizeContext& context, const Emitted& a, const Emitted& b, Output bias,
                   std::string_view suffix = "");

// Translators (TfOp::legalize) that rows of several families have. Output i is input i:
absl::Status PassThrough(LegalizeContext& context);
template <UnaryKind kKind>
absl::Status Unary(LegalizeContext& context) {
  return context.Replace(EmitUnary(context, kKind, context.input(0)));
}
template <BinaryKind kKind>
absl::Status Binary(LegalizeContext& context) {
  return context.Replace(EmitBinary(context, kKind, context.input(0), context.input(1)));
}

// Extents that come from the model: at most kMaxRank of them, none negative.
absl::StatusOr<Shape> CheckedShape(std::span<const int64_t> dims);
Shape Concatenated(const Shape& a, const Shape& b);
Shape SubShape(const Shape& shape, int first, int last);  // dims [first, last)
Shape Filled(int rank, int64_t value);
bool IsIdentityPermutation(const Shape& perm);

// Where the dimensions of a picture are, NHWC or NCHW as TensorFlow's data_format says, or of a
// volume, NDHWC or NCDHW. All ops run with channels last: one whose channels come first is wrapped
// in transposes, which a later pass cancels against its neighbours'.
struct DataFormat {
  bool channels_first = false;
  int sides = 2;  // 3 of a volume, whose first one is the depth
  int side(int i) const { return i + (channels_first ? 2 : 1); }
  int h() const { return side(sides - 2); }
  int w() const { return side(sides - 1); }
  int c() const { return channels_first ? 1 : sides + 1; }
};
// Reads attr data_format; what is not one of the two formats is refused.
absl::StatusOr<DataFormat> GetDataFormat(const LegalizeContext& context, int sides = 2);
// To channels last and back. `suffix` is that of the value in its own format; ops in between get
// ChannelsLastSuffix(format, suffix).
Emitted ToChannelsLast(LegalizeContext& context, DataFormat format, const Emitted& x);
Emitted FromChannelsLast(LegalizeContext& context, DataFormat format, const Emitted& x,
                         std::string_view suffix = "");
std::string ChannelsLastSuffix(DataFormat format, std::string_view suffix);

struct Padding {
  int before = 0, after = 0;
};
// TensorFlow's SAME: the output has ceil(size / stride) elements, the odd pad goes behind.
absl::StatusOr<Padding> SamePadding(int64_t size, int64_t kernel, int64_t stride, int64_t dilation);

// Rows and columns of a window: strides, dilations and padding as TensorFlow's attributes give
// them.
struct Window {
  int stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
};
// Attributes `dilations`, `padding` and `explicit_paddings`, and `strides`, for a picture of
// height x width under a kernel of kernel_h x kernel_w.
absl::StatusOr<Window> GetWindow(const LegalizeContext& context, DataFormat format, int64_t height,
                                 int64_t width, int64_t kernel_h, int64_t kernel_w,
                                 const std::vector<int64_t>& strides);
// `attrs` with this window.
template <typename Attrs>
Attrs WithWindow(const Window& window, Attrs attrs) {
  attrs.stride_h = window.stride_h;
  attrs.stride_w = window.stride_w;
  attrs.pad_top = window.pad_top;
  attrs.pad_bottom = window.pad_bottom;
  attrs.pad_left = window.pad_left;
  attrs.pad_right = window.pad_right;
  if constexpr (requires { attrs.dilation_h; }) {
    attrs.dilation_h = window.dilation_h;
    attrs.dilation_w = window.dilation_w;
  }
  return attrs;
}

}  // namespace linnet::converter

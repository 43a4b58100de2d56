// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/building_blocks.h"

#include <algorithm>
#include <limits>

#include "converter/legalize/context/varying.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::converter {
namespace {

constexpr int64_t kMaxInt = std::numeric_limits<int32_t>::max();

// Takes the values for height and width from a list of four; those for batch and channels must be
// 1.
absl::Status HeightAndWidth(const char* name, const std::vector<int64_t>& values, DataFormat format,
                            int* height, int* width) {
  if (values.empty()) return absl::OkStatus();
  if (values.size() != 4) return Invalid("'{}' has {} values, want 4", name, values.size());
  if (values[0] != 1 || values[format.c()] != 1)
    return Unsupported("'{}' is [{}]: batch and channels must have 1", name,
                       fmt::join(values, ","));
  for (const int64_t value : values) {
    if (value < 1 || value > kMaxInt)
      return Invalid("'{}' is [{}], want values >= 1", name, fmt::join(values, ","));
  }
  *height = static_cast<int>(values[format.h()]);
  *width = static_cast<int>(values[format.w()]);
  return absl::OkStatus();
}

absl::StatusOr<Window> WithExplicitPadding(const LegalizeContext& context, DataFormat format,
                                           Window window) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> pads, context.Ints("explicit_paddings"));
  if (pads.size() != 8)
    return Invalid("attr 'explicit_paddings' has {} values, want 8", pads.size());
  for (const int64_t pad : pads) {
    if (pad < 0 || pad > kMaxInt)
      return Invalid("attr 'explicit_paddings' is [{}], want values >= 0", fmt::join(pads, ","));
  }
  const int c = format.c();
  // [dimension][before, after]
  const auto pad = [&](int d, int side) { return static_cast<int>(pads[size_t{2} * d + side]); };
  if (pad(0, 0) != 0 || pad(0, 1) != 0 || pad(c, 0) != 0 || pad(c, 1) != 0)
    return Invalid("attr 'explicit_paddings' pads batch or channels");
  window.pad_top = pad(format.h(), 0);
  window.pad_bottom = pad(format.h(), 1);
  window.pad_left = pad(format.w(), 0);
  window.pad_right = pad(format.w(), 1);
  return window;
}

}  // namespace

Emitted EmitUnary(LegalizeContext& context, UnaryKind kind, const Emitted& x,
                  std::string_view suffix) {
  return context.Emit(UnaryAttrs{.kind = kind}, {x}, suffix);
}

Emitted EmitBinary(LegalizeContext& context, BinaryKind kind, const Emitted& a, const Emitted& b,
                   std::string_view suffix) {
  return context.Emit(BinaryAttrs{.kind = kind}, {a, b}, suffix);
}

Emitted EmitBinary(LegalizeContext& context, BinaryKind kind, const Emitted& a, double b,
                   std::string_view suffix) {
  if (!a.ok()) return a;
  const std::string name = suffix.empty() ? "scalar" : fmt::format("{}/scalar", suffix);
  return EmitBinary(context, kind, a, context.AddScalar(context.type(*a).dtype, b, name), suffix);
}

Emitted EmitCompare(LegalizeContext& context, CompareKind kind, const Emitted& a, const Emitted& b,
                    std::string_view suffix) {
  return context.Emit(CompareAttrs{.kind = kind}, {a, b}, suffix);
}

Emitted EmitClamp(LegalizeContext& context, OutputRange range, const Emitted& x,
                  std::string_view suffix) {
  return context.Emit(ClampAttrs{.range = range}, {x}, suffix);
}

Emitted EmitSelect(LegalizeContext& context, const Emitted& condition, const Emitted& a,
                   const Emitted& b, std::string_view suffix) {
  return context.Emit(SelectAttrs(), {condition, a, b}, suffix);
}

Emitted EmitReduce(LegalizeContext& context, ReduceKind kind, const Shape& axes, bool keep_dims,
                   const Emitted& x, std::string_view suffix) {
  return context.Emit(ReduceAttrs{.kind = kind, .axes = axes, .keep_dims = keep_dims}, {x}, suffix);
}

Emitted EmitCast(LegalizeContext& context, DType dtype, const Emitted& x, std::string_view suffix) {
  if (!x.ok() || context.type(*x).dtype == dtype) return x;
  return context.Emit(CastAttrs{.dtype = dtype}, {x}, suffix);
}

Emitted EmitReshape(LegalizeContext& context, const Shape& shape, const Emitted& x,
                    std::string_view suffix) {
  if (!x.ok()) return x;
  if (context.Varies(*x)) {
    LINNET_ASSIGN_OR_RETURN(const Extents extents, ReshapedExtents(context, *x, shape));
    return EmitReshape(context, extents, x, suffix);
  }
  if (context.shape(*x) == shape) return x;
  return context.Emit(ReshapeAttrs{.shape = shape}, {x}, suffix);
}

Emitted EmitTranspose(LegalizeContext& context, const Shape& perm, const Emitted& x,
                      std::string_view suffix) {
  if (IsIdentityPermutation(perm)) return x;
  return context.Emit(TransposeAttrs{.perm = perm}, {x}, suffix);
}

Emitted EmitBroadcastTo(LegalizeContext& context, const Shape& shape, const Emitted& x,
                        std::string_view suffix) {
  if (!x.ok()) return x;
  if (context.Varies(*x))
    return Unsupported("its input, whose extents vary, has to be broadcast to {}",
                       ShapeText(shape));
  if (context.shape(*x) == shape) return x;
  return context.Emit(BroadcastToAttrs{.shape = shape}, {x}, suffix);
}

Emitted EmitSlice(LegalizeContext& context, const Shape& begin, const Shape& size, const Emitted& x,
                  std::string_view suffix) {
  return EmitSlice(context, begin, size, Filled(begin.rank(), 1), x, suffix);
}

Emitted EmitSlice(LegalizeContext& context, const Shape& begin, const Shape& size,
                  const Shape& stride, const Emitted& x, std::string_view suffix) {
  if (!x.ok()) return x;
  // Where at most one element is taken the stride does not matter.
  bool all = size == context.shape(*x);
  for (int i = 0; i < size.rank(); ++i) all = all && (stride[i] == 1 || size[i] <= 1);
  if (all) return x;
  OpAttrs varying = SliceAttrs{.begin = begin, .size = size, .stride = stride};
  const Extents extents = context.extents(*x);
  for (int i = 0; i < size.rank(); ++i) {
    if (extents[static_cast<size_t>(i)].is_constant()) continue;
    if (begin[i] != 0 || stride[i] != 1 || size[i] != context.shape(*x)[i])
      return Unsupported("dimension {}, whose extent varies, is cut where it was the largest", i);
    varying.Vary(i, extents[static_cast<size_t>(i)]);
  }
  return context.Emit(varying, {x}, suffix);
}

Emitted EmitSliceAlong(LegalizeContext& context, int axis, int64_t begin, int64_t size,
                       const Emitted& x, std::string_view suffix) {
  if (!x.ok()) return x;
  Shape first = Filled(context.shape(*x).rank(), 0), count = context.shape(*x);
  first[axis] = begin;
  count[axis] = size;
  return EmitSlice(context, first, count, x, suffix);
}

absl::StatusOr<Paddings> SplitPaddings(std::span<const int64_t> paddings, int rank) {
  if (static_cast<int>(paddings.size()) != 2 * rank)
    return Invalid("'paddings' has {} values, want 2 for each of {} dimensions", paddings.size(),
                   rank);
  Paddings split;
  for (int i = 0; i < rank; ++i) {
    const int64_t before = paddings[size_t{2} * i], after = paddings[size_t{2} * i + 1];
    if (before < 0 || after < 0)
      return Invalid("'paddings' [{}] are negative", fmt::join(paddings, ","));
    split.before.Append(before);
    split.after.Append(after);
  }
  return split;
}

Emitted EmitPad(LegalizeContext& context, const Shape& before, const Shape& after, const Emitted& x,
                std::string_view suffix) {
  const Shape none = Filled(before.rank(), 0);
  if (before == none && after == none) return x;
  return context.Emit(PadAttrs{.before = before, .after = after}, {x}, suffix);
}

Emitted EmitJoined(LegalizeContext& context, const Operands& parts, int axis,
                   std::string_view suffix) {
  if (parts.status().ok() && parts.outputs().size() == 1) return parts.outputs()[0];
  return context.Emit(ConcatAttrs{.axis = axis}, parts, suffix);
}

bool IsNarrowInteger(DType dtype) { return IsInteger(dtype) && DTypeBytes(dtype) < 4; }

Emitted EmitIndices(LegalizeContext& context, const Emitted& indices, std::string_view suffix) {
  if (!indices.ok() || context.type(*indices).dtype == DType::kInt64) return indices;
  return EmitCast(context, DType::kInt32, indices, suffix);
}

Emitted EmitMatMul(LegalizeContext& context, const Emitted& a, const Emitted& b, Output bias,
                   std::string_view suffix) {
  if (!a.ok() || !b.ok()) return a.ok() ? b : a;
  const auto constant = [](Output value) {
    return LegalizeContext::FindConstant(value) != nullptr;
  };
  if (constant(*b) && (!bias || constant(bias)) && context.type(*a).dtype == DType::kFloat32) {
    std::vector<Emitted> inputs = {
        a, EmitTranspose(context, {1, 0}, b, fmt::format("{}/filter", suffix))};
    if (bias) inputs.push_back(bias);
    return context.Emit(FullyConnectedAttrs(), inputs, suffix);
  }
  if (!bias) return context.Emit(BatchMatMulAttrs(), {a, b}, suffix);
  const Emitted product =
      context.Emit(BatchMatMulAttrs(), {a, b}, fmt::format("{}/product", suffix));
  return EmitBinary(context, BinaryKind::Add, product, bias, suffix);
}

absl::Status PassThrough(LegalizeContext& context) {
  return context.Replace(context.inputs(0, context.num_inputs()));
}

absl::StatusOr<Margins> SamePadding(int64_t size, int64_t kernel, int64_t stride,
                                    int64_t dilation) {
  Margins margins;
  if (SameMargins(size, kernel, stride, dilation, &margins)) return margins;
  return Invalid("with padding SAME a kernel of {} elements and dilation {} reaches too far",
                 kernel, dilation);
}

absl::StatusOr<Shape> CheckedShape(std::span<const int64_t> dims) {
  if (dims.size() > kMaxRank)
    return Unsupported("rank {} is more than the {} dimensions that Linnet has", dims.size(),
                       kMaxRank);
  Shape shape(dims);
  int64_t elements;
  if (!shape.NumElementsChecked(&elements))
    return Invalid("shape [{}] is negative or too large", fmt::join(dims, ","));
  return shape;
}

Shape Concatenated(const Shape& a, const Shape& b) {
  Shape result = a;
  for (const int64_t dim : b) result.Append(dim);
  return result;
}

Shape SubShape(const Shape& shape, int first, int last) {
  return Shape(shape.dims().subspan(first, last - first));
}

Shape Filled(int rank, int64_t value) {
  Shape result;
  for (int i = 0; i < rank; ++i) result.Append(value);
  return result;
}

bool IsIdentityPermutation(const Shape& perm) {
  for (int i = 0; i < perm.rank(); ++i) {
    if (perm[i] != i) return false;
  }
  return true;
}

absl::StatusOr<Shape> ConstantPermutation(const LegalizeContext& context, int rank) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> perm, context.ConstantInts(1, "perm"));
  if (static_cast<int>(perm.size()) != rank)
    return Invalid("'perm' is [{}], want {} values", fmt::join(perm, ","), rank);
  for (int64_t& axis : perm) {
    LINNET_ASSIGN_OR_RETURN(axis, context.Axis(axis, rank, "perm"));
    if (std::ranges::count(perm, axis) > 1)
      return Invalid("'perm' is [{}], which names a dimension twice", fmt::join(perm, ","));
  }
  return Shape(perm);
}

absl::StatusOr<DataFormat> GetDataFormat(const LegalizeContext& context, int sides) {
  const char* const last = sides == 2 ? "NHWC" : "NDHWC";
  const char* const first = sides == 2 ? "NCHW" : "NCDHW";
  LINNET_ASSIGN_OR_RETURN(const std::string& format, context.String("data_format", last));
  if (format == last || format == first) return DataFormat{format == first, sides};
  return Unsupported("attr 'data_format' is {}, want {} or {}", format, last, first);
}

Emitted ToChannelsLast(LegalizeContext& context, DataFormat format, const Emitted& x) {
  if (!format.channels_first) return x;
  return format.sides == 2 ? EmitTranspose(context, {0, 2, 3, 1}, x, "nhwc")
                           : EmitTranspose(context, {0, 2, 3, 4, 1}, x, "ndhwc");
}

Emitted FromChannelsLast(LegalizeContext& context, DataFormat format, const Emitted& x,
                         std::string_view suffix) {
  if (!format.channels_first) return x;
  const Shape perm = format.sides == 2 ? Shape{0, 3, 1, 2} : Shape{0, 4, 1, 2, 3};
  return EmitTranspose(context, perm, x, suffix);
}

std::string ChannelsLastSuffix(DataFormat format, std::string_view suffix) {
  if (!format.channels_first) return std::string(suffix);
  return fmt::format("{}{}{}", suffix, suffix.empty() ? "" : "_",
                     format.sides == 2 ? "in_nhwc" : "in_ndhwc");
}

absl::StatusOr<Window> GetWindow(const LegalizeContext& context, DataFormat format, int64_t height,
                                 int64_t width, int64_t kernel_h, int64_t kernel_w,
                                 const std::vector<int64_t>& strides) {
  // An empty tensor may have any extents, even some that do not fit into an int.
  if (height > kMaxInt || width > kMaxInt || kernel_h > kMaxInt || kernel_w > kMaxInt)
    return Invalid("a kernel of {}x{} over {}x{}", kernel_h, kernel_w, height, width);
  Window window;
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> dilations, context.Ints("dilations"));
  if (strides.empty()) return Invalid("'strides' are missing");
  LINNET_RETURN_IF_ERROR(
      HeightAndWidth("strides", strides, format, &window.stride_h, &window.stride_w));
  LINNET_RETURN_IF_ERROR(
      HeightAndWidth("dilations", dilations, format, &window.dilation_h, &window.dilation_w));
  LINNET_ASSIGN_OR_RETURN(const std::string& padding, context.String("padding", ""));
  if (padding == "VALID") return window;
  if (padding == "EXPLICIT") return WithExplicitPadding(context, format, window);
  if (padding != "SAME")
    return Invalid("attr 'padding' is '{}', want SAME, VALID or EXPLICIT", padding);
  const Extents extents = context.Varies(0) ? context.extents(0) : Extents(4);
  // With stride 1 the margins are the same for all sizes.
  for (const auto& [axis, stride] :
       {std::pair(format.h(), window.stride_h), std::pair(format.w(), window.stride_w)})
    window.same |= stride > 1 && !extents[static_cast<size_t>(axis)].is_constant();
  LINNET_ASSIGN_OR_RETURN(const Margins rows,
                          SamePadding(height, kernel_h, window.stride_h, window.dilation_h));
  LINNET_ASSIGN_OR_RETURN(const Margins columns,
                          SamePadding(width, kernel_w, window.stride_w, window.dilation_w));
  if (window.same) return window;
  window.pad_top = rows.before;
  window.pad_bottom = rows.after;
  window.pad_left = columns.before;
  window.pad_right = columns.after;
  return window;
}

}  // namespace linnet::converter

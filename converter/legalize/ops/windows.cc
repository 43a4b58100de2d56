// SPDX-License-Identifier: Apache-2.0
// Ops on windows of pictures that are spelled out, one part per position in the window: Dilation2D
// and MaxPoolWithArgmax.
#include <algorithm>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/pad.h"

namespace linnet::converter {
namespace {

// Each position in a window becomes some ops.
constexpr int64_t kMostTaps = 1024;

// How a window moves along one side of a picture.
struct WindowSide {
  int64_t inputs = 0, outputs = 0;
  int64_t kernel = 1, stride = 1, rate = 1;
  int64_t pad_before = 0;
};

absl::StatusOr<WindowSide> GetWindowSide(const LegalizeContext& context, int64_t inputs,
                                         int64_t kernel, int64_t stride, int64_t rate) {
  WindowSide side{.inputs = inputs, .kernel = kernel, .stride = stride, .rate = rate};
  if (inputs < 1 || inputs > INT32_MAX || kernel < 1 || kernel > kMostTaps || stride < 1 ||
      stride > INT32_MAX || rate < 1 || rate > INT32_MAX)
    return Invalid("a window of {} elements with stride {} and rate {} over {} pixels", kernel,
                   stride, rate, inputs);
  LINNET_ASSIGN_OR_RETURN(const std::string& padding, context.String("padding", ""));
  int64_t padded = inputs;
  if (padding == "SAME") {
    LINNET_ASSIGN_OR_RETURN(const Margins margins, SamePadding(inputs, kernel, stride, rate));
    side.pad_before = margins.before;
    padded += margins.before + margins.after;
  } else if (padding != "VALID") {
    return Invalid("attr 'padding' is '{}', want SAME or VALID", padding);
  }
  const int64_t room = padded - (kernel - 1) * rate - 1;
  if (room < 0) return Invalid("no window of {} elements fits into {} pixels", kernel, inputs);
  side.outputs = room / stride + 1;
  return side;
}

// The outputs [first, end) for which element `tap` of the window lies inside the picture, and the
// first pixel that it meets there.
struct TapRange {
  int64_t first = 0, end = 0, pixel = 0;
  bool empty() const { return first >= end; }
};

TapRange TapRangeOf(const WindowSide& side, int64_t tap) {
  const int64_t shift = tap * side.rate - side.pad_before;  // of the pixel against output * stride
  TapRange range;
  range.first = shift >= 0 ? 0 : (-shift + side.stride - 1) / side.stride;
  const int64_t last = side.inputs - 1 - shift;
  range.end = last < 0 ? 0 : std::min(side.outputs, last / side.stride + 1);
  range.pixel = range.first * side.stride + shift;
  return range;
}

// The smallest value of a dtype.
double LowestOf(DType dtype) {
  switch (dtype) {
    case DType::kInt32:
      return std::numeric_limits<int32_t>::lowest();
    case DType::kInt64:
      return static_cast<double>(std::numeric_limits<int64_t>::lowest());
    case DType::kInt16:
      return std::numeric_limits<int16_t>::lowest();
    case DType::kInt8:
      return std::numeric_limits<int8_t>::lowest();
    case DType::kUint8:
    case DType::kUint16:
      return 0;
    default:
      return std::numeric_limits<float>::lowest();
  }
}

struct PictureWindow {
  WindowSide rows, columns;
};

// The pixels that one position of the window meets, one per output for which it lies inside.
Emitted EmitTap(LegalizeContext& context, const Emitted& x, const PictureWindow& window,
                const TapRange& rows, const TapRange& columns) {
  if (!x.ok()) return x;
  const Shape shape = context.shape(*x);
  const Shape size = {shape[0], rows.end - rows.first, columns.end - columns.first, shape[3]};
  return EmitSlice(context, {0, rows.pixel, columns.pixel, 0}, size,
                   {1, window.rows.stride, window.columns.stride, 1}, x, "tap");
}

// Calls visit(row, column, rows, columns) for each element of the window that meets any pixel, in
// the order of the pixels; `rows` and `columns` are the outputs for which it does.
template <typename Visit>
void ForEachTap(const PictureWindow& window, const Visit& visit) {
  for (int64_t row = 0; row < window.rows.kernel; ++row) {
    for (int64_t column = 0; column < window.columns.kernel; ++column) {
      const TapRange rows = TapRangeOf(window.rows, row);
      const TapRange columns = TapRangeOf(window.columns, column);
      if (!rows.empty() && !columns.empty()) visit(row, column, rows, columns);
    }
  }
}

// All outputs: `lowest` where the position lies outside.
Emitted EmitWithLowest(LegalizeContext& context, const Emitted& x, const PictureWindow& window,
                       const TapRange& rows, const TapRange& columns, double lowest) {
  const PadAttrs attrs{
      .before = {0, rows.first, columns.first, 0},
      .after = {0, window.rows.outputs - rows.end, window.columns.outputs - columns.end, 0},
      .value = lowest};
  const Shape none = Filled(4, 0);
  if (attrs.before == none && attrs.after == none) return x;
  return context.Emit(attrs, {x}, "tap/with_border");
}

absl::StatusOr<PictureWindow> GetDilationWindow(const LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(OnlyBatchVaries(context));
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 3));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.Ints("strides"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> rates, context.Ints("rates"));
  for (const auto* list : {&strides, &rates})
    if (list->size() != 4 || (*list)[0] != 1 || (*list)[3] != 1)
      return Invalid("'strides' and 'rates' must be [1, rows, columns, 1]");
  const Shape &in = context.shape(0), &filter = context.shape(1);
  if (context.Varies(1) || filter[2] != in[3])
    return Invalid("a filter of {} over pictures of {}", ShapeText(filter), ShapeText(in));
  if (filter[0] < 1 || filter[1] < 1 || filter[0] > kMostTaps || filter[1] > kMostTaps ||
      filter[0] * filter[1] > kMostTaps)
    return Unsupported("a filter of {}x{}, want at most {} elements", filter[0], filter[1],
                       kMostTaps);
  PictureWindow window;
  LINNET_ASSIGN_OR_RETURN(window.rows,
                          GetWindowSide(context, in[1], filter[0], strides[1], rates[1]));
  LINNET_ASSIGN_OR_RETURN(window.columns,
                          GetWindowSide(context, in[2], filter[1], strides[2], rates[2]));
  return window;
}

// The largest sum of a pixel in the window and the filter's element there. Sums of narrow integers
// wrap.
absl::Status Dilation2D(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const PictureWindow window, GetDilationWindow(context));
  const DType dtype = context.type(0).dtype;
  const bool is_narrow = IsNarrowInteger(dtype);
  const DType wide = is_narrow ? DType::kInt32 : dtype;
  const Emitted x = EmitCast(context, wide, context.input(0), "wide");
  const Emitted filter = EmitCast(context, wide, context.input(1), "filter/wide");
  const int64_t channels = context.shape(0)[3];
  Emitted largest = Output();
  bool any = false;
  ForEachTap(window, [&](int64_t row, int64_t column, const TapRange& rows,
                         const TapRange& columns) {
    Emitted part = EmitSlice(context, {row, column, 0}, {1, 1, channels}, filter, "filter/part");
    part = EmitReshape(context, {channels}, part, "filter/of_channels");
    Emitted sum = EmitTap(context, x, window, rows, columns);
    sum = EmitBinary(context, BinaryKind::Add, sum, part, "sum");
    if (is_narrow) sum = EmitCast(context, dtype, sum, "sum/wrapped");
    sum = EmitCast(context, wide, sum, "sum/wide");
    sum = EmitWithLowest(context, sum, window, rows, columns, LowestOf(dtype));
    largest = any ? EmitBinary(context, BinaryKind::Maximum, largest, sum, "largest") : sum;
    any = true;
  });
  if (!any) return Unsupported("all elements of the filter lie beside the pictures");
  return context.Replace(EmitCast(context, dtype, largest));
}

struct Largest {
  Emitted values, taps;  // taps: where in the picture, counted from the window's first element
};

// Goes through the window in the order of the pixels, so that of equal ones the first wins.
Largest EmitLargest(LegalizeContext& context, const Emitted& x, const PictureWindow& window) {
  Largest best{Output(), Output()};
  bool any = false;
  if (!x.ok()) return {x, x};
  const double lowest = LowestOf(context.type(*x).dtype);
  const int64_t channels = context.shape(0)[3], width = context.shape(0)[2];
  ForEachTap(window,
             [&](int64_t row, int64_t column, const TapRange& rows, const TapRange& columns) {
               const Emitted part = EmitTap(context, x, window, rows, columns);
               const Emitted values = EmitWithLowest(context, part, window, rows, columns, lowest);
               const auto offset = static_cast<double>((row * width + column) * channels);
               const Emitted taps = context.AddScalar(DType::kInt32, offset, "offset");
               if (any) {
                 const Emitted is_larger =
                     EmitCompare(context, CompareKind::Less, best.values, values, "is_larger");
                 best.values = EmitSelect(context, is_larger, values, best.values, "values");
                 best.taps = EmitSelect(context, is_larger, taps, best.taps, "taps");
               } else {
                 best = {values, taps};
                 any = true;
               }
             });
  return best;
}

// Numbers of pixels: first, first + step, ... for each index of one side.
std::vector<int32_t> FirstPixels(const WindowSide& side, int64_t step) {
  std::vector<int32_t> pixels;
  for (int64_t i = 0; i < side.outputs; ++i)
    pixels.push_back(static_cast<int32_t>((i * side.stride - side.pad_before) * step));
  return pixels;
}

// The positions of the largest values, as numbers of elements of a picture, or of all pictures.
Emitted EmitArgmax(LegalizeContext& context, const PictureWindow& window, const Emitted& taps,
                   bool of_all_pictures, DType dtype) {
  const Shape in = context.shape(0);
  const Output rows =
      context.AddConstant(Constant::Of<int32_t>({1, window.rows.outputs, 1, 1},
                                                FirstPixels(window.rows, in[2] * in[3])),
                          "rows");
  std::vector<int32_t> numbers;
  for (const int32_t column : FirstPixels(window.columns, in[3]))
    for (int64_t c = 0; c < in[3]; ++c) numbers.push_back(column + static_cast<int32_t>(c));
  const Output columns = context.AddConstant(
      Constant::Of<int32_t>({1, 1, window.columns.outputs, in[3]}, std::move(numbers)), "columns");
  Emitted argmax = EmitBinary(context, BinaryKind::Add, taps, columns, "in_row");
  argmax = EmitBinary(context, BinaryKind::Add, argmax, rows, "in_picture");
  if (of_all_pictures && in[0] != 1) {
    std::vector<int32_t> pictures;
    for (int64_t i = 0; i < in[0]; ++i)
      pictures.push_back(static_cast<int32_t>(i * in[1] * in[2] * in[3]));
    const Output first = context.AddConstant(
        Constant::Of<int32_t>({in[0], 1, 1, 1}, std::move(pictures)), "pictures");
    argmax = EmitBinary(context, BinaryKind::Add, argmax, first, "in_all");
  }
  return EmitCast(context, dtype, argmax, "argmax");
}

absl::StatusOr<PictureWindow> GetPoolWindow(const LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(OnlyBatchVaries(context));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> ksize, context.Ints("ksize"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, context.Ints("strides"));
  for (const auto* list : {&ksize, &strides})
    if (list->size() != 4 || (*list)[0] != 1 || (*list)[3] != 1)
      return Invalid("'ksize' and 'strides' must be [1, rows, columns, 1]");
  const Shape& in = context.shape(0);
  if (ksize[1] < 1 || ksize[2] < 1)
    return Invalid("'ksize' is [{}], want values >= 1", fmt::join(ksize, ","));
  if (ksize[1] > kMostTaps || ksize[2] > kMostTaps || ksize[1] * ksize[2] > kMostTaps)
    return Unsupported("windows of {}x{}, want at most {} elements", ksize[1], ksize[2], kMostTaps);
  PictureWindow window;
  LINNET_ASSIGN_OR_RETURN(window.rows, GetWindowSide(context, in[1], ksize[1], strides[1], 1));
  LINNET_ASSIGN_OR_RETURN(window.columns, GetWindowSide(context, in[2], ksize[2], strides[2], 1));
  return window;
}

absl::Status MaxPoolWithArgmax(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const PictureWindow window, GetPoolWindow(context));
  LINNET_ASSIGN_OR_RETURN(const bool of_all, context.Bool("include_batch_in_index", false));
  LINNET_ASSIGN_OR_RETURN(const DType index_type, context.Type("Targmax", DType::kInt64));
  const DType dtype = context.type(0).dtype;
  const DType wide = IsNarrowInteger(dtype) ? DType::kInt32 : dtype;
  if (of_all && context.Varies(0))
    return Unsupported("positions that count the pictures before, whose number varies");
  if (context.shape(0).num_elements() > INT32_MAX)
    return Unsupported("positions in pictures of {}", ShapeText(context.shape(0)));
  const Emitted x = EmitCast(context, wide, context.input(0), "wide");
  const Largest largest = EmitLargest(context, x, window);
  LINNET_ASSIGN_OR_RETURN(const Output values, EmitCast(context, dtype, largest.values, "maxima"));
  Emitted argmax = EmitArgmax(context, window, largest.taps, of_all, index_type);
  // Where a window has one element, its position is the same in all pictures.
  argmax = EmitBroadcastTo(context, context.extents(values), argmax, "argmax/of_pictures");
  return context.Replace(Operands({values, argmax}));
}

}  // namespace

std::span<const TfOp> WindowOps() {
  static constexpr TfOp kRows[] = {
      {"Dilation2D", Dilation2D, "Slice, Binary, Pad", kMayVary},
      {"MaxPoolWithArgmax", MaxPoolWithArgmax, "Slice, Pad, Compare, Select, Binary", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

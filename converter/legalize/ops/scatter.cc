// SPDX-License-Identifier: Apache-2.0
// Rows written or added at positions: scatters, reductions of segments, histograms.
#include <algorithm>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/range.h"
#include "runtime/ops/scatter.h"

namespace linnet::converter {
namespace {

using schema::ScatterKind;

// Narrow dtypes are added up in i32.
Emitted EmitScatter(LegalizeContext& context, ScatterAttrs attrs, Emitted base, Emitted indices,
                    Emitted updates, std::string_view suffix = "") {
  if (!base.ok()) return base;
  indices = EmitIndices(context, indices);
  const DType dtype = context.type(*base).dtype;
  const bool direct = attrs.kind == ScatterKind::Update || dtype == DType::kFloat32 ||
                      dtype == DType::kInt32 || dtype == DType::kInt64;
  if (direct) return context.Emit(attrs, {base, indices, updates}, suffix);
  base = EmitCast(context, DType::kInt32, base, "wide");
  updates = EmitCast(context, DType::kInt32, updates, "wide_updates");
  const Emitted sum = context.Emit(attrs, {base, indices, updates}, "sum");
  return EmitCast(context, dtype, sum, suffix);
}

Emitted EmitFilled(LegalizeContext& context, const Shape& shape, DType dtype, double value,
                   const std::string& name) {
  return EmitBroadcastTo(context, shape, context.AddScalar(dtype, value, name + "/value"), name);
}

absl::Status ScatterNd(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, context.ConstantInts(2, "shape"));
  LINNET_ASSIGN_OR_RETURN(const Shape shape, CheckedShape(dims));
  const Emitted zeros = EmitFilled(context, shape, context.type(1).dtype, 0, "zeros");
  return context.Replace(EmitScatter(context, ScatterAttrs{.kind = ScatterKind::Add}, zeros,
                                     context.input(0), context.input(1)));
}

template <ScatterKind kKind>
absl::Status TensorScatter(LegalizeContext& context) {
  return context.Replace(EmitScatter(context, ScatterAttrs{.kind = kKind}, context.input(0),
                                     context.input(1), context.input(2)));
}

// A dense tensor with the values of a sparse one, and the default value elsewhere.
absl::Status SparseToDense(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, context.ConstantInts(1, "output_shape"));
  LINNET_ASSIGN_OR_RETURN(const Shape shape, CheckedShape(dims));
  const Shape& positions = context.shape(0);
  if (positions.rank() > 2) return Invalid("'sparse_indices' have shape {}", ShapeText(positions));
  const int64_t count = positions.rank() == 0 ? 1 : positions[0];
  const int64_t depth = positions.rank() == 2 ? positions[1] : 1;
  if (depth != shape.rank())
    return Invalid("indices of {} numbers into shape {}", depth, ShapeText(shape));
  const Emitted indices = EmitReshape(context, {count, depth}, context.input(0), "rows");
  const Emitted values = EmitBroadcastTo(context, {count}, context.input(2), "values");
  const Emitted base = EmitBroadcastTo(context, shape, context.input(3), "default");
  return context.Replace(
      EmitScatter(context, ScatterAttrs{.kind = ScatterKind::Update}, base, indices, values));
}

template <typename T>
Constant StartsOf(const Shape& shape, const std::vector<int64_t>& sizes, ScatterKind kind) {
  using Limits = std::numeric_limits<T>;
  const T empty = kind == ScatterKind::Mul ? 1 : 0;
  const T neutral = kind == ScatterKind::Max   ? Limits::lowest()
                    : kind == ScatterKind::Min ? Limits::max()
                                               : empty;
  std::vector<T> starts;
  starts.reserve(sizes.size());
  for (const int64_t size : sizes) starts.push_back(size == 0 ? empty : neutral);
  return Constant::Of<T>(shape, std::move(starts));
}

// The values with which segments of `sizes` rows start. Those without rows keep them: 0, or 1 for a
// product.
Constant Starts(DType dtype, const Shape& shape, const std::vector<int64_t>& sizes,
                ScatterKind kind) {
  switch (dtype) {
    case DType::kFloat32:
      return StartsOf<float>(shape, sizes, kind);
    case DType::kInt64:
      return StartsOf<int64_t>(shape, sizes, kind);
    case DType::kInt16:
      return StartsOf<int16_t>(shape, sizes, kind);
    case DType::kUint16:
      return StartsOf<uint16_t>(shape, sizes, kind);
    case DType::kInt8:
      return StartsOf<int8_t>(shape, sizes, kind);
    case DType::kUint8:
      return StartsOf<uint8_t>(shape, sizes, kind);
    default:
      return StartsOf<int32_t>(shape, sizes, kind);
  }
}

// The segment numbers as rows of one index each.
Emitted EmitSegmentRows(LegalizeContext& context, Output segments) {
  Shape rows = context.shape(segments);
  if (rows.rank() >= kMaxRank) return Unsupported("segments of rank {}", rows.rank());
  rows.Append(1);
  return EmitReshape(context, rows, segments, "rows");
}

template <ScatterKind kKind>
absl::Status UnsortedSegment(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t count, context.ConstantInt(2, "num_segments"));
  const Shape &data = context.shape(0), &segments = context.shape(1);
  if (count < 0 || segments.rank() > data.rank() || SubShape(data, 0, segments.rank()) != segments)
    return Invalid("{} segments of shape {} for data {}", count, ShapeText(segments),
                   ShapeText(data));
  const DType dtype = context.type(0).dtype;
  if (dtype != DType::kFloat32 && !IsInteger(dtype))
    return Unsupported("data of {}, want float32 or integers", DTypeName(dtype));
  const Output neutral = context.AddConstant(Starts(dtype, {}, {1}, kKind), "neutral");
  const Shape shape = Concatenated({count}, SubShape(data, segments.rank(), data.rank()));
  const Emitted base = EmitBroadcastTo(context, shape, neutral, "base");
  const Emitted rows = EmitSegmentRows(context, context.input(1));
  return context.Replace(EmitScatter(context, ScatterAttrs{.kind = kKind, .skip_negative = true},
                                     base, rows, context.input(0)));
}

// The number of rows of each segment. Input 1 has the segment numbers, constant and sorted.
absl::StatusOr<std::vector<int64_t>> SegmentSizes(const LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> ids, context.ConstantInts(1, "segment_ids"));
  if (!std::ranges::is_sorted(ids) ||
      (!ids.empty() && (ids.front() < 0 || ids.back() >= kMostElements)))
    return Invalid("'segment_ids' must not fall, be negative or exceed {}", kMostElements);
  if (context.shape(1).rank() != 1 || context.shape(0).rank() < 1 ||
      context.shape(0)[0] != static_cast<int64_t>(ids.size()))
    return Invalid("{} segment_ids for data {}", ids.size(), ShapeText(context.shape(0)));
  std::vector<int64_t> sizes(ids.empty() ? 0 : ids.back() + 1, 0);
  for (const int64_t id : ids) ++sizes[id];
  return sizes;
}

// Sorted segments. Their number only follows from the segment numbers, so these must be constant.
template <ScatterKind kKind, bool kMean = false>
absl::Status Segment(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, SegmentSizes(context));
  const DType dtype = context.type(0).dtype;
  if (dtype != DType::kFloat32 && dtype != DType::kInt32 && (kMean || !IsInteger(dtype)))
    return Unsupported("data of {}, want float32 or {}", DTypeName(dtype),
                       kMean ? "int32" : "integers");
  Shape column = Filled(context.shape(0).rank(), 1), shape = context.shape(0);
  column[0] = shape[0] = static_cast<int64_t>(sizes.size());
  Emitted base = context.AddConstant(Starts(dtype, column, sizes, kKind), "starts");
  base = EmitBroadcastTo(context, shape, base, "base");
  const Emitted rows = EmitSegmentRows(context, context.input(1));
  const Emitted y = EmitScatter(context, ScatterAttrs{.kind = kKind}, base, rows, context.input(0),
                                kMean ? "sums" : "");
  if (!kMean) return context.Replace(y);
  std::vector<double> divisors;
  divisors.reserve(sizes.size());
  for (const int64_t size : sizes)
    divisors.push_back(static_cast<double>(std::max<int64_t>(size, 1)));
  const Output divisor =
      context.AddConstant(Constant::Of<double>(column, std::move(divisors)), "sizes");
  const Emitted size = EmitCast(context, dtype, divisor, "sizes/cast");
  return context.Replace(EmitBinary(context, BinaryKind::Div, y, size));
}

// The positions at which `values`, [n] or [rows, n], count: (value), or (row, value). Values from
// `size` on go to an overflow bin, number `size`, which is dropped later.
Emitted EmitBins(LegalizeContext& context, Output values, int64_t size, bool rows) {
  const Shape shape = context.shape(values);
  const DType dtype = context.type(values).dtype;
  Emitted bins =
      EmitBinary(context, BinaryKind::Minimum, values, static_cast<double>(size), "bins");
  bins = EmitReshape(context, Concatenated(shape, {1}), bins, "columns");
  if (!rows) return bins;
  // A Range, which is not folded where the rows are more than a plan should hold.
  const Emitted numbers =
      context.Emit(RangeAttrs(),
                   {context.AddScalar(DType::kInt64, 0, "first"),
                    context.AddScalar(DType::kInt64, static_cast<double>(shape[0]), "end"),
                    context.AddScalar(DType::kInt64, 1, "step")},
                   "numbers");
  const Emitted wide = EmitReshape(context, {shape[0], 1, 1}, numbers, "row");
  Emitted row = EmitCast(context, dtype, wide, "row/cast");
  row = EmitBroadcastTo(context, {shape[0], shape[1], 1}, row, "rows");
  return EmitJoined(context, {row, bins}, 2, "positions");
}

// Counts how often each integer below `size` occurs, or adds up its weights.
absl::Status EmitCounts(LegalizeContext& context, const Emitted& counted, int64_t size,
                        const Emitted& weights, DType dtype, bool binary) {
  LINNET_ASSIGN_OR_RETURN(const Output values, counted);
  const bool rows = context.shape(values).rank() == 2;
  if (size < 0 || size > kMostElements) return Invalid("'size' is {}", size);
  const Shape shape = context.shape(values);
  const Emitted bins = EmitBins(context, values, size, rows);
  const Shape counts = rows ? Shape{shape[0], size + 1} : Shape{size + 1};
  const Emitted base = EmitFilled(context, counts, dtype, 0, "zeros");
  const bool is_weighted = !weights.ok() || *weights;
  const Emitted amounts =
      is_weighted && !binary ? weights : EmitFilled(context, shape, dtype, 1, "ones");
  const Emitted all =
      EmitScatter(context, ScatterAttrs{.kind = binary ? ScatterKind::Update : ScatterKind::Add},
                  base, bins, amounts, "counts");
  return context.Replace(EmitSliceAlong(context, rows ? 1 : 0, 0, size, all));
}

absl::Status Bincount(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t size, context.ConstantInt(1, "size"));
  LINNET_ASSIGN_OR_RETURN(const bool binary, context.Bool("binary_output", false));
  const bool dense = context.op() == "DenseBincount";
  Emitted values = context.input(0), weights = context.input(2);
  const bool weighted = context.shape(2).num_elements() > 0;
  if (dense && (context.shape(0).rank() < 1 || context.shape(0).rank() > 2))
    return Invalid("input has shape {}, want a vector or matrix", ShapeText(context.shape(0)));
  if (weighted && context.shape(2) != context.shape(0))
    return Invalid("weights {} for {}", ShapeText(context.shape(2)), ShapeText(context.shape(0)));
  if (!dense) {
    const Shape flat = {context.shape(0).num_elements()};
    values = EmitReshape(context, flat, values, "flat");
    if (weighted) weights = EmitReshape(context, flat, weights, "flat_weights");
  }
  return EmitCounts(context, values, size, weighted ? weights : Output(), context.type(2).dtype,
                    binary);
}

// Counts values in bins of equal width. Values outside the range count in the first or the last
// bin.
absl::Status HistogramFixedWidth(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t bins, context.ConstantInt(2, "nbins"));
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("dtype", DType::kInt32));
  const Constant* range = context.FindConstant(1);
  if (range == nullptr || range->type != TensorType{DType::kFloat32, {2}} || bins < 1)
    return Unsupported("want a constant float range and at least one bin");
  const Constant plain = range->Plain();
  const float low = plain.as<float>()[0], high = plain.as<float>()[1];
  if (!(low < high)) return Invalid("range [{}, {}] is empty", low, high);
  const double step = (high - low) / static_cast<double>(bins);
  Emitted x = EmitReshape(context, {context.shape(0).num_elements()}, context.input(0), "flat");
  x = EmitBinary(context, BinaryKind::Maximum, x, low, "Maximum");
  x = EmitBinary(context, BinaryKind::Sub, x, low, "Sub");
  x = EmitBinary(context, BinaryKind::Div, x, step, "Div");
  x = EmitBinary(context, BinaryKind::Minimum, x, static_cast<double>(bins - 1), "Minimum");
  x = EmitCast(context, DType::kInt32, x, "bin");
  return EmitCounts(context, x, bins, Output(), dtype, false);
}

// The number of each element's bucket: how many boundaries, which lie along `axis`, are not above
// the element.
absl::Status EmitRankAmong(LegalizeContext& context, const Emitted& x, const Emitted& boundaries,
                           int axis, CompareKind above, const Shape& shape, DType dtype) {
  Emitted flags = EmitCompare(context, above, x, boundaries, "above");
  flags = EmitUnary(context, UnaryKind::LogicalNot, flags, "not_above");
  const Emitted ones = EmitCast(context, DType::kInt32, flags, "ones");
  Emitted sum = EmitReduce(context, ReduceKind::Sum, {axis}, false, ones, "count");
  sum = EmitReshape(context, shape, sum, "shaped");
  return context.Replace(EmitCast(context, dtype, sum));
}

absl::Status Bucketize(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<float> boundaries, context.Floats("boundaries"));
  const Shape shape = context.shape(0);
  if (boundaries.empty())
    return context.Replace(EmitFilled(context, shape, DType::kInt32, 0, "zeros"));
  Emitted x = EmitCast(context, DType::kFloat32, context.input(0), "float");
  x = EmitReshape(context, {shape.num_elements(), 1}, x, "column");
  const Output bounds = context.AddVector(boundaries, "boundaries");
  return EmitRankAmong(context, x, bounds, 1, CompareKind::Less, shape, DType::kInt32);
}

// The position of each value in the sorted row of the same batch: after equal elements (UpperBound)
// or before them.
template <CompareKind kAbove>
absl::Status SearchSorted(LegalizeContext& context) {
  for (const int i : {0, 1}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 2));
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("out_type", DType::kInt32));
  const Shape sorted = context.shape(0), values = context.shape(1);
  if (sorted[0] != values[0])
    return Invalid("{} sorted rows for {} rows of values", sorted[0], values[0]);
  const Emitted rows = EmitReshape(context, {sorted[0], 1, sorted[1]}, context.input(0), "rows");
  const Emitted columns =
      EmitReshape(context, {values[0], values[1], 1}, context.input(1), "columns");
  return EmitRankAmong(context, columns, rows, 2, kAbove, values, dtype);
}

}  // namespace

std::span<const TfOp> ScatterOps() {
  static constexpr TfOp kRows[] = {
      {"Bincount", Bincount, "Binary, Scatter, Slice; size known"},
      {"Bucketize", Bucketize, "Compare, Unary, Cast, Reduce"},
      {"DenseBincount", Bincount, "Binary, Scatter, Slice; size known"},
      {"HistogramFixedWidth", HistogramFixedWidth, "Binary, Scatter; range known"},
      {"LowerBound", SearchSorted<CompareKind::LessEqual>, "Compare, Unary, Cast, Reduce"},
      {"ScatterNd", ScatterNd, "Scatter; shape known"},
      {"ScatterNdNonAliasingAdd", TensorScatter<ScatterKind::Add>, "Scatter"},
      {"SegmentMax", Segment<ScatterKind::Max>, "Scatter; segments known"},
      {"SegmentMean", Segment<ScatterKind::Add, true>, "Scatter, Binary; segments known"},
      {"SegmentMin", Segment<ScatterKind::Min>, "Scatter; segments known"},
      {"SegmentProd", Segment<ScatterKind::Mul>, "Scatter; segments known"},
      {"SegmentSum", Segment<ScatterKind::Add>, "Scatter; segments known"},
      {"SparseToDense", SparseToDense, "Scatter; shape known"},
      {"TensorScatterAdd", TensorScatter<ScatterKind::Add>, "Scatter"},
      {"TensorScatterMax", TensorScatter<ScatterKind::Max>, "Scatter"},
      {"TensorScatterMin", TensorScatter<ScatterKind::Min>, "Scatter"},
      {"TensorScatterSub", TensorScatter<ScatterKind::Sub>, "Scatter"},
      {"TensorScatterUpdate", TensorScatter<ScatterKind::Update>, "Scatter"},
      {"UnsortedSegmentMax", UnsortedSegment<ScatterKind::Max>, "Scatter; num_segments known"},
      {"UnsortedSegmentMin", UnsortedSegment<ScatterKind::Min>, "Scatter; num_segments known"},
      {"UnsortedSegmentProd", UnsortedSegment<ScatterKind::Mul>, "Scatter; num_segments known"},
      {"UnsortedSegmentSum", UnsortedSegment<ScatterKind::Add>, "Scatter; num_segments known"},
      {"UpperBound", SearchSorted<CompareKind::Less>, "Compare, Unary, Cast, Reduce"},
  };
  return kRows;
}

}  // namespace linnet::converter

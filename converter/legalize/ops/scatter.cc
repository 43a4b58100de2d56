// SPDX-License-Identifier: Apache-2.0
// Rows written or added at positions: scatters and histograms.
#include "converter/legalize/ops/scatter.h"

#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/cumulative.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
using schema::ScatterKind;

Emitted EmitScatter(LegalizeContext& context, ScatterAttrs attrs, Emitted base, Emitted indices,
                    Emitted updates, std::string_view suffix) {
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

Emitted EmitRowPositions(LegalizeContext& context, Output rows) {
  Extents positions = context.extents(rows);
  if (std::ssize(positions) >= kMaxRank) return Unsupported("rows of rank {}", kMaxRank);
  positions.push_back(1);
  return EmitReshape(context, positions, rows, "rows");
}

Emitted EmitOccurrences(LegalizeContext& context, Output rows, const Extent& count, DType dtype,
                        const std::string& suffix) {
  const Output zero = context.AddScalar(dtype, 0, suffix + "/zero");
  const Output one = context.AddScalar(dtype, 1, suffix + "/one");
  const Emitted zeros = EmitBroadcastTo(context, Extents{count}, zero, suffix + "/zeros");
  const Emitted ones = EmitBroadcastTo(context, context.extents(rows), one, suffix + "/ones");
  const Emitted positions = EmitRowPositions(context, rows);
  return EmitScatter(context, ScatterAttrs{.kind = ScatterKind::Add}, zeros, positions, ones,
                     suffix);
}

namespace {

Emitted EmitFilled(LegalizeContext& context, const Shape& shape, DType dtype, double value,
                   const std::string& name) {
  return EmitBroadcastTo(context, shape, context.AddScalar(dtype, value, name + "/value"), name);
}

absl::Status ScatterNd(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Extents shape, context.ExtentValues(2, "shape"));
  const Output zero = context.AddScalar(context.type(1).dtype, 0, "zeros/value");
  const Emitted zeros = EmitBroadcastTo(context, shape, zero, "zeros");
  return context.Replace(EmitScatter(context, ScatterAttrs{.kind = ScatterKind::Add}, zeros,
                                     context.input(0), context.input(1)));
}

// Variables take a scalar as the update of every row that is named.
Emitted EmitUpdates(LegalizeContext& context) {
  const Output updates = context.input(2);
  const Extents indices = context.extents(1), x = context.extents(0);
  if (context.shape(updates).rank() > 0 || indices.empty() || !indices.back().is_constant() ||
      indices.back().constant() > std::ssize(x))
    return updates;
  Extents shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), x.begin() + indices.back().constant(), x.end());
  return EmitBroadcastTo(context, shape, updates, "updates");
}

template <ScatterKind kKind>
absl::Status TensorScatter(LegalizeContext& context) {
  const Emitted updates = EmitUpdates(context);
  return context.Replace(EmitScatter(context, ScatterAttrs{.kind = kKind}, context.input(0),
                                     context.input(1), updates));
}

// A dense tensor with the values of a sparse one, and the default value elsewhere.
absl::Status SparseToDense(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Extents shape, context.ExtentValues(1, "output_shape"));
  const Shape& positions = context.shape(0);
  if (positions.rank() > 2) return Invalid("'sparse_indices' have shape {}", ShapeText(positions));
  const Extent count = positions.rank() == 0 ? Extent(1) : context.extents(0)[0];
  const int64_t depth = positions.rank() == 2 ? positions[1] : 1;
  if (depth != static_cast<int64_t>(shape.size()))
    return Invalid("indices of {} numbers into {} dimensions", depth, shape.size());
  const Emitted indices = EmitReshape(context, Extents{count, depth}, context.input(0), "rows");
  const Emitted values = EmitBroadcastTo(context, Extents{count}, context.input(2), "values");
  const Emitted base = EmitBroadcastTo(context, shape, context.input(3), "default");
  return context.Replace(
      EmitScatter(context, ScatterAttrs{.kind = ScatterKind::Update}, base, indices, values));
}

// 0, 1, 2, ... as a tensor of the extents {rows, 1, 1}. A running sum, so that `rows` may vary.
Emitted EmitRowNumbers(LegalizeContext& context, const Extent& rows, DType dtype) {
  const Output one = context.AddScalar(dtype, 1, "one");
  const Emitted ones = EmitBroadcastTo(context, Extents{rows, 1, 1}, one, "row/ones");
  return context.Emit(CumulativeAttrs{.kind = schema::CumulativeKind::Sum, .exclusive = true},
                      {ones}, "row");
}

// The number of bins: an extent, and a scalar for the elementwise ops.
struct Bins {
  Extent count;
  Emitted number;
};

// The positions at which `values`, [n] or [rows, n], count: (value), or (row, value). Values from
// `bins` on go to an overflow bin, which is dropped later.
Emitted EmitBinPositions(LegalizeContext& context, Output values, const Bins& bins) {
  const DType dtype = context.type(values).dtype;
  Extents column = context.extents(values);
  column.push_back(1);
  Emitted bin = EmitBinary(context, BinaryKind::Minimum, values, bins.number, "bins");
  bin = EmitReshape(context, column, bin, "columns");
  if (column.size() == 2) return bin;
  const Emitted numbers = EmitRowNumbers(context, column[0], dtype);
  const Emitted row = EmitBroadcastTo(context, column, numbers, "rows");
  return EmitJoined(context, {row, bin}, 2, "positions");
}

// Counts how often each integer below `bins` occurs, or adds up its weights.
absl::Status EmitCounts(LegalizeContext& context, const Emitted& counted, const Bins& bins,
                        const Emitted& weights, DType dtype, bool binary) {
  LINNET_ASSIGN_OR_RETURN(const Output values, counted);
  const int64_t most = context.symbols().Largest(bins.count);
  if (most < 0 || most > kMostElements) return Invalid("'size' is {}", most);
  const Emitted positions = EmitBinPositions(context, values, bins);
  Extents all = context.extents(values);
  all.back() = bins.count + 1;
  const Output zero = context.AddScalar(dtype, 0, "zeros/value");
  const Emitted base = EmitBroadcastTo(context, all, zero, "zeros");
  const bool is_weighted = !weights.ok() || *weights;
  Emitted amounts = weights;
  if (!is_weighted || binary) {
    const Output one = context.AddScalar(dtype, 1, "ones/value");
    amounts = EmitBroadcastTo(context, context.extents(values), one, "ones");
  }
  const Emitted counts =
      EmitScatter(context, ScatterAttrs{.kind = binary ? ScatterKind::Update : ScatterKind::Add},
                  base, positions, amounts, "counts");
  Extents size = all;
  size.back() = bins.count;
  return context.Replace(EmitCutTo(context, size, counts));
}

absl::StatusOr<Bins> GetBins(LegalizeContext& context, DType dtype) {
  LINNET_ASSIGN_OR_RETURN(const Extents size, context.ExtentValues(1, "size"));
  if (size.size() != 1) return Invalid("'size' has {} elements, want one", size.size());
  if (size[0].is_constant())
    return Bins{size[0],
                context.AddScalar(dtype, static_cast<double>(size[0].constant()), "bins/scalar")};
  const Emitted number = EmitReshape(context, Shape(), context.input(1), "size");
  return Bins{size[0], EmitCast(context, dtype, number, "size/cast")};
}

absl::Status Bincount(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Bins bins, GetBins(context, context.type(0).dtype));
  LINNET_ASSIGN_OR_RETURN(const bool binary, context.Bool("binary_output", false));
  const bool dense = context.op() == "DenseBincount";
  Emitted values = context.input(0), weights = context.input(2);
  const bool weighted = context.shape(2).num_elements() > 0;
  if (dense && (context.shape(0).rank() < 1 || context.shape(0).rank() > 2))
    return Invalid("input has shape {}, want a vector or matrix", ShapeText(context.shape(0)));
  if (weighted && context.shape(2) != context.shape(0))
    return Invalid("weights {} for {}", ShapeText(context.shape(2)), ShapeText(context.shape(0)));
  if (!dense) {
    values = EmitFlat(context, values, "flat");
    if (weighted) weights = EmitFlat(context, weights, "flat_weights");
  }
  return EmitCounts(context, values, bins, weighted ? weights : Output(), context.type(2).dtype,
                    binary);
}

// The numbers of the bins of floats in [low, high). TensorFlow divides as doubles.
Emitted EmitBinOfFloats(LegalizeContext& context, double low, double high, int64_t bins) {
  const double step = (high - low) / static_cast<double>(bins);
  Emitted x = EmitFlat(context, context.input(0), "flat");
  x = EmitBinary(context, BinaryKind::Maximum, x, low, "Maximum");
  x = EmitBinary(context, BinaryKind::Sub, x, low, "Sub");
  x = EmitBinary(context, BinaryKind::Div, x, step, "Div");
  x = EmitBinary(context, BinaryKind::Minimum, x, static_cast<double>(bins - 1), "Minimum");
  return EmitCast(context, DType::kInt32, x, "bin");
}

// The same of integers: the bin of each integer of the range is computed here, as doubles, and
// looked up.
Emitted EmitBinOfIntegers(LegalizeContext& context, int64_t low, int64_t high, int64_t bins) {
  constexpr int64_t kMostExact = int64_t{1} << 53;  // that a double holds
  if (low < -kMostExact || high > kMostExact || high - low >= kMostElements)
    return Unsupported("a range of integers [{}, {}], want at most {}; cast the values to float32",
                       low, high, kMostElements);
  const int64_t distance = high - low;
  const double step = static_cast<double>(distance) / static_cast<double>(bins);
  std::vector<int32_t> table(static_cast<size_t>(distance) + 1);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<int32_t>(
        std::min(static_cast<double>(i) / step, static_cast<double>(bins - 1)));
  const Output bin_of = context.AddVector(std::move(table), "bin_of");
  Emitted x = EmitFlat(context, context.input(0), "flat");
  x = EmitIndices(context, x, "wide");
  x = EmitBinary(context, BinaryKind::Maximum, x, static_cast<double>(low), "Maximum");
  x = EmitBinary(context, BinaryKind::Minimum, x, static_cast<double>(high), "Minimum");
  x = EmitBinary(context, BinaryKind::Sub, x, static_cast<double>(low), "Sub");
  return context.Emit(GatherAttrs(), {bin_of, x}, "bin");
}

// Counts values in bins of equal width. Values outside the range count in the first or the last
// bin.
absl::Status HistogramFixedWidth(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t bins, context.ConstantInt(2, "nbins"));
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("dtype", DType::kInt32));
  const Constant* range = context.FindConstant(1);
  if (range == nullptr || range->type.shape != Shape{2} || bins < 1 || bins > kMostElements)
    return Unsupported("want a constant range and 1 to {} bins", kMostElements);
  Emitted bin;
  if (range->type.dtype == DType::kFloat32) {
    const Constant plain = range->Plain();
    const float low = plain.as<float>()[0], high = plain.as<float>()[1];
    if (!(low < high)) return Invalid("range [{}, {}] is empty", low, high);
    bin = EmitBinOfFloats(context, low, high, bins);
  } else {
    const std::vector<int64_t> ends = range->ToInt64();
    if (ends[0] >= ends[1]) return Invalid("range [{}, {}] is empty", ends[0], ends[1]);
    bin = EmitBinOfIntegers(context, ends[0], ends[1], bins);
  }
  const Output number = context.AddScalar(DType::kInt32, static_cast<double>(bins), "bins/scalar");
  return EmitCounts(context, bin, {bins, number}, Output(), dtype, false);
}

// The number of each element's bucket: how many boundaries, which lie along the last dimension, are
// not above the element.
Emitted EmitRankAmong(LegalizeContext& context, const Emitted& x, const Emitted& boundaries,
                      CompareKind above) {
  Emitted flags = EmitCompare(context, above, x, boundaries, "above");
  flags = EmitUnary(context, UnaryKind::LogicalNot, flags, "not_above");
  LINNET_ASSIGN_OR_RETURN(const Output ones, EmitCast(context, DType::kInt32, flags, "ones"));
  return EmitReduce(context, ReduceKind::Sum, {context.shape(ones).rank() - 1}, false, ones,
                    "count");
}

absl::Status Bucketize(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<float> boundaries, context.Floats("boundaries"));
  const Shape shape = context.shape(0);
  if (boundaries.empty())
    return context.Replace(EmitFilled(context, shape, DType::kInt32, 0, "zeros"));
  Emitted x = EmitCast(context, DType::kFloat32, context.input(0), "float");
  x = EmitReshape(context, {shape.num_elements(), 1}, x, "column");
  const Output bounds = context.AddVector(boundaries, "boundaries");
  const Emitted count = EmitRankAmong(context, x, bounds, CompareKind::Less);
  return context.Replace(EmitReshape(context, shape, count));
}

// The position of each value in the sorted row of the same batch: after equal elements (UpperBound)
// or before them.
template <CompareKind kAbove>
absl::Status SearchSorted(LegalizeContext& context) {
  for (const int i : {0, 1}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 2));
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("out_type", DType::kInt32));
  const Extents sorted = context.extents(0), values = context.extents(1);
  if (context.shape(0)[0] != context.shape(1)[0])
    return Invalid("{} sorted rows for {} rows of values", context.shape(0)[0],
                   context.shape(1)[0]);
  const Emitted rows =
      EmitReshape(context, Extents{sorted[0], 1, sorted[1]}, context.input(0), "rows");
  const Emitted columns =
      EmitReshape(context, Extents{values[0], values[1], 1}, context.input(1), "columns");
  const Emitted count = EmitRankAmong(context, columns, rows, kAbove);
  return context.Replace(EmitCast(context, dtype, count));
}

}  // namespace

std::span<const TfOp> ScatterOps() {
  static constexpr TfOp kRows[] = {
      {"Bincount", Bincount, "Binary, Cumulative, Scatter, Slice; size known or bounded", kMayVary},
      {"Bucketize", Bucketize, "Compare, Unary, Cast, Reduce"},
      {"DenseBincount", Bincount, "Binary, Cumulative, Scatter, Slice; size known or bounded",
       kMayVary},
      {"HistogramFixedWidth", HistogramFixedWidth, "Binary, Gather, Scatter; range known",
       kMayVary},
      {"LowerBound", SearchSorted<CompareKind::LessEqual>, "Compare, Unary, Cast, Reduce",
       kMayVary},
      {"ScatterNd", ScatterNd, "Scatter; shape known or bounded", kMayVary},
      {"ScatterNdNonAliasingAdd", TensorScatter<ScatterKind::Add>, "Scatter", kMayVary},
      {"SparseToDense", SparseToDense, "Scatter; shape known or bounded", kMayVary},
      {"TensorScatterAdd", TensorScatter<ScatterKind::Add>, "Scatter", kMayVary},
      {"TensorScatterMax", TensorScatter<ScatterKind::Max>, "Scatter"},
      {"TensorScatterMin", TensorScatter<ScatterKind::Min>, "Scatter"},
      {"TensorScatterSub", TensorScatter<ScatterKind::Sub>, "Scatter"},
      {"TensorScatterUpdate", TensorScatter<ScatterKind::Update>, "Scatter", kMayVary},
      {"UpperBound", SearchSorted<CompareKind::Less>, "Compare, Unary, Cast, Reduce", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

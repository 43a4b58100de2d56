// SPDX-License-Identifier: Apache-2.0
// Rows reduced by the segment that they belong to, which a vector of numbers says.
#include <algorithm>
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/scatter.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

using schema::ScatterKind;

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

absl::Status WantNumbers(DType dtype) {
  if (dtype == DType::kFloat32 || IsInteger(dtype)) return absl::OkStatus();
  return Unsupported("data of {}, want float32 or integers", DTypeName(dtype));
}

absl::StatusOr<Extent> NumberOfSegments(LegalizeContext& context, int i) {
  LINNET_ASSIGN_OR_RETURN(const Extents count, context.ExtentValues(i, "num_segments"));
  if (count.size() != 1 || context.symbols().Largest(count[0]) < 0)
    return Invalid("'num_segments' is {}", context.symbols().Text(count));
  return count[0];
}

template <ScatterKind kKind>
absl::Status UnsortedSegment(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Extent count, NumberOfSegments(context, 2));
  const Extents data = context.extents(0), ids = context.extents(1);
  if (ids.size() > data.size() || !std::equal(ids.begin(), ids.end(), data.begin(), MayBeEqual))
    return Invalid("segments of shape {} for data {}", context.symbols().Text(ids),
                   context.symbols().Text(data));
  const DType dtype = context.type(0).dtype;
  LINNET_RETURN_IF_ERROR(WantNumbers(dtype));
  Extents shape = {count};
  shape.insert(shape.end(), data.begin() + std::ssize(ids), data.end());
  const Output neutral = context.AddConstant(Starts(dtype, {}, {1}, kKind), "neutral");
  const Emitted base = EmitBroadcastTo(context, shape, neutral, "base");
  const Emitted rows = EmitRowPositions(context, context.input(1));
  return context.Replace(EmitScatter(context, ScatterAttrs{.kind = kKind, .skip_negative = true},
                                     base, rows, context.input(0)));
}

// Sorted segments of data.
struct Segments {
  Output data;  // [rows, ...]
  Output ids;   // [rows], which do not fall
  Extent count;
  // How many rows each segment has, where the ids are constant.
  std::optional<std::vector<int64_t>> sizes;
};

// Constant ids, from which sizes and count follow.
absl::Status ReadIds(const Constant& constant, Segments* segments) {
  const std::vector<int64_t> ids = constant.ToInt64();
  if (!std::ranges::is_sorted(ids) ||
      (!ids.empty() && (ids.front() < 0 || ids.back() >= kMostElements)))
    return Invalid("'segment_ids' must not fall, be negative or exceed {}", kMostElements);
  segments->sizes = std::vector<int64_t>(ids.empty() ? 0 : ids.back() + 1, 0);
  for (const int64_t id : ids) ++(*segments->sizes)[id];
  segments->count = std::ssize(*segments->sizes);
  return absl::OkStatus();
}

// One more than the largest id, and 0 of no ids.
absl::StatusOr<Extent> CountOf(LegalizeContext& context, Output ids) {
  const std::optional<int64_t> most = context.MostOf(ids), known = context.LargestOf(ids);
  if (!most && !known)
    return Unsupported(
        "'segment_ids' are computed from fed data, so how many segments there are is not known; "
        "--max {}=N gives the largest that an id can be",
        LegalizeContext::UserName(ids));
  const DType dtype = context.type(ids).dtype;
  const Emitted next = EmitBinary(context, BinaryKind::Add, ids, 1, "next_ids");
  const Output none = context.AddConstant(Constant::Of<int32_t>({1}, {0}), "no_segments");
  const Emitted zero = EmitCast(context, dtype, none, "no_segments/cast");
  const Emitted all = EmitJoined(context, {zero, next}, 0, "counts");
  LINNET_ASSIGN_OR_RETURN(const Output count,
                          EmitReduce(context, ReduceKind::Max, {0}, false, all, "count"));
  return context.SymbolOf(count, 0, 0,
                          SaturatingAdd(std::max<int64_t>(most ? *most : *known, 0), 1));
}

// The segments of `data` whose numbers are input `i`; input i + 1, if any, is how many there are.
absl::StatusOr<Segments> GetSegments(LegalizeContext& context, Output data, int i) {
  Segments segments{.data = data, .ids = context.input(i), .count = {}, .sizes = {}};
  const Extents rows = context.extents(data), ids = context.extents(i);
  if (ids.size() != 1 || rows.empty() || !MayBeEqual(rows[0], ids[0]))
    return Invalid("segment_ids {} for data {}", context.symbols().Text(ids),
                   context.symbols().Text(rows));
  if (const Constant* constant = context.FindConstant(i))
    LINNET_RETURN_IF_ERROR(ReadIds(*constant, &segments));
  if (context.num_inputs() > i + 1) {
    LINNET_ASSIGN_OR_RETURN(const Extent count, NumberOfSegments(context, i + 1));
    if (segments.sizes && (!count.is_constant() || count.constant() > kMostElements))
      segments.sizes.reset();
    if (segments.sizes && count.constant() < std::ssize(*segments.sizes))
      return Invalid("'num_segments' is {}, and there are {}", count.constant(),
                     segments.sizes->size());
    if (segments.sizes) segments.sizes->resize(static_cast<size_t>(count.constant()), 0);
    segments.count = count;
  } else if (!segments.sizes) {
    LINNET_ASSIGN_OR_RETURN(segments.count, CountOf(context, segments.ids));
  }
  return segments;
}

// [count, 1, ...]: how many rows each segment has, as numbers of `dtype`.
Emitted EmitSizes(LegalizeContext& context, const Segments& segments, DType dtype) {
  Extents column(context.extents(segments.data).size(), 1);
  column[0] = segments.count;
  if (segments.sizes) {
    std::vector<double> sizes(segments.sizes->begin(), segments.sizes->end());
    Shape shape = Filled(static_cast<int>(column.size()), 1);
    shape[0] = std::ssize(sizes);
    const Output constant =
        context.AddConstant(Constant::Of<double>(shape, std::move(sizes)), "sizes");
    return EmitCast(context, dtype, constant, "sizes/cast");
  }
  const Emitted sizes = EmitOccurrences(context, segments.ids, segments.count, dtype, "sizes/flat");
  return EmitReshape(context, column, sizes, "sizes");
}

// [count, ...]: what the rows of each segment are reduced to.
Emitted EmitReducedRows(LegalizeContext& context, const Segments& segments, ScatterKind kind,
                        const std::string& suffix) {
  const DType dtype = context.type(segments.data).dtype;
  Extents shape = context.extents(segments.data);
  shape[0] = segments.count;
  const bool known = segments.sizes.has_value();
  Shape column = Filled(static_cast<int>(shape.size()), 1);
  if (known) column[0] = std::ssize(*segments.sizes);
  const std::vector<int64_t> one_row = {1};
  const Output start =
      context.AddConstant(Starts(dtype, column, known ? *segments.sizes : one_row, kind), "starts");
  const Emitted base = EmitBroadcastTo(context, shape, start, "base");
  const Emitted rows = EmitRowPositions(context, segments.ids);
  const bool may_be_empty = !known && (kind == ScatterKind::Max || kind == ScatterKind::Min);
  const ScatterAttrs attrs{.kind = kind};
  Emitted y = EmitScatter(context, attrs, base, rows, segments.data,
                          may_be_empty ? suffix + "/reduced" : suffix);
  if (!may_be_empty) return y;
  const Emitted sizes = EmitSizes(context, segments, DType::kInt32);
  const Output none = context.AddScalar(DType::kInt32, 0, "none");
  const Emitted is_empty = EmitCompare(context, CompareKind::Equal, sizes, none, "is_empty");
  return EmitSelect(context, is_empty, context.AddScalar(dtype, 0, "zero"), y, suffix);
}

// By what the sum of a segment is divided.
enum class Divisor { kNone, kSize, kRootOfSize };

absl::Status ReplaceBySegments(LegalizeContext& context, const Segments& segments, ScatterKind kind,
                               Divisor divisor) {
  const DType dtype = context.type(segments.data).dtype;
  LINNET_RETURN_IF_ERROR(WantNumbers(dtype));
  if (divisor == Divisor::kNone)
    return context.Replace(EmitReducedRows(context, segments, kind, ""));
  if (dtype != DType::kFloat32 && dtype != DType::kInt32)
    return Unsupported("data of {}, want float32 or int32", DTypeName(dtype));
  const Emitted sums = EmitReducedRows(context, segments, kind, "sums");
  Emitted size = EmitSizes(context, segments, dtype);
  size = EmitBinary(context, BinaryKind::Maximum, size, 1, "at_least_one");
  if (divisor == Divisor::kRootOfSize) size = EmitUnary(context, UnaryKind::Sqrt, size, "root");
  return context.Replace(EmitBinary(context, BinaryKind::Div, sums, size));
}

// (data, segment_ids)
template <ScatterKind kKind, Divisor kDivisor = Divisor::kNone>
absl::Status Segment(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Segments segments, GetSegments(context, context.input(0), 1));
  return ReplaceBySegments(context, segments, kKind, kDivisor);
}

// (data, indices, segment_ids) and, if the op has it, num_segments: segments of the rows at the
// indices.
template <Divisor kDivisor = Divisor::kNone>
absl::Status SparseSegment(LegalizeContext& context) {
  const Emitted indices = EmitIndices(context, context.input(1));
  LINNET_ASSIGN_OR_RETURN(const Output rows,
                          context.Emit(GatherAttrs(), {context.input(0), indices}, "data"));
  LINNET_ASSIGN_OR_RETURN(const Segments segments, GetSegments(context, rows, 2));
  return ReplaceBySegments(context, segments, ScatterKind::Add, kDivisor);
}

}  // namespace

std::span<const TfOp> SegmentOps() {
  static constexpr TfOp kRows[] = {
      {"SegmentMax", Segment<ScatterKind::Max>, "Scatter; number of segments known or bounded",
       kMayVary},
      {"SegmentMean", Segment<ScatterKind::Add, Divisor::kSize>,
       "Scatter, Binary; number of segments known or bounded", kMayVary},
      {"SegmentMin", Segment<ScatterKind::Min>, "Scatter; number of segments known or bounded",
       kMayVary},
      {"SegmentProd", Segment<ScatterKind::Mul>, "Scatter; number of segments known or bounded",
       kMayVary},
      {"SegmentSum", Segment<ScatterKind::Add>, "Scatter; number of segments known or bounded",
       kMayVary},
      {"SparseSegmentMean", SparseSegment<Divisor::kSize>,
       "Gather, Scatter, Binary; number of segments known or bounded", kMayVary},
      {"SparseSegmentMeanWithNumSegments", SparseSegment<Divisor::kSize>,
       "Gather, Scatter, Binary; num_segments known or bounded", kMayVary},
      {"SparseSegmentSqrtN", SparseSegment<Divisor::kRootOfSize>,
       "Gather, Scatter, Binary; number of segments known or bounded", kMayVary},
      {"SparseSegmentSqrtNWithNumSegments", SparseSegment<Divisor::kRootOfSize>,
       "Gather, Scatter, Binary; num_segments known or bounded", kMayVary},
      {"SparseSegmentSum", SparseSegment<>, "Gather, Scatter; number of segments known or bounded",
       kMayVary},
      {"SparseSegmentSumWithNumSegments", SparseSegment<>,
       "Gather, Scatter; num_segments known or bounded", kMayVary},
      {"UnsortedSegmentMax", UnsortedSegment<ScatterKind::Max>,
       "Scatter; num_segments known or bounded", kMayVary},
      {"UnsortedSegmentMin", UnsortedSegment<ScatterKind::Min>,
       "Scatter; num_segments known or bounded", kMayVary},
      {"UnsortedSegmentProd", UnsortedSegment<ScatterKind::Mul>,
       "Scatter; num_segments known or bounded", kMayVary},
      {"UnsortedSegmentSum", UnsortedSegment<ScatterKind::Add>,
       "Scatter; num_segments known or bounded", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

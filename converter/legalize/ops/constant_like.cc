// SPDX-License-Identifier: Apache-2.0
// Tensors made by a rule: fills, ranges, masks of matrices.
#include <algorithm>
#include <numeric>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/range.h"

namespace linnet::converter {
namespace {

absl::Status Fill(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 0));
  LINNET_ASSIGN_OR_RETURN(const Extents extents, context.ExtentValues(0, "dims"));
  return context.Replace(EmitBroadcastTo(context, extents, context.input(1)));
}

template <int kValue>
absl::Status Like(LegalizeContext& context) {
  const Output value = context.AddScalar(context.type(0).dtype, kValue, "value");
  return context.Replace(EmitBroadcastTo(context, context.extents(0), value));
}

// start, start + 1, ... below a limit that varies: the longest such range, cut to its length.
absl::Status VaryingRange(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t start, context.ConstantInt(0, "start"));
  LINNET_ASSIGN_OR_RETURN(const int64_t delta, context.ConstantInt(2, "delta"));
  LINNET_ASSIGN_OR_RETURN(const Extents limit, context.ExtentValues(1, "limit"));
  if (delta != 1 || limit.size() != 1)
    return Unsupported("'delta' is {}, want 1 where 'limit' varies", delta);
  const Extent count = limit[0] - Extent(start);
  const int64_t largest = std::max<int64_t>(0, context.symbols().Max(count));
  if (largest > kMostElements) return Unsupported("a range of up to {} numbers", largest);
  std::vector<int64_t> numbers(largest);
  std::iota(numbers.begin(), numbers.end(), start);
  const Output all = context.AddVector(std::move(numbers), "all");
  const Emitted cast = EmitCast(context, context.type(0).dtype, all, "all/cast");
  return context.Replace(EmitFirst(context, count, cast));
}

absl::Status Range(LegalizeContext& context) {
  if (context.FindConstant(1) == nullptr && context.ExtentValues(1, "limit").ok())
    return VaryingRange(context);
  constexpr const char* kNames[] = {"start", "limit", "delta"};
  for (int i = 0; i < 3; ++i) LINNET_RETURN_IF_ERROR(context.ConstantScalar(i, kNames[i]).status());
  const DType dtype = context.type(0).dtype;
  if (!IsNarrowInteger(dtype))
    return context.Replace(context.Emit(RangeAttrs(), context.inputs(0, 3)));
  std::vector<Emitted> inputs(3);
  for (int i = 0; i < 3; ++i)
    inputs[i] = EmitCast(context, DType::kInt32, context.input(i), "wide");
  const Emitted range = context.Emit(RangeAttrs(), inputs, "Range");
  return context.Replace(EmitCast(context, dtype, range));
}

absl::Status LinSpace(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const double start, context.ConstantScalar(0, "start"));
  LINNET_ASSIGN_OR_RETURN(const double stop, context.ConstantScalar(1, "stop"));
  LINNET_ASSIGN_OR_RETURN(const int64_t count, context.ConstantInt(2, "num"));
  if (count < 1 || count > kMostElements) return Invalid("'num' is {}", count);
  // Computed in float as in TensorFlow, where the last element is `stop` itself.
  const auto first = static_cast<float>(start), last = static_cast<float>(stop);
  const float step = count > 1 ? (last - first) / static_cast<float>(count - 1) : 0.0f;
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(first + step * static_cast<float>(i));
  if (count > 1) values.back() = last;
  return context.Replace(context.AddVector(std::move(values)));
}

// A mask [rows, columns] of keep(row, column).
template <typename Keep>
Emitted AddMask(LegalizeContext& context, int64_t rows, int64_t columns, const Keep& keep) {
  int64_t elements;
  if (!CheckedMul(rows, columns, &elements) || elements > kMostElements)
    return Unsupported("matrices of {}x{} are too large", rows, columns);
  void* data = nullptr;
  Constant mask = Constant::Allocate({DType::kBool, {rows, columns}}, &data);
  auto* flags = static_cast<uint8_t*>(data);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) *flags++ = keep(row, column) ? 1 : 0;
  }
  return context.AddConstant(std::move(mask), "mask");
}

// Keeps num_lower diagonals below the main one and num_upper above it, all of them where the number
// is negative; the rest becomes zeros.
absl::Status MatrixBandPart(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t lower, context.ConstantInt(1, "num_lower"));
  LINNET_ASSIGN_OR_RETURN(const int64_t upper, context.ConstantInt(2, "num_upper"));
  const Shape& shape = context.shape(0);
  const int rank = shape.rank();
  if (rank < 2) return Invalid("input has shape {}, want a matrix", ShapeText(shape));
  const auto keep = [=](int64_t row, int64_t column) {
    return (lower < 0 || row - column <= lower) && (upper < 0 || column - row <= upper);
  };
  Emitted mask = AddMask(context, shape[rank - 2], shape[rank - 1], keep);
  const Extents extents = context.extents(0);
  mask = EmitCutTo(context, Extents(extents.end() - 2, extents.end()), mask, "mask/part");
  const Output zero = context.AddScalar(context.type(0).dtype, 0, "zero");
  return context.Replace(EmitSelect(context, mask, context.input(0), zero));
}

}  // namespace

std::span<const TfOp> ConstantLikeOps() {
  static constexpr TfOp kRows[] = {
      {"BatchMatrixBandPart", MatrixBandPart, "Select; bounds known", kMayVary},
      {"Fill", Fill, "a constant or BroadcastTo; dims known", kMayVary | kTakesComplex},
      {"LinSpace", LinSpace, "a constant; inputs known"},
      {"MatrixBandPart", MatrixBandPart, "Select; bounds known", kMayVary},
      {"OnesLike", Like<1>, "a constant or BroadcastTo", kMayVary},
      {"Range", Range, "a constant; inputs known", kMayVary},
      {"ZerosLike", Like<0>, "a constant or BroadcastTo", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

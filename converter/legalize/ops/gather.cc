// SPDX-License-Identifier: Apache-2.0
// Lookups by index, one-hot vectors, and the largest elements.
#include <limits>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/gather_nd.h"
#include "runtime/ops/one_hot.h"
#include "runtime/ops/top_k.h"

namespace linnet::converter {
namespace {

absl::Status EmitGather(LegalizeContext& context, const GatherAttrs& attrs) {
  const Emitted indices = EmitIndices(context, context.input(1));
  return context.Replace(context.Emit(attrs, {context.input(0), indices}));
}

absl::Status Gather(LegalizeContext& context) { return EmitGather(context, GatherAttrs()); }

absl::Status GatherV2(LegalizeContext& context) {
  GatherAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.axis, context.ConstantAxis(2, context.shape(0).rank(), "axis"));
  LINNET_ASSIGN_OR_RETURN(int64_t batch_dims, context.Int("batch_dims", 0));
  const int rank = context.shape(1).rank();
  if (batch_dims < 0) batch_dims += rank;
  if (batch_dims < 0 || batch_dims > rank || batch_dims > attrs.axis)
    return Invalid("attr 'batch_dims' is {}, want [0, {}]", batch_dims, std::min(rank, attrs.axis));
  attrs.batch_dims = static_cast<int>(batch_dims);
  return EmitGather(context, attrs);
}

// The handle has become the variable's value (see ReadVariable in pass_through.cc).
absl::Status ResourceGather(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t batch_dims, context.Int("batch_dims", 0));
  if (batch_dims < 0 || batch_dims >= context.shape(0).rank() ||
      batch_dims > context.shape(1).rank())
    return Invalid("attr 'batch_dims' is {}", batch_dims);
  GatherAttrs attrs;
  attrs.axis = attrs.batch_dims = static_cast<int>(batch_dims);
  return EmitGather(context, attrs);
}

absl::Status GatherNd(LegalizeContext& context) {
  const Emitted indices = EmitIndices(context, context.input(1));
  return context.Replace(context.Emit(GatherNdAttrs(), {context.input(0), indices}));
}

// A depth that varies is cut from the largest.
absl::Status OneHot(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 0));
  LINNET_ASSIGN_OR_RETURN(const Extents depth, context.ExtentValues(1, "depth"));
  OneHotAttrs attrs{.depth = context.symbols().Largest(depth[0])};
  if (attrs.depth < 0) return Invalid("'depth' is {}", attrs.depth);
  LINNET_ASSIGN_OR_RETURN(attrs.axis, context.AxisAttr("axis", -1, context.shape(0).rank() + 1));
  Emitted indices = context.input(0);
  if (context.type(0).dtype != DType::kUint8) indices = EmitIndices(context, indices);
  const char* suffix = depth[0].is_constant() ? "" : "deepest";
  LINNET_ASSIGN_OR_RETURN(
      const Output deepest,
      context.Emit(attrs, {indices, context.input(2), context.input(3)}, suffix));
  Extents size = context.extents(deepest);
  size[static_cast<size_t>(attrs.axis)] = depth[0];
  return context.Replace(EmitCutTo(context, size, deepest));
}

absl::Status EmitTopK(LegalizeContext& context, const Extent& extent) {
  const Shape& shape = context.shape(0);
  const int64_t k = context.symbols().Largest(extent);
  if (shape.rank() == 0 || k < 0 || k > shape.back() || k > std::numeric_limits<int32_t>::max())
    return Invalid("k is {}, but the rows of {} are shorter", k, ShapeText(shape));
  TopKAttrs attrs{.k = static_cast<int>(k)};
  LINNET_ASSIGN_OR_RETURN(attrs.sorted, context.Bool("sorted", true));
  OpAttrs varying = attrs;
  if (!extent.is_constant()) varying.Vary(0, extent);
  const DType dtype = context.type(0).dtype;
  const bool is_short = dtype == DType::kInt16 || dtype == DType::kUint16;
  const Emitted x = EmitCast(context, is_short ? DType::kInt32 : dtype, context.input(0), "wide");
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> found, context.EmitAll(varying, {x}));
  const Emitted values = EmitCast(context, dtype, found[0], "values");
  LINNET_ASSIGN_OR_RETURN(const DType index_type, context.Type("index_type", DType::kInt32));
  Emitted indices = found[1];
  if (context.IsUsed(1)) indices = EmitCast(context, index_type, indices, "indices");
  return context.Replace({values, indices});
}

absl::Status TopK(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int64_t k, context.Int("k", -1));
  return EmitTopK(context, k);
}

absl::Status TopKV2(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const auto k, context.ExtentValues(1, "k"));
  if (k.size() != 1) return Invalid("'k' has {} elements, want one", k.size());
  return EmitTopK(context, k[0]);
}

// Is the score of the target among the k largest of its row, where equal ones count as one? Not so
// where a score of the row is infinite or NaN, and where there is no such class.
absl::Status InTopK(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 2));
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 1));
  if (!context.extents(0)[1].is_constant()) return Unsupported("the number of classes varies");
  const Output scores = context.input(0);
  const DType dtype = context.type(1).dtype;
  Emitted k;
  if (context.num_inputs() == 3) {
    k = EmitReshape(context, Shape(), context.input(2), "k");
  } else {
    LINNET_ASSIGN_OR_RETURN(const int64_t number, context.Int("k", 0));
    k = context.AddScalar(dtype, static_cast<double>(number), "k");
  }
  const Output yes = context.AddScalar(DType::kBool, 1, "yes");
  const Output no = context.AddScalar(DType::kBool, 0, "no");
  const Emitted is_target = context.Emit(OneHotAttrs{.depth = context.shape(0)[1], .axis = 1},
                                         {context.input(1), yes, no}, "is_target");
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  Emitted score = EmitSelect(context, is_target, scores, zero, "target_or_zero");
  score = EmitReduce(context, ReduceKind::Sum, {1}, true, score, "target_score");
  const Emitted above = EmitCompare(context, CompareKind::Greater, scores, score, "above");
  Emitted count = EmitCast(context, dtype, above, "ones");
  count = EmitReduce(context, ReduceKind::Sum, {1}, false, count, "count");
  const Emitted is_near = EmitCompare(context, CompareKind::Less, count, k, "is_near");
  const Emitted exists = EmitReduce(context, ReduceKind::Any, {1}, false, is_target, "exists");
  Emitted finite = EmitUnary(context, UnaryKind::IsFinite, scores, "IsFinite");
  finite = EmitReduce(context, ReduceKind::All, {1}, false, finite, "all_finite");
  const Emitted known = EmitBinary(context, BinaryKind::LogicalAnd, exists, finite, "known");
  return context.Replace(EmitBinary(context, BinaryKind::LogicalAnd, known, is_near));
}

constexpr char kInTopK[] = "OneHot, Select, Reduce, Compare, Unary, Binary";

}  // namespace

std::span<const TfOp> GatherOps() {
  static constexpr TfOp kRows[] = {
      {"Gather", Gather, "Gather", kMayVary | kTakesComplex},
      {"GatherNd", GatherNd, "GatherNd", kMayVary | kTakesComplex},
      {"GatherV2", GatherV2, "Gather; axis known", kMayVary | kTakesComplex},
      {"InTopK", InTopK, kInTopK, kMayVary},
      {"InTopKV2", InTopK, kInTopK, kMayVary},
      {"OneHot", OneHot, "OneHot; depth known", kMayVary},
      {"ResourceGather", ResourceGather, "Gather", kMayVary},
      {"ResourceGatherNd", GatherNd, "GatherNd"},
      {"TopK", TopK, "TopK"},
      {"TopKV2", TopKV2, "TopK; k known", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
// Rows grouped by their values or by marks: unique ones, differences of sets, partitions, and
// stitching partitions together; labels of a sequence, of which repeated ones are merged.
#include <algorithm>
#include <map>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/arg_reduce.h"
#include "runtime/ops/compare.h"
#include "runtime/ops/cumulative.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/gather_nd.h"
#include "runtime/ops/reshape.h"
#include "runtime/ops/scatter.h"
#include "runtime/ops/unique.h"

namespace linnet::converter {
namespace {

// The axis along which slices are compared. Without one the input must be a vector.
absl::StatusOr<int> UniqueAxis(const LegalizeContext& context) {
  std::vector<int64_t> axes;
  if (context.num_inputs() == 2) {
    LINNET_ASSIGN_OR_RETURN(axes, context.ConstantInts(1, "axis"));
  }
  const int rank = context.shape(0).rank();
  if (axes.size() > 1) return Invalid("'axis' has {} elements, want at most one", axes.size());
  if (!axes.empty()) return context.Axis(axes[0], rank, "axis");
  if (rank != 1) return Invalid("input has shape {}, want a vector", ShapeText(context.shape(0)));
  return 0;
}

// Unique, UniqueV2 (along an axis) and both with counts.
absl::Status Unique(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const int axis, UniqueAxis(context));
  LINNET_ASSIGN_OR_RETURN(const DType out_idx, context.Type("out_idx", DType::kInt32));
  Shape axis_first = {axis}, axis_back = Filled(context.shape(0).rank(), 0);
  for (int i = 0; i < axis_back.rank(); ++i) {
    if (i != axis) axis_first.Append(i);
    axis_back[i] = i == axis ? 0 : i + (i < axis ? 1 : 0);
  }
  const Emitted rows = EmitTranspose(context, axis_first, context.input(0), "rows");
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> all,
                          context.EmitAll(UniqueAttrs(), {rows}, "all"));
  const Extent count = context.SymbolOf(all[3], 0, 0, context.shape(0)[axis]);
  Emitted y = EmitFirst(context, count, all[0], IsIdentityPermutation(axis_back) ? "" : "found");
  y = EmitTranspose(context, axis_back, y);
  const Emitted numbers = EmitCast(context, out_idx, all[1], "idx");
  Emitted counts = EmitFirst(context, count, all[2], "counts");
  counts = EmitCast(context, out_idx, counts, "count");
  return context.Replace({y, numbers, counts});
}

// The indices of the elements of a vector of flags that are set, as a vector.
Emitted EmitIndicesOf(LegalizeContext& context, const Emitted& flags, const std::string& suffix) {
  const Emitted rows = EmitWhere(context, flags, suffix + "/rows");
  return EmitFlat(context, rows, suffix);
}

// The elements of x that are not in y. Unique numbers the elements of [y, x] as they appear first,
// so those of y have the smaller numbers.
absl::Status ListDiff(LegalizeContext& context) {
  for (const int i : {0, 1}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 1));
  LINNET_ASSIGN_OR_RETURN(const DType out_idx, context.Type("out_idx", DType::kInt32));
  const Output x = context.input(0), y = context.input(1);
  const Emitted both = EmitJoined(context, {y, x}, 0, "both");
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> unique,
                          context.EmitAll(UniqueAttrs(), {both}, "unique"));
  const Extents x_size = context.extents(x), y_size = context.extents(y);
  const Emitted of_y = EmitSlice(context, Extents{0}, y_size, {1}, unique[1], "numbers_of_y");
  const Emitted of_x = EmitSlice(context, y_size, x_size, {1}, unique[1], "numbers_of_x");
  const Emitted last = EmitReduce(context, ReduceKind::Max, {0}, true, of_y, "last_of_y");
  const Emitted is_new = EmitCompare(context, CompareKind::Greater, of_x, last, "is_new");
  const Emitted indices = EmitIndicesOf(context, is_new, "indices");
  const Emitted idx = EmitCast(context, out_idx, indices, "idx");
  const Emitted out = context.Emit(GatherAttrs(), {x, indices});
  return context.Replace({out, idx});
}

// Reshapes `value`, whose first dimensions are `outer`, so that they become one of extent `flat`.
Emitted EmitFlatRows(LegalizeContext& context, Output value, const Shape& outer, const Extent& flat,
                     const std::string& suffix) {
  const Shape& shape = context.shape(value);
  if (outer.rank() > shape.rank() || SubShape(shape, 0, outer.rank()) != outer)
    return Invalid("data has shape {}, which does not begin with {}", ShapeText(shape),
                   ShapeText(outer));
  Extents rows = context.extents(value);
  rows.erase(rows.begin(), rows.begin() + outer.rank());
  rows.insert(rows.begin(), flat);
  return EmitReshape(context, rows, value, suffix);
}

// The flags `marks == number` that an earlier partition by the same marks has made, by number.
// Using them again gives the parts of both partitions the same extents.
std::map<double, Output> EarlierFlags(Output marks) {
  std::map<double, Output> flags;
  for (const Edge* use : marks.node->Uses(marks.index)) {
    if (!use->dst->Is<GatherAttrs>() || use->dst_input != 1) continue;
    for (const Edge* compared : use->dst->Uses(0)) {
      Node* const node = compared->dst;
      if (node->Is<CompareAttrs>() && node->input(1).node->IsConstant())
        flags.insert({node->input(1).node->constant().ScalarValue(), {node, 0}});
    }
  }
  return flags;
}

// The marks as a vector: of the same marks always the same tensor, so that EarlierFlags finds it.
Emitted EmitMarks(LegalizeContext& context, Output marks) {
  for (const Edge* use : marks.node->Uses(marks.index))
    if (use->dst->Is<ReshapeAttrs>() && use->dst->type().shape.rank() == 1)
      return Output{use->dst, 0};
  return EmitFlat(context, marks, "partitions");
}

// Each output has the rows that are marked with its number.
absl::Status DynamicPartition(LegalizeContext& context) {
  const auto count = static_cast<int32_t>(context.node().tf_output_types().size());
  LINNET_ASSIGN_OR_RETURN(const Output marks, EmitMarks(context, context.input(1)));
  const Emitted rows =
      EmitFlatRows(context, context.input(0), context.shape(1), context.extents(marks)[0], "data");
  // This Gather fails when the model runs and a mark is not in [0, count).
  const Output known = AddIndices<int32_t>(context, {count}, "numbers");
  const Emitted checked = context.Emit(GatherAttrs(), {known, marks}, "checked");
  const std::map<double, Output> earlier = EarlierFlags(marks);
  std::vector<Emitted> outputs;
  for (int i = 0; i < count; ++i) {
    const auto name = [i](const char* what) { return fmt::format("{}_{}", what, i); };
    Emitted flags;
    if (const auto known = earlier.find(i); known != earlier.end()) {
      flags = known->second;
    } else {
      const Output number = context.AddScalar(DType::kInt32, i, name("number"));
      flags = EmitCompare(context, CompareKind::Equal, checked, number, name("flags"));
    }
    const Emitted indices = EmitIndicesOf(context, flags, name("indices"));
    outputs.push_back(context.Emit(GatherAttrs(), {rows, indices}, i == 0 ? "" : name("part")));
  }
  return context.Replace(outputs);
}

// Merges rows at constant positions; a later row wins.
absl::Status StitchAtConstants(LegalizeContext& context) {
  const int count = context.num_inputs() / 2;
  std::vector<int32_t>
      source;  // for each row of the result the row of the concatenated data, or -1
  std::vector<Output> parts;
  int32_t next = 0;
  for (int i = 0; i < count; ++i) {
    LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> rows, context.ConstantInts(i, "indices"));
    for (const int64_t row : rows) {
      if (row < 0 || row >= kMostElements) return Invalid("index {}", row);
      if (row >= static_cast<int64_t>(source.size())) source.resize(row + 1, -1);
      source[row] = next++;
    }
    LINNET_ASSIGN_OR_RETURN(
        const Output part,
        EmitFlatRows(context, context.input(count + i), context.shape(i),
                     static_cast<int64_t>(rows.size()), fmt::format("data_{}", i)));
    if (!rows.empty()) parts.push_back(part);
  }
  if (parts.empty()) return Unsupported("no rows at all");
  const auto unset = std::ranges::find(source, -1);
  if (unset != source.end())
    return Unsupported("'indices' leave row {} undefined", unset - source.begin());
  const Emitted all = EmitJoined(context, parts, 0, "data");
  const Output from = context.AddVector(std::move(source), "from");
  return context.Replace(context.Emit(GatherAttrs(), {all, from}));
}

// Writes rows at computed positions; a later row wins. Rows without a position stay zeros.
absl::Status StitchAtIndices(LegalizeContext& context) {
  const int count = context.num_inputs() / 2;
  std::vector<Output> indices;
  for (int i = 0; i < count; ++i) {
    LINNET_ASSIGN_OR_RETURN(indices.emplace_back(),
                            EmitFlat(context, context.input(i), fmt::format("indices_{}", i)));
  }
  std::vector<Output> all = {context.AddVector<int32_t>({-1}, "before_all")};
  all.insert(all.end(), indices.begin(), indices.end());
  const Emitted joined = EmitJoined(context, all, 0, "indices");
  const Emitted last = EmitReduce(context, ReduceKind::Max, {0}, false, joined, "last");
  LINNET_ASSIGN_OR_RETURN(const Output number,
                          EmitBinary(context, BinaryKind::Add, last, 1, "number_of_rows"));
  LINNET_ASSIGN_OR_RETURN(Extents shape, context.ExtentValues(number, "the number of rows"));
  const Extents first = context.extents(count);
  shape.insert(shape.end(), first.begin() + context.shape(0).rank(), first.end());
  const Output zero = context.AddScalar(context.type(count).dtype, 0, "zero");
  Emitted merged = EmitBroadcastTo(context, shape, zero, "zeros");
  for (int i = 0; i < count; ++i) {
    const auto name = [i](const char* what) { return fmt::format("{}_{}", what, i); };
    const Extent rows = context.extents(indices[i])[0];
    const Emitted data =
        EmitFlatRows(context, context.input(count + i), context.shape(i), rows, name("data"));
    const Emitted column = EmitReshape(context, Extents{rows, 1}, indices[i], name("column"));
    merged = context.Emit(ScatterAttrs{.kind = schema::ScatterKind::Update}, {merged, column, data},
                          i + 1 == count ? "" : name("merged"));
  }
  return context.Replace(merged);
}

absl::Status DynamicStitch(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, kMaxOpInputs));
  for (int i = 0; i < context.num_inputs() / 2; ++i)
    if (context.FindConstant(i) == nullptr) return StitchAtIndices(context);
  return StitchAtConstants(context);
}

// The best class of each step of each sequence and its score, [batch, steps].
struct BestClasses {
  Emitted number, score;
};

BestClasses EmitBestClasses(LegalizeContext& context) {
  const Emitted x = EmitTranspose(context, {1, 0, 2}, context.input(0), "sequences");
  const Emitted number =
      context.Emit(ArgReduceAttrs{.axis = 2, .dtype = DType::kInt64}, {x}, "class");
  return {number, EmitReduce(context, ReduceKind::Max, {2}, false, x, "score")};
}

// Is the class of a step another one than that of the step before?
Emitted EmitIsNew(LegalizeContext& context, const Emitted& number, int64_t steps, int64_t batch) {
  const Output none = context.AddScalar(DType::kInt64, -1, "none");
  const Emitted first = EmitBroadcastTo(context, {batch, 1}, none, "before_first");
  const Emitted rest = EmitSliceAlong(context, 1, 0, steps - 1, number, "before_others");
  const Emitted before = EmitJoined(context, {first, rest}, 1, "before");
  return EmitCompare(context, CompareKind::NotEqual, number, before, "is_new");
}

// The sparse form of the labels: where they are in their sequences, what they are, and the extents.
Operands EmitLabels(LegalizeContext& context, const Emitted& number, const Emitted& is_label,
                    int64_t batch) {
  const Emitted positions = EmitWhere(context, is_label, "steps");
  if (!positions.ok()) return {positions};
  const Extent count = context.extents(*positions)[0];
  const Emitted values = context.Emit(GatherNdAttrs(), {number, positions}, "values");
  const Emitted ones = EmitCast(context, DType::kInt64, is_label, "ones");
  const CumulativeAttrs sum{.kind = schema::CumulativeKind::Sum, .axis = 1, .exclusive = true};
  const Emitted labels_before = context.Emit(sum, {ones}, "labels_before");
  Emitted place = context.Emit(GatherNdAttrs(), {labels_before, positions}, "places");
  place = EmitReshape(context, Extents{count, 1}, place, "place");
  const Emitted sequence = EmitSliceAlong(context, 1, 0, 1, positions, "sequence");
  const Emitted indices = EmitJoined(context, {sequence, place}, 1, "");
  const Emitted lengths = EmitReduce(context, ReduceKind::Sum, {1}, false, ones, "lengths");
  const Emitted longest = EmitReduce(context, ReduceKind::Max, {0}, true, lengths, "longest");
  const Output sequences = context.AddVector<int64_t>({batch}, "batch");
  return {indices, values, EmitJoined(context, {sequences, longest}, 0, "shape")};
}

// The labels of sequences [steps, batch, classes]: the best class of each step, without blanks and
// repetitions.
absl::Status CtcGreedyDecoder(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 3));
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const int64_t steps = context.shape(0)[0], batch = context.shape(0)[1];
  const int64_t classes = context.shape(0)[2];
  LINNET_ASSIGN_OR_RETURN(int64_t blank, context.Int("blank_index", -1));
  LINNET_ASSIGN_OR_RETURN(const bool merges, context.Bool("merge_repeated", false));
  if (blank < 0) blank += classes;
  if (steps < 1 || steps > kMostElements || batch < 1 || blank < 0 || blank >= classes)
    return Invalid("inputs {} with blank {}", ShapeText(context.shape(0)), blank);
  const BestClasses best = EmitBestClasses(context);
  const Output step = AddIndices<int32_t>(context, {steps}, "step");
  const Emitted length = EmitReshape(context, {batch, 1}, context.input(1), "length");
  const Emitted is_inside = EmitCompare(context, CompareKind::Less, step, length, "is_inside");
  const Output blanks = context.AddScalar(DType::kInt64, static_cast<double>(blank), "blank");
  Emitted is_label =
      EmitCompare(context, CompareKind::NotEqual, best.number, blanks, "is_not_blank");
  is_label = EmitBinary(context, BinaryKind::LogicalAnd, is_label, is_inside, "is_inside_label");
  if (merges) {
    const Emitted is_new = EmitIsNew(context, best.number, steps, batch);
    is_label = EmitBinary(context, BinaryKind::LogicalAnd, is_label, is_new, "is_label");
  }
  Operands labels = EmitLabels(context, best.number, is_label, batch);
  LINNET_RETURN_IF_ERROR(labels.status());
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  Emitted score = EmitSelect(context, is_inside, best.score, zero, "score_inside");
  score = EmitReduce(context, ReduceKind::Sum, {1}, true, score, "score_of_all");
  score = EmitUnary(context, UnaryKind::Neg, score, "log_probability");
  return context.Replace({labels.outputs()[0], labels.outputs()[1], labels.outputs()[2], score});
}

}  // namespace

std::span<const TfOp> GroupingOps() {
  static constexpr TfOp kRows[] = {
      {"CTCGreedyDecoder", CtcGreedyDecoder,
       "ArgReduce, Compare, Where, GatherNd, Cumulative, Concat"},
      {"DynamicPartition", DynamicPartition, "Gather, Compare, Where, Slice", kMayVary},
      {"DynamicStitch", DynamicStitch, "Concat, Gather where indices are known, else Scatter",
       kMayVary},
      {"ListDiff", ListDiff, "Concat, Unique, Slice, Reduce, Compare, Where, Gather", kMayVary},
      {"ParallelDynamicStitch", DynamicStitch,
       "Concat, Gather where indices are known, else Scatter", kMayVary},
      {"Unique", Unique, "Unique, Slice", kMayVary},
      {"UniqueV2", Unique, "Transpose, Unique, Slice; axis known", kMayVary},
      {"UniqueWithCounts", Unique, "Unique, Slice", kMayVary},
      {"UniqueWithCountsV2", Unique, "Transpose, Unique, Slice; axis known", kMayVary},
  };
  return kRows;
}

}  // namespace linnet::converter

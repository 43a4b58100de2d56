// SPDX-License-Identifier: Apache-2.0
// Parts of a tensor: slices and splits; rolled and reversed tensors.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/ops/slices_at_indices.h"
#include "converter/legalize/ops/strided_slice.h"
#include "runtime/ops/concat.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/reverse_sequence.h"

namespace linnet::converter {
namespace {

absl::StatusOr<StridedSliceSpec> GetSpec(LegalizeContext& context) {
  StridedSliceSpec spec;
  LINNET_ASSIGN_OR_RETURN(spec.begin, context.ExtentValues(1, "begin"));
  LINNET_ASSIGN_OR_RETURN(spec.end, context.ExtentValues(2, "end"));
  LINNET_ASSIGN_OR_RETURN(spec.strides, context.ConstantInts(3, "strides"));
  LINNET_ASSIGN_OR_RETURN(spec.masks.begin, context.Int("begin_mask", 0));
  LINNET_ASSIGN_OR_RETURN(spec.masks.end, context.Int("end_mask", 0));
  LINNET_ASSIGN_OR_RETURN(spec.masks.ellipsis, context.Int("ellipsis_mask", 0));
  LINNET_ASSIGN_OR_RETURN(spec.masks.new_axis, context.Int("new_axis_mask", 0));
  LINNET_ASSIGN_OR_RETURN(spec.masks.shrink_axis, context.Int("shrink_axis_mask", 0));
  return spec;
}

// Is the op x[i], one row of the first dimension?
bool IsRow(const LegalizeContext& context) {
  return context.shape(1).num_elements() == 1 && context.shape(0).rank() > 0 &&
         context.Int("shrink_axis_mask", 0).value_or(0) == 1 &&
         context.Int("ellipsis_mask", 0).value_or(1) == 0 &&
         context.Int("new_axis_mask", 0).value_or(1) == 0;
}

// What PlanStridedSlice asks for, as an op.
absl::StatusOr<Extent> EmitSmallerOne(LegalizeContext& context, bool is_end, size_t entry,
                                      size_t dimension) {
  const std::string name = fmt::format("{}_{}", is_end ? "end" : "begin", entry);
  const Output bounds = context.input(is_end ? 2 : 1);
  const Emitted bound =
      EmitSliceAlong(context, 0, static_cast<int64_t>(entry), 1, bounds, name + "/bound");
  const Emitted shape =
      EmitShapeOf(context, context.type(bounds).dtype, context.input(0), name + "/shape");
  const Emitted extent =
      EmitSliceAlong(context, 0, static_cast<int64_t>(dimension), 1, shape, name + "/extent");
  LINNET_ASSIGN_OR_RETURN(const Output smaller,
                          EmitBinary(context, BinaryKind::Minimum, bound, extent, name));
  LINNET_ASSIGN_OR_RETURN(const Extents value, context.ExtentValues(smaller, name));
  return value[0];
}

absl::Status StridedSlice(LegalizeContext& context) {
  // The index is computed when the model runs. Asking for it may add symbols, which nothing uses if
  // it is not known.
  if (IsRow(context) && !context.ExtentValues(1, "begin").ok()) {
    const Emitted row = EmitReshape(context, Shape(), context.input(1), "row");
    return context.Replace(context.Emit(GatherAttrs(), {context.input(0), row}));
  }
  const absl::StatusOr<StridedSliceSpec> known = GetSpec(context);
  // Where the bounds are computed when the model runs, their distance may be known. If not, the
  // error that says how to bound them is the better one.
  if (!known.ok() && StridedSliceAtIndices(context).ok()) return absl::OkStatus();
  LINNET_ASSIGN_OR_RETURN(const StridedSliceSpec spec, known);
  const auto smaller_one = [&](bool is_end, size_t entry, size_t dimension) {
    return EmitSmallerOne(context, is_end, entry, dimension);
  };
  LINNET_ASSIGN_OR_RETURN(const SlicePlan plan, PlanStridedSlice(spec, context.extents(0),
                                                                 context.symbols(), smaller_one));
  const bool reshapes = plan.size != plan.shape;
  const Emitted slice = EmitSlice(context, plan.begin, plan.size, plan.stride, context.input(0),
                                  reshapes ? "Slice" : "");
  return context.Replace(EmitReshape(context, plan.shape, slice));
}

// A copy of input 0 with input 4 in the place of what StridedSlice would take.
absl::Status TensorStridedSliceUpdate(LegalizeContext& context) {
  if (context.Varies(0) || context.Varies(4)) return Unsupported("its extents vary");
  const absl::StatusOr<StridedSliceSpec> spec = GetSpec(context);
  if (!spec.ok() || !AllConstant(spec->begin) || !AllConstant(spec->end))
    return StridedSliceUpdateAtIndices(context);
  LINNET_ASSIGN_OR_RETURN(const SlicePlan plan,
                          PlanStridedSlice(*spec, context.extents(0), context.symbols()));
  Emitted update = EmitBroadcastTo(context, plan.shape, context.input(4), "update");
  update = EmitReshape(context, plan.size, update, "update/part");
  const Output start = context.AddVector(Constants(plan.begin), "start");
  return context.Replace(EmitUpdatedAt(context, context.input(0), update, start, plan.stride));
}

// A size that varies may turn out to be -1, which stands for all elements after `begin`.
absl::Status ResolveSizes(LegalizeContext& context, Extents* size) {
  const auto may_be_all = [&](const Extent& extent) { return context.symbols().Min(extent) < 0; };
  if (std::ranges::none_of(*size, may_be_all)) return absl::OkStatus();
  const Output wanted = context.input(2);
  const DType dtype = context.type(wanted).dtype;
  const Emitted shape = EmitShapeOf(context, dtype, context.input(0), "shape");
  const Emitted left = EmitBinary(context, BinaryKind::Sub, shape, context.input(1), "left");
  const Output zero = context.AddScalar(dtype, 0, "zero");
  const Emitted is_all = EmitCompare(context, CompareKind::Less, wanted, zero, "is_all");
  LINNET_ASSIGN_OR_RETURN(const Output resolved, EmitSelect(context, is_all, left, wanted, "size"));
  for (size_t i = 0; i < size->size(); ++i) {
    if (!may_be_all((*size)[i])) continue;
    const int64_t largest = context.shape(0)[static_cast<int>(i)];
    (*size)[i] = context.SymbolOf(resolved, static_cast<int>(i), 0, largest);
  }
  return absl::OkStatus();
}

// Slice where the extents of its input, `begin` or `size` vary.
absl::Status VaryingSlice(LegalizeContext& context, const Extents& begin, Extents size) {
  const Extents extents = context.extents(0);
  for (size_t i = 0; i < size.size(); ++i)
    if (size[i] == Extent(-1)) size[i] = extents[i] - begin[i];
  LINNET_RETURN_IF_ERROR(ResolveSizes(context, &size));
  const Shape stride = Filled(static_cast<int>(size.size()), 1);
  return context.Replace(EmitSlice(context, begin, size, stride, context.input(0)));
}

absl::Status Slice(LegalizeContext& context) {
  const absl::StatusOr<Extents> begin_values = context.ExtentValues(1, "begin");
  if (!begin_values.ok() && SliceAtIndices(context).ok()) return absl::OkStatus();
  LINNET_ASSIGN_OR_RETURN(const Extents from, begin_values);
  LINNET_ASSIGN_OR_RETURN(const Extents count, context.ExtentValues(2, "size"));
  const Shape& shape = context.shape(0);
  const auto rank = static_cast<size_t>(shape.rank());
  if (from.size() != rank || count.size() != rank)
    return Invalid("'begin' and 'size' have {} and {} values, want {}", from.size(), count.size(),
                   rank);
  if (context.Varies(0) || !AllConstant(from) || !AllConstant(count))
    return VaryingSlice(context, from, count);
  const std::vector<int64_t> begin = Constants(from);
  std::vector<int64_t> size = Constants(count);
  Shape first = Filled(shape.rank(), 0);
  for (int i = 0; i < shape.rank(); ++i) {
    const bool starts_inside = begin[i] >= 0 && begin[i] <= shape[i];
    if (size[i] == -1 && starts_inside) size[i] = shape[i] - begin[i];
    const bool inside = starts_inside && size[i] >= 0 && size[i] <= shape[i] - begin[i];
    if (!inside)
      return Invalid("elements [{}, {} + {}) of dimension {} are not all inside {}", begin[i],
                     begin[i], size[i], i, ShapeText(shape));
    if (size[i] > 0) first[i] = begin[i];
  }
  return context.Replace(EmitSlice(context, first, Shape(size), context.input(0)));
}

// Splits x along `axis` into parts of `sizes` elements. Outputs that nothing reads stay empty.
std::vector<Emitted> EmitParts(LegalizeContext& context, Output x, int axis,
                               const std::vector<int64_t>& sizes) {
  std::vector<Emitted> parts(sizes.size(), Output());
  int64_t position = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t begin = sizes[i] == 0 ? 0 : position;
    if (context.IsUsed(static_cast<int>(i)))
      parts[i] = EmitSliceAlong(context, axis, begin, sizes[i], x, fmt::format("part_{}", i));
    position += sizes[i];
  }
  return parts;
}

absl::Status Split(LegalizeContext& context) {
  const Output x = context.input(1);
  LINNET_ASSIGN_OR_RETURN(const int axis,
                          context.ConstantAxis(0, context.shape(x).rank(), "split_dim"));
  const auto count = static_cast<int64_t>(context.node().tf_output_types().size());
  const int64_t extent = context.shape(x)[axis];
  if (count < 1 || extent % count != 0)
    return Invalid("cannot split dimension {} of {} into {} equal parts", axis,
                   ShapeText(context.shape(x)), count);
  return context.Replace(EmitParts(context, x, axis, std::vector<int64_t>(count, extent / count)));
}

absl::Status SplitV(LegalizeContext& context) {
  const Output x = context.input(0);
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, context.ConstantInts(1, "size_splits"));
  LINNET_ASSIGN_OR_RETURN(const int axis,
                          context.ConstantAxis(2, context.shape(x).rank(), "split_dim"));
  const int64_t extent = context.shape(x)[axis];
  const std::string wanted = fmt::format("[{}]", fmt::join(sizes, ","));
  const auto rest = std::ranges::find(sizes, -1);
  int64_t sum = 0;
  bool fits = true;
  for (auto size = sizes.begin(); size != sizes.end(); ++size)
    fits = fits && (size == rest || (*size >= 0 && CheckedAdd(sum, *size, &sum)));
  if (!fits || (rest == sizes.end() ? sum != extent : sum > extent))
    return Invalid("'size_splits' {} do not add up to the {} elements of dimension {}", wanted,
                   extent, axis);
  if (rest != sizes.end()) *rest = extent - sum;
  return context.Replace(EmitParts(context, x, axis, sizes));
}

absl::Status Unpack(LegalizeContext& context) {
  const Shape& shape = context.shape(0);
  LINNET_ASSIGN_OR_RETURN(const int axis, context.AxisAttr("axis", 0, shape.rank()));
  const size_t count = context.node().tf_output_types().size();
  if (shape[axis] != static_cast<int64_t>(count))
    return Invalid("dimension {} of {} does not have the {} elements that attr 'num' says", axis,
                   ShapeText(shape), count);
  std::vector<Emitted> parts =
      EmitParts(context, context.input(0), axis, std::vector<int64_t>(count, 1));
  const Shape part_shape =
      Concatenated(SubShape(shape, 0, axis), SubShape(shape, axis + 1, shape.rank()));
  for (size_t i = 0; i < count; ++i) {
    if (context.IsUsed(static_cast<int>(i)))
      parts[i] = EmitReshape(context, part_shape, parts[i], fmt::format("element_{}", i));
  }
  return context.Replace(parts);
}

// Moves elements by `shift` positions along `axis`; those that leave at one end come in at the
// other.
Emitted EmitRoll(LegalizeContext& context, const Emitted& x, int64_t shift, int axis,
                 const std::string& name) {
  if (!x.ok()) return x;
  const Shape shape = context.shape(*x);
  if (shape[axis] == 0) return x;
  const int64_t moved = (shift % shape[axis] + shape[axis]) % shape[axis];
  if (moved == 0) return x;
  const int64_t kept = shape[axis] - moved;
  const auto part = [&](int64_t first, int64_t count, const char* suffix) {
    Extents begin(static_cast<size_t>(shape.rank())), size = context.extents(*x);
    begin[static_cast<size_t>(axis)] = first;
    size[static_cast<size_t>(axis)] = count;
    return EmitSlice(context, begin, size, Filled(shape.rank(), 1), x, name + suffix);
  };
  const Emitted wrapped = part(kept, moved, "/end");
  const Emitted rest = part(0, kept, "/start");
  return context.Emit(ConcatAttrs{.axis = axis}, {wrapped, rest}, name);
}

// The same by a shift (i64 [1]) or along an axis that only a run knows: element i comes from
// position i - shift, modulo the extent.
Emitted EmitComputedRoll(LegalizeContext& context, const Emitted& x, const Emitted& shift, int axis,
                         const std::string& name) {
  if (!x.ok()) return x;
  const Extent extent = context.extents(*x)[static_cast<size_t>(axis)];
  const int64_t largest = context.shape(*x)[axis];
  if (largest > kMostElements) return Unsupported("an axis of up to {} elements", largest);
  const Output all = AddIndices<int64_t>(context, {largest}, name + "/all");
  const Emitted positions = EmitFirst(context, extent, all, name + "/positions");
  Emitted size = EmitShapeOf(context, DType::kInt64, x, name + "/shape");
  size = EmitSliceAlong(context, 0, axis, 1, size, name + "/size");
  const Emitted before = EmitBinary(context, BinaryKind::Sub, positions, shift, name + "/before");
  const Emitted from = EmitBinary(context, BinaryKind::FloorMod, before, size, name + "/from");
  return context.Emit(GatherAttrs{.axis = axis}, {x, from}, name);
}

absl::Status Roll(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, context.ConstantInts(2, "axis"));
  const Shape& shifts = context.shape(1);
  if (shifts.rank() > 1 || shifts.num_elements() != std::ssize(axes))
    return Invalid("'shift' has shape {} for {} values of 'axis'", ShapeText(shifts), axes.size());
  Emitted x = context.input(0);
  std::vector<int64_t> known;
  if (context.FindConstant(1) != nullptr) {
    LINNET_ASSIGN_OR_RETURN(known, context.ConstantInts(1, "shift"));
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    LINNET_ASSIGN_OR_RETURN(const int axis, context.Axis(axes[i], context.shape(0).rank(), "axis"));
    const std::string name = fmt::format("roll_{}", i);
    if (!known.empty() && context.extents(0)[static_cast<size_t>(axis)].is_constant()) {
      x = EmitRoll(context, x, known[i], axis, name);
      continue;
    }
    Emitted shift = EmitCast(context, DType::kInt64, context.input(1), name + "/i64");
    shift = EmitReshape(context, {std::ssize(axes)}, shift, name + "/shifts");
    shift = EmitSliceAlong(context, 0, static_cast<int64_t>(i), 1, shift, name + "/shift");
    x = EmitComputedRoll(context, x, shift, axis, name);
  }
  return context.Replace(x);
}

absl::Status EmitReverse(LegalizeContext& context, uint32_t reversed) {
  const Extents size = context.extents(0);
  Extents begin(size.size());
  Shape stride;
  for (size_t i = 0; i < size.size(); ++i) {
    const bool reverse = reversed >> i & 1;
    if (reverse && size[i] != Extent(0)) begin[i] = size[i] - 1;
    stride.Append(reverse ? -1 : 1);
  }
  return context.Replace(EmitSlice(context, begin, size, stride, context.input(0)));
}

absl::Status ReverseV2(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, context.ConstantInts(1, "axis"));
  uint32_t reversed = 0;
  for (const int64_t value : axes) {
    LINNET_ASSIGN_OR_RETURN(const int axis, context.Axis(value, context.shape(0).rank(), "axis"));
    if (reversed >> axis & 1) return Invalid("'axis' names dimension {} twice", axis);
    reversed |= 1u << axis;
  }
  return EmitReverse(context, reversed);
}

// Input 1 has a bool for each dimension.
absl::Status Reverse(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> flags, context.ConstantInts(1, "dims"));
  const int rank = context.shape(0).rank();
  if (static_cast<int>(flags.size()) != rank)
    return Invalid("'dims' has {} values, want {}", flags.size(), rank);
  uint32_t reversed = 0;
  for (int i = 0; i < rank; ++i) reversed |= flags[i] != 0 ? 1u << i : 0;
  return EmitReverse(context, reversed);
}

absl::Status ReverseSequence(LegalizeContext& context) {
  const int rank = context.shape(0).rank();
  ReverseSequenceAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.sequence_axis, context.AxisAttr("seq_dim", 0, rank));
  LINNET_ASSIGN_OR_RETURN(attrs.batch_axis, context.AxisAttr("batch_dim", 0, rank));
  if (attrs.batch_axis == attrs.sequence_axis)
    return Invalid("'seq_dim' and 'batch_dim' are both {}", attrs.batch_axis);
  return context.Replace(context.Emit(attrs, {context.input(0), context.input(1)}));
}

}  // namespace

std::span<const TfOp> SlicingOps() {
  static constexpr TfOp kRows[] = {
      {"Reverse", Reverse, "Slice; dims known", kMayVary | kTakesComplex},
      {"ReverseSequence", ReverseSequence, "ReverseSequence", kMayVary | kTakesComplex},
      {"ReverseV2", ReverseV2, "Slice; axis known", kMayVary | kTakesComplex},
      {"Roll", Roll, "Slice, Concat; Gather where shifts or extents vary; axes known",
       kMayVary | kTakesComplex},
      {"Slice", Slice, "Slice; size known; begin fed: GatherNd", kMayVary | kTakesComplex},
      {"Split", Split, "Slice", kMayVary | kTakesComplex},
      {"SplitV", SplitV, "Slice; sizes known", kMayVary | kTakesComplex},
      {"StridedSlice", StridedSlice, "Slice, Reshape; bounds known. x[i:i+3] with a fed i: Gather",
       kMayVary | kTakesComplex},
      {"TensorStridedSliceUpdate", TensorStridedSliceUpdate, "BroadcastTo, Reshape, Scatter"},
      {"Unpack", Unpack, "Slice, Reshape", kMayVary | kTakesComplex},
      {"XlaDynamicSlice", XlaDynamicSlice, "Binary, Slice, GatherNd; size known"},
      {"XlaDynamicUpdateSlice", XlaDynamicUpdateSlice, "Binary, Slice, Scatter"},
  };
  return kRows;
}

}  // namespace linnet::converter

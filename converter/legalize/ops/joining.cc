// SPDX-License-Identifier: Apache-2.0
// Concatenation, stacking, tiling and padding.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/context/varying.h"
#include "runtime/ops/pad.h"
#include "runtime/ops/tile.h"

namespace linnet::converter {
namespace {

// The axis is the last input (ConcatV2) or the first (Concat).
template <bool kAxisFirst>
absl::Status Concat(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, kMaxOpInputs + 1));
  const int last = context.num_inputs() - 1;
  const std::vector<Output> parts =
      kAxisFirst ? context.inputs(1, last + 1) : context.inputs(0, last);
  LINNET_ASSIGN_OR_RETURN(
      const int axis,
      context.ConstantAxis(kAxisFirst ? 0 : last, context.shape(parts[0]).rank(), "axis"));
  return context.Replace(EmitJoined(context, parts, axis));
}

absl::Status Pack(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(1, kMaxOpInputs));
  const Shape shape = context.shape(0);
  LINNET_ASSIGN_OR_RETURN(const int axis, context.AxisAttr("axis", 0, shape.rank() + 1));
  std::vector<Emitted> parts;
  for (int i = 0; i < context.num_inputs(); ++i) {
    if (context.shape(i) != shape)
      return Invalid("input {} has shape {}, but input 0 has {}", i, ShapeText(context.shape(i)),
                     ShapeText(shape));
    Extents extents = context.extents(i);
    extents.insert(extents.begin() + axis, 1);
    parts.push_back(EmitReshape(context, extents, context.input(i), fmt::format("element_{}", i)));
  }
  return context.Replace(EmitJoined(context, parts, axis));
}

// Where each part of a concatenation begins.
absl::Status ConcatOffset(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantInputs(2, kMaxOpInputs));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> first, context.ConstantInts(1, "shape"));
  LINNET_ASSIGN_OR_RETURN(const int axis,
                          context.ConstantAxis(0, static_cast<int>(first.size()), "concat_dim"));
  std::vector<Emitted> outputs;
  int64_t position = 0;
  for (int i = 1; i < context.num_inputs(); ++i) {
    LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> dims, context.ConstantInts(i, "shape"));
    if (dims.size() != first.size()) return Invalid("the shapes have different ranks");
    std::vector<int64_t> offset(dims.size(), 0);
    offset[axis] = position;
    if (!CheckedAdd(position, dims[axis], &position)) return Invalid("'shape' is too large");
    const std::string name = fmt::format("offset_{}", i - 1);
    const Output wide = context.AddVector(std::move(offset), name);
    outputs.push_back(EmitCast(context, context.type(i).dtype, wide, name + "/cast"));
  }
  return context.Replace(outputs);
}

absl::Status Tile(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> multiples,
                          context.ConstantInts(1, "multiples"));
  const int rank = context.shape(0).rank();
  if (static_cast<int>(multiples.size()) != rank)
    return Invalid("'multiples' has {} values, want {}", multiples.size(), rank);
  TileAttrs attrs;
  LINNET_ASSIGN_OR_RETURN(attrs.multiples, CheckedShape(multiples));
  if (attrs.multiples == Filled(rank, 1)) return context.Replace(context.input(0));
  return context.Replace(context.Emit(attrs, {context.input(0)}));
}

// Pad, PadV2 (with a value) and MirrorPad (with a mode).
absl::Status Pad(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const Extents extents, AttributeExtents(context, 1, "paddings"));
  const int rank = context.shape(0).rank();
  std::vector<int64_t> paddings;
  for (const Extent& extent : extents) paddings.push_back(context.symbols().Largest(extent));
  LINNET_ASSIGN_OR_RETURN(const Paddings pads, SplitPaddings(paddings, rank));
  PadAttrs attrs{.before = pads.before, .after = pads.after};
  if (context.num_inputs() == 3) {
    LINNET_ASSIGN_OR_RETURN(attrs.value, context.ConstantScalar(2, "constant_values"));
  }
  LINNET_ASSIGN_OR_RETURN(const std::string& mode, context.String("mode", "CONSTANT"));
  if (mode == "REFLECT") {
    attrs.mode = schema::PadMode::Reflect;
  } else if (mode == "SYMMETRIC") {
    attrs.mode = schema::PadMode::Symmetric;
  } else if (mode != "CONSTANT") {
    return Invalid("attr 'mode' is {}, want REFLECT or SYMMETRIC", mode);
  }
  if (pads.before == Filled(rank, 0) && pads.after == Filled(rank, 0))
    return context.Replace(context.input(0));
  OpAttrs varying = attrs;
  for (size_t i = 0; i < extents.size(); ++i)
    if (!extents[i].is_constant())
      varying.Vary(static_cast<int>(i / 2) + (i % 2 == 0 ? 0 : PadAttrs::kAfterSlot), extents[i]);
  return context.Replace(context.Emit(varying, {context.input(0)}));
}

}  // namespace

std::span<const TfOp> JoiningOps() {
  static constexpr TfOp kRows[] = {
      {"Concat", Concat<true>, "Concat", kMayVary | kTakesComplex},
      {"ConcatOffset", ConcatOffset, "constants"},
      {"ConcatV2", Concat<false>, "Concat", kMayVary | kTakesComplex},
      {"MirrorPad", Pad, "Pad; paddings known", kMayVary | kTakesComplex},
      {"Pack", Pack, "Reshape, Concat", kMayVary | kTakesComplex},
      {"Pad", Pad, "Pad; paddings known", kMayVary | kTakesComplex},
      {"PadV2", Pad, "Pad; paddings and value known", kMayVary},
      {"Tile", Tile, "Tile; multiples known", kMayVary | kTakesComplex},
  };
  return kRows;
}

}  // namespace linnet::converter

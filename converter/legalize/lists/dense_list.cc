// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/lists/dense_list.h"

#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/varying.h"
#include "converter/legalize/lists/tensor_list.h"
#include "runtime/ops/gather.h"
#include "runtime/ops/pad.h"
#include "runtime/ops/scatter.h"

namespace linnet::converter {
namespace {

bool IsKnown(const std::optional<std::vector<int64_t>>& shape) {
  return shape && std::ranges::all_of(*shape, [](int64_t dim) { return dim >= 0; });
}

absl::StatusOr<TensorList> WithZeros(LegalizeContext& context, TensorList list,
                                     std::string_view suffix) {
  if (list.rows || !IsKnown(list.element_shape)) return list;
  std::vector<int64_t> dims = {list.most};
  dims.insert(dims.end(), list.element_shape->begin(), list.element_shape->end());
  LINNET_ASSIGN_OR_RETURN(const Shape shape, CheckedShape(dims));
  const Output zero = context.AddScalar(list.dtype, 0.0, fmt::format("{}/zero", suffix));
  LINNET_ASSIGN_OR_RETURN(list.rows, EmitBroadcastTo(context, shape, zero, suffix));
  return list;
}

absl::Status CheckElements(LegalizeContext& context, const TensorList& list) {
  if (!list.rows)
    return Unsupported("an element is read that was never written, and its shape is not known");
  return context.shape(list.rows).rank() > 0 ? absl::OkStatus() : Invalid("the list is empty");
}

// Unimplemented if a write at `indices` might have to make the list longer.
absl::Status WantInside(const LegalizeContext& context, const TensorList& list, Output indices,
                        bool may_grow) {
  constexpr char kRemedy[] = "make the list as large as it can get";
  if (list.most == 0)
    return Unsupported(
        "it writes to a list of no elements, and how far that grows is not known: {}", kRemedy);
  if (!may_grow) return absl::OkStatus();
  const std::optional<int64_t> largest = context.LargestOf(indices);
  if (largest && list.length.is_constant() && *largest < list.most) return absl::OkStatus();
  return Unsupported(
      "it may write behind the {} elements that the list has, and how far that grows is not known: "
      "{}",
      list.most, kRemedy);
}

// `list` with the dimensions of `items` from `first` on as the shape of its elements, and with rows
// of zeros if it had none.
absl::StatusOr<TensorList> OfShape(LegalizeContext& context, TensorList list, Output items,
                                   int first) {
  if (!items.node->HasType(items.index)) return Unsupported("its elements are lists themselves");
  const Shape& shape = context.shape(items);
  if (shape.rank() < first) return Invalid("a scalar has no rows to make elements of");
  const Extents extents = context.extents(items);
  if (!AllConstant(std::span(extents).subspan(static_cast<size_t>(first))))
    return Unsupported("its elements have extents that vary");
  LINNET_ASSIGN_OR_RETURN(
      list.element_shape,
      MergedShape(list.element_shape, std::vector<int64_t>(shape.begin() + first, shape.end())));
  return WithZeros(context, std::move(list), "zeros");
}

}  // namespace

TensorList DenseOfLength(const LegalizeContext& context, TensorList list, const Extent& length) {
  list.is_dense = true;
  list.items.clear();
  list.most = context.symbols().Largest(length);
  list.length = length;
  return list;
}

absl::StatusOr<TensorList> MakeDense(LegalizeContext& context, TensorList list,
                                     std::string_view suffix) {
  if (list.is_dense) return WithZeros(context, std::move(list), suffix);
  const auto count = static_cast<int64_t>(list.items.size());
  Output rows;
  if (std::ranges::any_of(list.items, [](const Output item) { return bool(item); })) {
    LINNET_ASSIGN_OR_RETURN(rows, EmitStack(context, list, Iota(count), std::nullopt, suffix));
    const Shape& shape = context.shape(rows);
    list.element_shape = std::vector<int64_t>(shape.begin() + 1, shape.end());
  }
  list = DenseOfLength(context, std::move(list), count);
  list.rows = rows;
  return WithZeros(context, std::move(list), suffix);
}

absl::StatusOr<TensorList> DenseFromRows(LegalizeContext& context, TensorList list, Output rows) {
  const Extents extents = context.extents(rows);
  if (!AllConstant(std::span(extents).subspan(1)))
    return Unsupported("its elements have extents that vary");
  list = DenseOfLength(context, std::move(list), extents[0]);
  const Shape& shape = context.shape(rows);
  list.element_shape = std::vector<int64_t>(shape.begin() + 1, shape.end());
  const Extent missing = Extent(list.most) - list.length;
  PadAttrs attrs;
  attrs.before = attrs.after = Filled(shape.rank(), 0);
  attrs.after[0] = context.symbols().Largest(missing);
  OpAttrs varying = attrs;
  varying.Vary(PadAttrs::kAfterSlot, missing);
  LINNET_ASSIGN_OR_RETURN(list.rows, context.Emit(varying, {rows}, "rows"));
  return list;
}

Emitted EmitDenseElement(LegalizeContext& context, const TensorList& list, const Emitted& index) {
  LINNET_RETURN_IF_ERROR(CheckElements(context, list));
  return context.Emit(GatherAttrs(), {list.rows, index});
}

absl::StatusOr<TensorList> WithDenseItem(LegalizeContext& context, TensorList list, Output index,
                                         Output item, bool may_grow) {
  LINNET_ASSIGN_OR_RETURN(list, OfShape(context, std::move(list), item, 0));
  LINNET_ASSIGN_OR_RETURN(const Output indices, EmitReshape(context, Shape{1}, index, "index"));
  LINNET_ASSIGN_OR_RETURN(
      const Output items,
      EmitReshape(context, Concatenated({1}, context.shape(item)), item, "item"));
  return WithDenseItems(context, std::move(list), indices, items, may_grow);
}

absl::StatusOr<TensorList> WithDenseItems(LegalizeContext& context, TensorList list, Output indices,
                                          Output items, bool may_grow) {
  LINNET_RETURN_IF_ERROR(WantInside(context, list, indices, may_grow));
  LINNET_ASSIGN_OR_RETURN(list, OfShape(context, std::move(list), items, 1));
  LINNET_RETURN_IF_ERROR(CheckElements(context, list));
  Extents extents = context.extents(indices);
  extents.push_back(1);
  const Emitted positions = EmitReshape(context, extents, indices, "positions");
  LINNET_ASSIGN_OR_RETURN(list.rows, context.Emit(ScatterAttrs{.kind = schema::ScatterKind::Update},
                                                  {list.rows, positions, items}, "rows"));
  return list;
}

Emitted EmitDenseStack(LegalizeContext& context, const TensorList& list, std::string_view suffix) {
  LINNET_RETURN_IF_ERROR(CheckElements(context, list));
  if (!list.length_is_here)
    return Unsupported(
        "it stacks, inside a loop, a list whose length depends on the model's input");
  return EmitFirst(context, list.length, list.rows, suffix);
}

Emitted EmitDenseLength(LegalizeContext& context, const TensorList& list) {
  if (list.length.is_constant())
    return context.AddScalar(DType::kInt32, static_cast<double>(list.length.constant()));
  const Emitted all = EmitDenseStack(context, list, "stack");
  const Emitted shape = EmitShapeOf(context, DType::kInt32, all, "shape");
  const Emitted first = EmitSlice(context, Shape{0}, Shape{1}, shape, "first");
  return EmitReshape(context, Shape{}, first);
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/lists/tensor_list.h"

#include <algorithm>
#include <numeric>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/varying.h"

namespace linnet::converter {
namespace {

using PartialShape = std::optional<std::vector<int64_t>>;

// Zeros for an element that was never written.
Emitted EmitZeros(LegalizeContext& context, const TensorList& list, const PartialShape& wanted,
                  std::string_view suffix) {
  LINNET_ASSIGN_OR_RETURN(const PartialShape shape, MergedShape(list.element_shape, wanted));
  const auto written = std::ranges::find_if(
      list.items, [](const Output item) { return item && item.node->HasType(item.index); });
  Extents extents;
  if (written != list.items.end()) {
    extents = context.extents(*written);
  } else if (shape && std::ranges::all_of(*shape, [](int64_t dim) { return dim >= 0; })) {
    LINNET_RETURN_IF_ERROR(CheckedShape(*shape).status());
    extents.assign(shape->begin(), shape->end());
  } else {
    return Unsupported("an element is read that was never written, and its shape is not known");
  }
  const Output zero = context.AddScalar(list.dtype, 0.0, fmt::format("{}/zero", suffix));
  return EmitBroadcastTo(context, extents, zero, suffix);
}

absl::Status CheckIndex(const TensorList& list, int64_t index) {
  if (index >= 0 && index < static_cast<int64_t>(list.items.size())) return absl::OkStatus();
  return Invalid("index {} is outside a list of {} elements", index, list.items.size());
}

}  // namespace

absl::StatusOr<TensorList> ListOfItems(LegalizeContext& context, int input) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, context.AnyList(input));
  if (!list.is_dense) return list;
  if (!list.length.is_constant() || !list.rows)
    return Unsupported("input {} is a list whose length or indices depend on the model's input",
                       input);
  LINNET_ASSIGN_OR_RETURN(list.items, EmitRows(context, list.rows));
  list.is_dense = false;
  return list;
}

Emitted EmitElement(LegalizeContext& context, const TensorList& list, int64_t i,
                    const PartialShape& shape, std::string_view suffix) {
  LINNET_RETURN_IF_ERROR(CheckIndex(list, i));
  const Output item = list.items[static_cast<size_t>(i)];
  return item ? item : EmitZeros(context, list, shape, suffix);
}

Emitted EmitStack(LegalizeContext& context, const TensorList& list,
                  const std::vector<int64_t>& indices, const PartialShape& shape,
                  std::string_view suffix) {
  if (indices.empty()) {
    LINNET_ASSIGN_OR_RETURN(const Output none, EmitZeros(context, list, shape, "element"));
    LINNET_ASSIGN_OR_RETURN(const Shape rows, CheckedShape(std::vector<int64_t>{0}));
    return EmitBroadcastTo(context, Concatenated(rows, context.shape(none)), none, suffix);
  }
  std::vector<Emitted> parts;
  Output zeros;
  for (const int64_t index : indices) {
    Output part = zeros;
    LINNET_RETURN_IF_ERROR(CheckIndex(list, index));
    if (!zeros || list.items[static_cast<size_t>(index)]) {
      LINNET_ASSIGN_OR_RETURN(
          part, EmitElement(context, list, index, shape, fmt::format("element_{}", index)));
    }
    if (!list.items[static_cast<size_t>(index)]) zeros = part;
    if (!part.node->HasType(part.index)) return Unsupported("its elements are lists themselves");
    if (!parts.empty() && !HasExtents(context, part, context.extents(*parts[0])))
      return Unsupported("elements have shapes {} and {}",
                         context.symbols().Text(context.extents(*parts[0])),
                         context.symbols().Text(context.extents(part)));
    parts.push_back(part);
  }
  Extents rows = context.extents(*parts[0]);
  rows.insert(rows.begin(), 1);
  if (std::ssize(rows) > kMaxRank)
    return Unsupported("the result has rank {}, Linnet's tensors have at most {}", rows.size(),
                       kMaxRank);
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string name = parts.size() == 1 ? std::string(suffix) : fmt::format("row_{}", i);
    parts[i] = EmitReshape(context, rows, parts[i], name);
  }
  return EmitJoined(context, parts, 0, suffix);
}

absl::StatusOr<std::vector<Output>> EmitRows(LegalizeContext& context, Output rows) {
  const Extents extents = context.extents(rows);
  if (extents.empty()) return Invalid("a scalar has no rows to make elements of");
  if (!extents[0].is_constant()) return Unsupported("the number of rows varies");
  const Extents element(extents.begin() + 1, extents.end());
  const Shape stride = Filled(static_cast<int>(extents.size()), 1);
  Extents begin(extents.size()), size = extents;
  size[0] = 1;
  std::vector<Output> items;
  for (int64_t i = 0; i < extents[0].constant(); ++i) {
    begin[0] = i;
    const Emitted row = EmitSlice(context, begin, size, stride, rows, fmt::format("row_{}", i));
    LINNET_ASSIGN_OR_RETURN(items.emplace_back(),
                            EmitReshape(context, element, row, fmt::format("element_{}", i)));
  }
  return items;
}

absl::Status ReplaceByConcat(LegalizeContext& context, const TensorList& list,
                             const PartialShape& shape) {
  std::vector<Output> parts;
  std::vector<int64_t> lengths;
  Output zeros;
  for (size_t i = 0; i < list.items.size(); ++i) {
    Output part = zeros;
    if (!zeros || list.items[i]) {
      LINNET_ASSIGN_OR_RETURN(part, EmitElement(context, list, static_cast<int64_t>(i), shape,
                                                fmt::format("element_{}", i)));
    }
    if (!list.items[i]) zeros = part;
    if (!part.node->HasType(part.index)) return Unsupported("its elements are lists themselves");
    const Extents extents = context.extents(part);
    if (extents.empty()) return Invalid("its elements are scalars");
    if (!extents[0].is_constant())
      return Unsupported("it concatenates elements of {}, whose lengths vary",
                         context.symbols().Text(extents));
    parts.push_back(part);
    lengths.push_back(extents[0].constant());
  }
  if (parts.empty()) return Unsupported("the list is empty");
  const Shape count = {static_cast<int64_t>(lengths.size())};
  const Output rows = context.AddConstant(Constant::Of<int64_t>(count, lengths), "lengths");
  const Emitted all = EmitJoined(context, parts, 0);
  return context.Replace({all, rows});
}

absl::StatusOr<std::vector<Output>> EmitPieces(LegalizeContext& context, Output rows,
                                               const std::vector<int64_t>& lengths) {
  const Shape shape = context.shape(rows);
  if (shape.rank() == 0) return Invalid("a scalar has no rows to split");
  Shape begin = Filled(shape.rank(), 0), size = shape;
  std::vector<Output> pieces;
  for (const int64_t length : lengths) {
    if (length < 0 || length > shape[0] - begin[0])
      return Invalid("'lengths' [{}] for {} rows", fmt::join(lengths, ","), shape[0]);
    size[0] = length;
    LINNET_ASSIGN_OR_RETURN(
        pieces.emplace_back(),
        EmitSlice(context, begin, size, rows, fmt::format("piece_{}", pieces.size())));
    begin[0] += length;
  }
  if (begin[0] != shape[0])
    return Invalid("'lengths' [{}] for {} rows", fmt::join(lengths, ","), shape[0]);
  return pieces;
}

absl::StatusOr<TensorList> WithItem(const LegalizeContext& context, TensorList list, int64_t index,
                                    Output item) {
  if (index >= 0 && index < kMaxListItems && list.may_grow &&
      index >= static_cast<int64_t>(list.items.size()))
    list.items.resize(static_cast<size_t>(index) + 1);
  LINNET_RETURN_IF_ERROR(CheckIndex(list, index));
  if (item.node->HasType(item.index)) {
    const Shape& shape = context.shape(item);
    LINNET_RETURN_IF_ERROR(
        MergedShape(list.element_shape, std::vector<int64_t>(shape.begin(), shape.end())).status());
  }
  list.items[static_cast<size_t>(index)] = item;
  return list;
}

absl::StatusOr<PartialShape> ElementShape(const LegalizeContext& context, int input) {
  LINNET_ASSIGN_OR_RETURN(std::vector<int64_t> dims, context.ConstantInts(input, "element_shape"));
  if (context.shape(input).rank() == 0) return PartialShape();
  return PartialShape(std::move(dims));
}

absl::StatusOr<PartialShape> MergedShape(const PartialShape& a, const PartialShape& b) {
  if (!a || !b) return a ? a : b;
  if (a->size() != b->size())
    return Invalid("the list has elements of shape [{}], not [{}]", fmt::join(*a, ","),
                   fmt::join(*b, ","));
  std::vector<int64_t> merged = *a;
  for (size_t i = 0; i < merged.size(); ++i) {
    if (merged[i] < 0) merged[i] = (*b)[i];
    if ((*b)[i] >= 0 && (*b)[i] != merged[i])
      return Invalid("the list has elements of shape [{}], not [{}]", fmt::join(*a, ","),
                     fmt::join(*b, ","));
  }
  return PartialShape(std::move(merged));
}

std::vector<int64_t> Iota(int64_t count) {
  std::vector<int64_t> indices(static_cast<size_t>(count));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

}  // namespace linnet::converter

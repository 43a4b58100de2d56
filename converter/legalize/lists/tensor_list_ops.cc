// SPDX-License-Identifier: Apache-2.0
// TensorList ops. The loops of Keras layers, map_fn and scan keep the results of all iterations in
// such lists.
#include <algorithm>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/lists/dense_list.h"
#include "converter/legalize/lists/tensor_list.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

absl::StatusOr<DType> ElementType(const LegalizeContext& context) {
  const tf::AttrValue* attr = context.node().FindAttr("element_dtype");
  // For a list of lists this is kInvalid, as its element_dtype is variant.
  return attr == nullptr ? DType::kInvalid : LegalDType(attr->type());
}

absl::StatusOr<int64_t> ItemCount(const LegalizeContext& context, int input, const char* what) {
  LINNET_ASSIGN_OR_RETURN(const int64_t count, context.ConstantInt(input, what));
  if (count < 0 || count > kMaxListItems) return Invalid("'{}' is {}", what, count);
  return count;
}

// An empty list whose element shape is input `shape_input`.
absl::StatusOr<TensorList> NewList(const LegalizeContext& context, int shape_input) {
  TensorList list;
  LINNET_ASSIGN_OR_RETURN(list.dtype, ElementType(context));
  LINNET_ASSIGN_OR_RETURN(list.element_shape, ElementShape(context, shape_input));
  return list;
}

absl::Status EmptyTensorList(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, NewList(context, 0));
  return context.KeepAsList(0, std::move(list));
}

absl::Status ListReserve(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, NewList(context, 0));
  LINNET_ASSIGN_OR_RETURN(const auto extents, context.ExtentValues(1, "num_elements"));
  if (extents.size() == 1 && !extents[0].is_constant())
    return context.KeepAsList(0, DenseOfLength(context, std::move(list), extents[0]));
  LINNET_ASSIGN_OR_RETURN(const int64_t count, ItemCount(context, 1, "num_elements"));
  list.items.resize(static_cast<size_t>(count));
  return context.KeepAsList(0, std::move(list));
}

absl::Status ListFromTensor(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, NewList(context, 1));
  if (context.shape(0).rank() > 0 && !context.extents(0)[0].is_constant()) {
    LINNET_ASSIGN_OR_RETURN(list, DenseFromRows(context, std::move(list), context.input(0)));
    return context.KeepAsList(0, std::move(list));
  }
  LINNET_ASSIGN_OR_RETURN(list.items, EmitRows(context, context.input(0)));
  return context.KeepAsList(0, std::move(list));
}

absl::Status ListPushBack(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, ListOfItems(context, 0));
  const auto count = static_cast<int64_t>(list.items.size());
  list.items.emplace_back();
  LINNET_ASSIGN_OR_RETURN(list, WithItem(context, std::move(list), count, context.input(1)));
  return context.KeepAsList(0, std::move(list));
}

absl::Status ListPopBack(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, ListOfItems(context, 0));
  LINNET_ASSIGN_OR_RETURN(const auto shape, ElementShape(context, 1));
  if (list.items.empty()) return Invalid("the list is empty");
  LINNET_ASSIGN_OR_RETURN(
      const Output last,
      EmitElement(context, list, static_cast<int64_t>(list.items.size()) - 1, shape, "item"));
  list.items.pop_back();
  context.ReplaceOutput(1, last);
  return context.KeepAsList(0, std::move(list));
}

absl::Status ListSetItem(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, context.AnyList(0));
  LINNET_ASSIGN_OR_RETURN(const bool may_grow,
                          context.Bool("resize_if_index_out_of_bounds", false));
  if (list.is_dense || context.FindConstant(1) == nullptr) {
    LINNET_ASSIGN_OR_RETURN(list, MakeDense(context, std::move(list), "rows"));
    LINNET_ASSIGN_OR_RETURN(list, WithDenseItem(context, std::move(list), context.input(1),
                                                context.input(2), may_grow));
    return context.KeepAsList(0, std::move(list));
  }
  LINNET_ASSIGN_OR_RETURN(const int64_t index, context.ConstantInt(1, "index"));
  list.may_grow = may_grow;
  LINNET_ASSIGN_OR_RETURN(list, WithItem(context, std::move(list), index, context.input(2)));
  return context.KeepAsList(0, std::move(list));
}

// Replaces the node by the elements at input 1, an index or indices that need not be constant.
absl::Status GatherDense(LegalizeContext& context, TensorList list,
                         const std::optional<std::vector<int64_t>>& shape) {
  LINNET_ASSIGN_OR_RETURN(list.element_shape, MergedShape(list.element_shape, shape));
  LINNET_ASSIGN_OR_RETURN(list, MakeDense(context, std::move(list), "stack"));
  return context.Replace(EmitDenseElement(context, list, context.input(1)));
}

absl::Status ListGetItem(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, context.AnyList(0));
  LINNET_ASSIGN_OR_RETURN(const auto shape, ElementShape(context, 2));
  if (!list.is_dense && context.FindConstant(1) != nullptr) {
    LINNET_ASSIGN_OR_RETURN(const int64_t index, context.ConstantInt(1, "index"));
    return context.Replace(EmitElement(context, list, index, shape, ""));
  }
  return GatherDense(context, std::move(list), shape);
}

absl::Status ListStack(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, context.AnyList(0));
  LINNET_ASSIGN_OR_RETURN(const auto shape, ElementShape(context, 1));
  if (list.is_dense) {
    LINNET_ASSIGN_OR_RETURN(list.element_shape, MergedShape(list.element_shape, shape));
    LINNET_ASSIGN_OR_RETURN(list, MakeDense(context, std::move(list), "rows"));
    return context.Replace(EmitDenseStack(context, list));
  }
  LINNET_ASSIGN_OR_RETURN(const int64_t wanted, context.Int("num_elements", -1));
  const auto count = static_cast<int64_t>(list.items.size());
  if (wanted >= 0 && wanted != count)
    return Invalid("attr 'num_elements' is {}, but the list has {}", wanted, count);
  return context.Replace(EmitStack(context, list, Iota(count), shape));
}

absl::Status ListGather(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, context.AnyList(0));
  LINNET_ASSIGN_OR_RETURN(const auto shape, ElementShape(context, 2));
  if (list.is_dense || context.FindConstant(1) == nullptr) return GatherDense(context, list, shape);
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> indices, context.ConstantInts(1, "indices"));
  return context.Replace(EmitStack(context, list, indices, shape));
}

// Row i of input `rows` becomes element indices[i].
absl::Status ScatterInto(LegalizeContext& context, TensorList list, int rows,
                         const std::vector<int64_t>& indices) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> items, EmitRows(context, context.input(rows)));
  if (items.size() != indices.size())
    return Invalid("{} indices for {} rows", indices.size(), items.size());
  list.may_grow = true;
  for (size_t i = 0; i < items.size(); ++i) {
    LINNET_ASSIGN_OR_RETURN(list, WithItem(context, std::move(list), indices[i], items[i]));
  }
  list.may_grow = false;
  return context.KeepAsList(0, std::move(list));
}

// TensorListScatter and, with a size, TensorListScatterV2.
absl::Status ListScatter(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> indices, context.ConstantInts(1, "indices"));
  LINNET_ASSIGN_OR_RETURN(TensorList list, NewList(context, 2));
  if (context.num_inputs() == 4) {
    LINNET_ASSIGN_OR_RETURN(const int64_t count, context.ConstantInt(3, "num_elements"));
    if (count > kMaxListItems) return Invalid("'num_elements' is {}", count);
    list.items.resize(static_cast<size_t>(std::max<int64_t>(count, 0)));
  }
  return ScatterInto(context, std::move(list), 0, indices);
}

absl::Status ScatterIntoExistingList(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, ListOfItems(context, 0));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> indices, context.ConstantInts(2, "indices"));
  return ScatterInto(context, std::move(list), 1, indices);
}

absl::Status ListLength(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const TensorList list, context.AnyList(0));
  if (list.is_dense) return context.Replace(EmitDenseLength(context, list));
  return context.Replace(context.AddScalar(DType::kInt32, static_cast<double>(list.items.size())));
}

absl::Status ListElementShape(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const TensorList list, context.AnyList(0));
  LINNET_ASSIGN_OR_RETURN(const DType dtype, context.Type("shape_type", DType::kInt32));
  const Shape shape =
      list.element_shape ? Shape{static_cast<int64_t>(list.element_shape->size())} : Shape{};
  const Output wide = context.AddConstant(
      Constant::Of<int64_t>(shape, list.element_shape.value_or(std::vector<int64_t>{-1})), "shape");
  return context.Replace(EmitCast(context, dtype, wide));
}

absl::Status ListResize(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, ListOfItems(context, 0));
  LINNET_ASSIGN_OR_RETURN(const int64_t count, ItemCount(context, 1, "size"));
  list.items.resize(static_cast<size_t>(count));
  return context.KeepAsList(0, std::move(list));
}

absl::Status ConcatLists(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(TensorList list, ListOfItems(context, 0));
  LINNET_ASSIGN_OR_RETURN(const TensorList more, ListOfItems(context, 1));
  if (list.items.size() + more.items.size() > kMaxListItems)
    return Invalid("the list gets too long");
  LINNET_ASSIGN_OR_RETURN(list.element_shape, MergedShape(list.element_shape, more.element_shape));
  list.items.insert(list.items.end(), more.items.begin(), more.items.end());
  return context.KeepAsList(0, std::move(list));
}

// TensorListConcat and TensorListConcatV2. Input 1 of the latter is the shape of a whole element.
absl::Status ListConcat(LegalizeContext& context) {
  LINNET_ASSIGN_OR_RETURN(const TensorList list, ListOfItems(context, 0));
  std::optional<std::vector<int64_t>> shape;
  if (context.num_inputs() > 1) {
    LINNET_ASSIGN_OR_RETURN(shape, ElementShape(context, 1));
    // Dimension 0 may differ between elements, so only the other dimensions are used.
    if (shape && !shape->empty()) (*shape)[0] = -1;
  }
  return ReplaceByConcat(context, list, shape);
}

absl::Status ListSplit(LegalizeContext& context) {
  TensorList list;
  LINNET_ASSIGN_OR_RETURN(list.dtype, ElementType(context));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, context.ConstantInts(2, "lengths"));
  LINNET_ASSIGN_OR_RETURN(list.items, EmitPieces(context, context.input(0), lengths));
  return context.KeepAsList(0, std::move(list));
}

constexpr char kElements[] = "its elements; indices known";

}  // namespace

std::span<const TfOp> TensorListOps() {
  static constexpr TfOp kRows[] = {
      {"EmptyTensorList", EmptyTensorList, "nothing", kTakesLists},
      {"TensorListConcat", ListConcat, "Concat", kTakesLists},
      {"TensorListConcatLists", ConcatLists, "nothing", kTakesLists},
      {"TensorListConcatV2", ListConcat, "Concat", kTakesLists},
      {"TensorListElementShape", ListElementShape, "a constant", kTakesLists},
      {"TensorListFromTensor", ListFromTensor, "Slice, Reshape; Pad where the length varies",
       kTakesLists | kMayVary},
      {"TensorListGather", ListGather, "Reshape, Concat; Gather where indices are not known",
       kTakesLists},
      {"TensorListGetItem", ListGetItem,
       "the element; Reshape, Concat, Gather where the index is not known", kTakesLists},
      {"TensorListLength", ListLength, "a constant", kTakesLists},
      {"TensorListPopBack", ListPopBack, kElements, kTakesLists},
      {"TensorListPushBack", ListPushBack, kElements, kTakesLists},
      {"TensorListReserve", ListReserve,
       "nothing; BroadcastTo where indices or length are not known", kTakesLists},
      {"TensorListResize", ListResize, "nothing; size known", kTakesLists},
      {"TensorListScatter", ListScatter, "Slice, Reshape; indices known", kTakesLists},
      {"TensorListScatterIntoExistingList", ScatterIntoExistingList,
       "Slice, Reshape; indices known", kTakesLists},
      {"TensorListScatterV2", ListScatter, "Slice, Reshape; indices known", kTakesLists},
      {"TensorListSetItem", ListSetItem, "its elements; Scatter where the index is not known",
       kTakesLists},
      {"TensorListSplit", ListSplit, "Slice; lengths known", kTakesLists},
      {"TensorListStack", ListStack, "Reshape, Concat; Slice where the length varies", kTakesLists},
  };
  return kRows;
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
// TensorArray ops, in which loops of TensorFlow 1 keep the values of all iterations. The content of
// an array belongs to its flow, not to its handle: each write gives a new flow, so the data edges
// between flows say in which order the ops run.
#include <numeric>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "converter/legalize/lists/dense_list.h"
#include "converter/legalize/lists/tensor_list.h"

namespace linnet::converter {
namespace {

// The shape attribute `name`; nullopt where it is absent or the rank is unknown.
std::optional<std::vector<int64_t>> ShapeAttr(const LegalizeContext& context, const char* name) {
  const tf::AttrValue* attr = context.node().FindAttr(name);
  if (attr == nullptr || !attr->has_shape() || attr->shape().unknown_rank()) return std::nullopt;
  std::vector<int64_t> dims;
  for (const auto& dim : attr->shape().dim()) dims.push_back(std::max<int64_t>(dim.size(), -1));
  return dims;
}

// TensorArrayV3. Both of its outputs, the handle and the flow, stand for the list.
absl::Status TensorArray(LegalizeContext& context) {
  TensorList array;
  LINNET_ASSIGN_OR_RETURN(array.dtype, context.Type("dtype", DType::kFloat32));
  array.element_shape = ShapeAttr(context, "element_shape");
  LINNET_ASSIGN_OR_RETURN(const auto extents, context.ExtentValues(0, "size"));
  if (extents.size() == 1 && !extents[0].is_constant()) {
    array = DenseOfLength(context, std::move(array), extents[0]);
  } else {
    LINNET_ASSIGN_OR_RETURN(const int64_t size, context.ConstantInt(0, "size"));
    if (size < 0 || size > kMaxListItems) return Invalid("'size' is {}", size);
    array.items.resize(static_cast<size_t>(size));
    LINNET_ASSIGN_OR_RETURN(array.may_grow, context.Bool("dynamic_size", false));
  }
  LINNET_RETURN_IF_ERROR(context.KeepAsList(0, array));
  return context.KeepAsList(1, std::move(array));
}

absl::Status ArrayWrite(LegalizeContext& context) {  // handle, index, value, flow
  LINNET_ASSIGN_OR_RETURN(TensorList array, context.AnyList(3));
  if (array.is_dense || context.FindConstant(1) == nullptr) {
    const bool may_grow = array.may_grow;
    LINNET_ASSIGN_OR_RETURN(array, MakeDense(context, std::move(array), "rows"));
    LINNET_ASSIGN_OR_RETURN(array, WithDenseItem(context, std::move(array), context.input(1),
                                                 context.input(2), may_grow));
    return context.KeepAsList(0, std::move(array));
  }
  LINNET_ASSIGN_OR_RETURN(const int64_t index, context.ConstantInt(1, "index"));
  LINNET_ASSIGN_OR_RETURN(array, WithItem(context, std::move(array), index, context.input(2)));
  return context.KeepAsList(0, std::move(array));
}

absl::Status ArrayRead(LegalizeContext& context) {  // handle, index, flow
  LINNET_ASSIGN_OR_RETURN(TensorList array, context.AnyList(2));
  if (array.is_dense || context.FindConstant(1) == nullptr) {
    LINNET_ASSIGN_OR_RETURN(array, MakeDense(context, std::move(array), "rows"));
    return context.Replace(EmitDenseElement(context, array, context.input(1)));
  }
  LINNET_ASSIGN_OR_RETURN(const int64_t index, context.ConstantInt(1, "index"));
  return context.Replace(EmitElement(context, array, index, std::nullopt, ""));
}

absl::Status ArrayGather(LegalizeContext& context) {  // handle, indices, flow
  LINNET_ASSIGN_OR_RETURN(TensorList array, context.AnyList(2));
  if (array.is_dense || context.FindConstant(1) == nullptr) {
    LINNET_ASSIGN_OR_RETURN(array, MakeDense(context, std::move(array), "rows"));
    return context.Replace(EmitDenseElement(context, array, context.input(1)));
  }
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> indices, context.ConstantInts(1, "indices"));
  return context.Replace(EmitStack(context, array, indices, ShapeAttr(context, "element_shape")));
}

absl::Status ArrayScatter(LegalizeContext& context) {  // handle, indices, value, flow
  LINNET_ASSIGN_OR_RETURN(TensorList array, context.AnyList(3));
  if (array.is_dense || context.FindConstant(1) == nullptr) {
    const bool may_grow = array.may_grow;
    LINNET_ASSIGN_OR_RETURN(array, MakeDense(context, std::move(array), "rows"));
    LINNET_ASSIGN_OR_RETURN(array, WithDenseItems(context, std::move(array), context.input(1),
                                                  context.input(2), may_grow));
    return context.KeepAsList(0, std::move(array));
  }
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> indices, context.ConstantInts(1, "indices"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> items, EmitRows(context, context.input(2)));
  if (items.size() != indices.size())
    return Invalid("{} indices for {} rows", indices.size(), items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    LINNET_ASSIGN_OR_RETURN(array, WithItem(context, std::move(array), indices[i], items[i]));
  }
  return context.KeepAsList(0, std::move(array));
}

absl::Status ArraySize(LegalizeContext& context) {  // handle, flow
  LINNET_ASSIGN_OR_RETURN(const TensorList array, context.AnyList(1));
  if (array.is_dense) return context.Replace(EmitDenseLength(context, array));
  return context.Replace(context.AddScalar(DType::kInt32, static_cast<double>(array.items.size())));
}

absl::Status ArrayConcat(LegalizeContext& context) {  // handle, flow
  LINNET_ASSIGN_OR_RETURN(const TensorList array, ListOfItems(context, 1));
  return ReplaceByConcat(context, array, std::nullopt);
}

absl::Status ArraySplit(LegalizeContext& context) {  // handle, value, lengths, flow
  LINNET_ASSIGN_OR_RETURN(TensorList array, ListOfItems(context, 3));
  LINNET_ASSIGN_OR_RETURN(const std::vector<int64_t> lengths, context.ConstantInts(2, "lengths"));
  LINNET_ASSIGN_OR_RETURN(const std::vector<Output> pieces,
                          EmitPieces(context, context.input(1), lengths));
  for (size_t i = 0; i < pieces.size(); ++i) {
    LINNET_ASSIGN_OR_RETURN(
        array, WithItem(context, std::move(array), static_cast<int64_t>(i), pieces[i]));
  }
  return context.KeepAsList(0, std::move(array));
}

absl::Status ArrayClose(LegalizeContext& context) { return context.Replace(std::vector<Output>()); }

}  // namespace

std::span<const TfOp> TensorArrayOps() {
  static constexpr TfOp kRows[] = {
      {"TensorArrayCloseV3", ArrayClose, "nothing", kTakesLists},
      {"TensorArrayConcatV3", ArrayConcat, "Concat", kTakesLists},
      {"TensorArrayGatherV3", ArrayGather, "Reshape, Concat; Gather where indices are not known",
       kTakesLists | kMayVary},
      {"TensorArrayReadV3", ArrayRead, "the element; Gather where the index is not known",
       kTakesLists},
      {"TensorArrayScatterV3", ArrayScatter, "Slice, Reshape; Scatter where indices are not known",
       kTakesLists | kMayVary},
      {"TensorArraySizeV3", ArraySize, "a constant", kTakesLists},
      {"TensorArraySplitV3", ArraySplit, "Slice; lengths known", kTakesLists},
      {"TensorArrayV3", TensorArray, "nothing; BroadcastTo where indices or size are not known",
       kTakesLists},
      {"TensorArrayWriteV3", ArrayWrite, "its elements; Scatter where the index is not known",
       kTakesLists},
  };
  return kRows;
}

}  // namespace linnet::converter

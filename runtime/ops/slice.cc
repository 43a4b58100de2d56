// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/slice.h"

#include <algorithm>
#include <limits>

#include "runtime/ops/shape_attr.h"

namespace linnet {

Status Decode(const schema::SliceAttrs& table, SliceAttrs* attrs) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  if (!ShapeFromAttr(table.begin(), 0, kMax, &attrs->begin) ||
      !ShapeFromAttr(table.size(), 0, kMax, &attrs->size) ||
      !ShapeFromAttr(table.stride(), -kMax, kMax, &attrs->stride))
    return {StatusCode::kInvalidPlan, "Slice: begin and size must be >= 0, at most 8 numbers"};
  if (table.stride() == nullptr)
    for (int i = 0; i < attrs->begin.rank(); ++i) attrs->stride.Append(1);
  if (attrs->begin.rank() != attrs->size.rank() || attrs->begin.rank() != attrs->stride.rank())
    return {StatusCode::kInvalidPlan, "Slice: begin, size and stride must be of one length"};
  if (std::find(attrs->stride.begin(), attrs->stride.end(), 0) != attrs->stride.end())
    return {StatusCode::kInvalidPlan, "Slice: stride must not be 0"};
  return {};
}

flatbuffers::Offset<schema::SliceAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const SliceAttrs& attrs) {
  const auto begin = ShapeToAttr<int64_t>(fbb, attrs.begin);
  const auto size = ShapeToAttr<int64_t>(fbb, attrs.size);
  const auto stride = ShapeToAttr<int64_t>(fbb, attrs.stride);
  return schema::CreateSliceAttrs(fbb, begin, size, stride);
}

namespace {

// True when the `size` positions begin, begin + stride, ... are all in [0, dim).
bool StaysInside(int64_t begin, int64_t size, int64_t stride, int64_t dim) {
  if (size == 0) return begin <= dim;
  int64_t last;
  return begin < dim && CheckedMul(size - 1, stride, &last) && CheckedAdd(begin, last, &last) &&
         last >= 0 && last < dim;
}

Status InferSlice(const OpInstance& op, TensorType* outputs) {
  const auto& attrs = op.as<SliceAttrs>();
  const TensorType& input = op.input(0);
  if (attrs.begin.rank() != input.shape.rank())
    return {StatusCode::kInvalidPlan, "Slice: wants one begin, size and stride per dimension"};
  for (int i = 0; i < input.shape.rank(); ++i) {
    if (!StaysInside(attrs.begin[i], attrs.size[i], attrs.stride[i], input.shape[i]))
      return {StatusCode::kInvalidPlan, "Slice: leaves the input"};
  }
  outputs[0] = {input.dtype, attrs.size};
  return {};
}

bool SetExtent(void* attrs, int slot, int64_t value) {
  auto* slice = static_cast<SliceAttrs*>(attrs);
  if (slot < SliceAttrs::kBeginSlot) return SetShapeExtent(&slice->size, slot, value);
  return SetShapeExtent(&slice->begin, slot - SliceAttrs::kBeginSlot, value);
}

}  // namespace

const OpDef kSliceOp = MakeOpDef<SliceAttrs>({.name = "Slice",
                                              .min_inputs = 1,
                                              .max_inputs = 1,
                                              .num_outputs = 1,
                                              .traits = kMovesElements,
                                              .infer = InferSlice,
                                              .cost = NoCost,
                                              .set_extent = SetExtent});

}  // namespace linnet

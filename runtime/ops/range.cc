// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/range.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace linnet {

Status Decode(const schema::RangeAttrs&, RangeAttrs* attrs) {
  *attrs = {};
  return {};
}

flatbuffers::Offset<schema::RangeAttrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
                                               const RangeAttrs&) {
  return schema::CreateRangeAttrs(fbb);
}

namespace {

// Number of elements of start, start + delta, ... before limit.
template <typename T>
Status Count(const OpInstance& op, int64_t* count) {
  T start, limit, delta;
  std::memcpy(&start, op.inputs[0].value, sizeof(T));
  std::memcpy(&limit, op.inputs[1].value, sizeof(T));
  std::memcpy(&delta, op.inputs[2].value, sizeof(T));
  // Written so that NaN fails.
  if (!(delta > 0 ? start <= limit : delta < 0 && start >= limit))
    return {StatusCode::kInvalidPlan, "Range: delta must not be 0 and lead towards limit"};
  if constexpr (std::is_floating_point_v<T>) {
    const T size = std::ceil(std::abs((limit - start) / delta));  // in T, as TensorFlow does
    if (!(size < T{1LL << 40})) return {StatusCode::kInvalidPlan, "Range: too many elements"};
    *count = static_cast<int64_t>(size);
  } else {
    // The distance of two int64_t, and -delta, may not fit in int64_t.
    const bool up = delta > 0;
    const uint64_t first = static_cast<uint64_t>(int64_t{start});
    const uint64_t last = static_cast<uint64_t>(int64_t{limit});
    const uint64_t step = static_cast<uint64_t>(int64_t{delta});
    const uint64_t distance = up ? last - first : first - last;
    const uint64_t stride = up ? step : uint64_t{0} - step;
    const uint64_t size = distance / stride + (distance % stride != 0);
    if (size >= uint64_t{1} << 40) return {StatusCode::kInvalidPlan, "Range: too many elements"};
    *count = static_cast<int64_t>(size);
  }
  return {};
}

Status InferRange(const OpInstance& op, TensorType* outputs) {
  const DType dtype = op.input(0).dtype;
  for (const InputInfo& input : op.inputs) {
    if (input.type.dtype != dtype || input.type.shape.rank() != 0)
      return {StatusCode::kInvalidPlan, "Range: inputs must be scalars of one dtype"};
    if (input.value == nullptr)
      return {StatusCode::kInvalidPlan, "Range: inputs must be constants"};
  }
  int64_t count = 0;
  if (dtype == DType::kFloat32)
    LINNET_RETURN_IF_ERROR(Count<float>(op, &count));
  else if (dtype == DType::kInt32)
    LINNET_RETURN_IF_ERROR(Count<int32_t>(op, &count));
  else if (dtype == DType::kInt64)
    LINNET_RETURN_IF_ERROR(Count<int64_t>(op, &count));
  else
    return {StatusCode::kInvalidPlan, "Range: want f32, i32 or i64"};
  outputs[0] = {dtype, {count}};
  return {};
}

}  // namespace

const OpDef kRangeOp = MakeOpDef<RangeAttrs>({.name = "Range",
                                              .min_inputs = 3,
                                              .max_inputs = 3,
                                              .num_outputs = 1,
                                              .traits = kNoTraits,
                                              .infer = InferRange,
                                              .cost = NoCost});

}  // namespace linnet

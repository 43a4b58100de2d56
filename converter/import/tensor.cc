// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/import/raw_graph.h"
#include "fmt/format.h"
#include "runtime/core/unaligned.h"

namespace linnet::converter {
namespace {

// Writes `values` as `count` elements of type T: the last value is repeated, surplus values are
// ignored, an empty list leaves zeros.
template <typename T, typename List>
void Expand(const List& values, int64_t count, void* data) {
  auto* out = static_cast<T*>(data);
  const auto given = std::min<int64_t>(values.size(), count);
  for (int i = 0; i < given; ++i) out[i] = static_cast<T>(values.Get(i));
  if (given > 0) std::fill(out + given, out + count, out[given - 1]);
}

void ExpandValues(const tf::TensorProto& proto, DType dtype, int64_t count, void* data) {
  switch (dtype) {
    case DType::kFloat32:
      return Expand<float>(proto.float_val(), count, data);
    case DType::kFloat64:
      return Expand<double>(proto.double_val(), count, data);
    case DType::kFloat16:  // bits
      return Expand<uint16_t>(proto.half_val(), count, data);
    case DType::kInt32:
      return Expand<int32_t>(proto.int_val(), count, data);
    case DType::kInt64:
      return Expand<int64_t>(proto.int64_val(), count, data);
    case DType::kUint8:
      return Expand<uint8_t>(proto.int_val(), count, data);
    case DType::kInt8:
      return Expand<int8_t>(proto.int_val(), count, data);
    case DType::kInt16:
      return Expand<int16_t>(proto.int_val(), count, data);
    case DType::kUint16:
      return Expand<uint16_t>(proto.int_val(), count, data);
    case DType::kBool:
      return Expand<uint8_t>(proto.bool_val(), count, data);
    case DType::kInvalid:
      break;  // ConstantFromTensor keeps the message of those
  }
}

// Kernels rely on bools being 0 or 1, but the bytes in a file may be anything. Without such bytes
// there is no copy.
void NormalizeBools(Constant* value) {
  if (std::ranges::all_of(value->bytes, [](std::byte b) { return b <= std::byte{1}; })) return;
  void* data = nullptr;
  Constant fixed = Constant::Allocate(value->type, &data);
  std::ranges::transform(value->bytes, static_cast<std::byte*>(data),
                         [](std::byte b) { return std::min(b, std::byte{1}); });
  *value = std::move(fixed);
}

// A bfloat16 is the upper half of a float.
Constant Widened(const Constant& halves) {
  void* data = nullptr;
  Constant floats = Constant::Allocate({DType::kFloat32, halves.type.shape}, &data);
  auto* bits = static_cast<uint32_t*>(data);
  for (int64_t i = 0; i < halves.type.shape.num_elements(); ++i)
    bits[i] = uint32_t{LoadElement<uint16_t>(halves.bytes.data(), i)} << 16;
  return floats;
}

// The tensor_content, which moves out of the message if it is there.
OwnedBytes TakeContent(RawTensor* tensor) {
  if (tensor->content.has_value()) return *tensor->content;
  auto kept =
      std::make_shared<const std::string>(std::move(*tensor->proto.mutable_tensor_content()));
  return {std::as_bytes(std::span(*kept)), kept};
}

// The value with elements as they are stored, which `stored` says.
absl::StatusOr<Constant> ReadConstant(RawTensor tensor, DType stored, int64_t* constant_room) {
  const tf::TensorProto& proto = tensor.proto;
  Constant value;
  value.type.dtype = stored;
  const std::optional<Shape> shape = StaticShape(proto.tensor_shape());
  if (shape.has_value()) value.type.shape = *shape;
  const bool has_content = tensor.content.has_value() || !proto.tensor_content().empty();
  if (has_content) {
    OwnedBytes content = TakeContent(&tensor);
    value.bytes = content.bytes;
    value.owner = std::move(content.owner);
  }
  if (value.type.dtype == DType::kInvalid) return value;
  const std::string type_text = DataTypeString(proto.dtype()) + ShapeString(proto.tensor_shape());
  if (!shape.has_value())
    return absl::InvalidArgumentError(
        fmt::format("the shape of the value, {}, is not known, too big or of rank above {}",
                    type_text, kMaxRank));
  int64_t bytes = 0;
  if (!CheckedMul(shape->num_elements(), DTypeBytes(value.type.dtype), &bytes))
    return absl::InvalidArgumentError(fmt::format("a value of type {} is too big", type_text));
  if (has_content) {
    if (std::ssize(value.bytes) != bytes)
      return absl::InvalidArgumentError(fmt::format("tensor_content has {} bytes, want {} for {}",
                                                    value.bytes.size(), bytes, type_text));
    if (value.type.dtype == DType::kBool) NormalizeBools(&value);
    return value;
  }
  if (bytes > *constant_room)
    return absl::ResourceExhaustedError(
        fmt::format("a value of type {} is written as a few elements and would need {} bytes",
                    type_text, bytes));
  *constant_room -= bytes;
  void* data = nullptr;
  value = Constant::Allocate(value.type, &data);
  ExpandValues(proto, value.type.dtype, shape->num_elements(), data);
  return value;
}

}  // namespace

absl::StatusOr<Constant> ConstantFromTensor(RawTensor tensor, int64_t* constant_room) {
  const tf::DataType type = BaseType(tensor.proto.dtype());
  if (type != tf::DT_BFLOAT16) return ReadConstant(std::move(tensor), ToDType(type), constant_room);
  // Stored in the fields of halves.
  absl::StatusOr<Constant> halves = ReadConstant(std::move(tensor), DType::kFloat16, constant_room);
  if (!halves.ok()) return halves;
  return Widened(*halves);
}

}  // namespace linnet::converter

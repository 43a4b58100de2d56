// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/import/raw_graph.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// `values`, of which the last is repeated and those too many are left out, as `count` elements of
// type T. An empty list leaves zeros.
template <typename T, typename List>
absl::Status Expand(const List& values, int64_t count, void* data) {
  auto* out = static_cast<T*>(data);
  const auto given = std::min<int64_t>(values.size(), count);
  for (int i = 0; i < given; ++i) out[i] = static_cast<T>(values.Get(i));
  if (given > 0) std::fill(out + given, out + count, out[given - 1]);
  return absl::OkStatus();
}

absl::Status ExpandValues(const tf::TensorProto& proto, DType dtype, int64_t count, void* data) {
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
      break;
  }
  return absl::InternalError("no such element type");
}

// Bytes of a bool tensor may be anything; kernels count on 0 and 1. Files that we trust need no
// copy.
void NormalizeBools(Constant* value) {
  const auto bad = [](std::byte b) { return b > std::byte{1}; };
  if (std::none_of(value->bytes.begin(), value->bytes.end(), bad)) return;
  void* data = nullptr;
  Constant fixed = Constant::Allocate(value->type, &data);
  std::transform(value->bytes.begin(), value->bytes.end(), static_cast<std::byte*>(data),
                 [](std::byte b) { return b == std::byte{0} ? b : std::byte{1}; });
  *value = std::move(fixed);
}

// Content inside the message itself moves into memory of its own.
OwnedBytes TakeContent(RawTensor* tensor) {
  if (tensor->content.has_value()) return *tensor->content;
  auto kept =
      std::make_shared<const std::string>(std::move(*tensor->proto.mutable_tensor_content()));
  return {std::as_bytes(std::span(*kept)), kept};
}

}  // namespace

absl::StatusOr<Constant> ConstantFromTensor(RawTensor tensor, ExpansionBudget* budget) {
  const tf::TensorProto& proto = tensor.proto;
  Constant value;
  value.type.dtype = ToDType(proto.dtype());
  const std::optional<Shape> shape = StaticShape(proto.tensor_shape());
  const bool has_content = tensor.content.has_value() || !proto.tensor_content().empty();
  if (value.type.dtype == DType::kInvalid) {
    if (shape.has_value()) value.type.shape = *shape;
    if (!has_content) return value;
    OwnedBytes content = TakeContent(&tensor);
    value.bytes = content.bytes;
    value.owner = std::move(content.owner);
    return value;
  }
  const std::string type_text = DataTypeString(proto.dtype()) + ShapeString(proto.tensor_shape());
  if (!shape.has_value())
    return absl::InvalidArgumentError(
        fmt::format("the shape of the value, {}, is not known, too big or of rank above {}",
                    type_text, kMaxRank));
  value.type.shape = *shape;
  int64_t bytes = 0;
  if (!CheckedMul(shape->num_elements(), DTypeBytes(value.type.dtype), &bytes))
    return absl::InvalidArgumentError(fmt::format("a value of type {} is too big", type_text));
  if (has_content) {
    OwnedBytes content = TakeContent(&tensor);
    if (static_cast<int64_t>(content.bytes.size()) != bytes)
      return absl::InvalidArgumentError(fmt::format("tensor_content has {} bytes, want {} for {}",
                                                    content.bytes.size(), bytes, type_text));
    value.bytes = content.bytes;
    value.owner = std::move(content.owner);
    if (value.type.dtype == DType::kBool) NormalizeBools(&value);
    return value;
  }
  if (bytes > budget->bytes_left)
    return absl::ResourceExhaustedError(
        fmt::format("a value of type {} is written as a few elements and would need {} bytes",
                    type_text, bytes));
  budget->bytes_left -= bytes;
  void* data = nullptr;
  value = Constant::Allocate(value.type, &data);
  if (absl::Status s = ExpandValues(proto, value.type.dtype, shape->num_elements(), data); !s.ok())
    return s;
  return value;
}

}  // namespace linnet::converter

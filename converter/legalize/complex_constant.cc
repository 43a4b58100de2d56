// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/complex_constant.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

absl::StatusOr<TensorType> TypeOfPairs(const std::optional<Shape>& numbers) {
  if (!numbers)
    return absl::InvalidArgumentError("the shape of the complex value is not known or too big");
  if (numbers->rank() >= kMaxRank)
    return absl::UnimplementedError(
        fmt::format("complex numbers of rank {}, want less than {}", kMaxRank, kMaxRank));
  TensorType type{DType::kFloat32, *numbers};
  type.shape.Append(2);
  int64_t bytes = 0;
  if (!CheckedMul(numbers->num_elements(), int64_t{2} * DTypeBytes(DType::kFloat64), &bytes))
    return absl::InvalidArgumentError("the complex value is too big");
  return type;
}

// Pairs whose bytes the model has: of floats as they are, of doubles rounded.
absl::StatusOr<Constant> FromContent(const TensorType& type, bool is_double, Constant content) {
  const int64_t width = is_double ? sizeof(double) : sizeof(float);
  const int64_t want = type.shape.num_elements() * width;
  if (std::ssize(content.bytes) != want)
    return absl::InvalidArgumentError(
        fmt::format("the complex value has {} bytes, want {}", content.bytes.size(), want));
  content.type = type;
  if (!is_double) return content;
  void* data = nullptr;
  Constant rounded = Constant::Allocate(type, &data);
  auto* out = static_cast<float*>(data);
  for (int64_t i = 0; i < type.shape.num_elements(); ++i) {
    double value = 0;
    std::memcpy(&value, content.bytes.data() + i * width, sizeof(value));
    out[i] = static_cast<float>(value);
  }
  return rounded;
}

// Pairs from a list that may be shorter: the last pair is repeated, and no pair stands for zeros.
template <typename List>
Constant FromList(const TensorType& type, const List& given) {
  void* data = nullptr;
  Constant pairs = Constant::Allocate(type, &data);
  auto* out = static_cast<float*>(data);
  const int64_t count = type.shape.num_elements();
  const int64_t first = std::min<int64_t>(given.size() / 2 * 2, count);
  for (int i = 0; i < first; ++i) out[i] = static_cast<float>(given.Get(i));
  for (int64_t i = std::max<int64_t>(first, 2); first > 0 && i < count; ++i) out[i] = out[i - 2];
  return pairs;
}

}  // namespace

bool IsComplexConstant(const Node& node) {
  return node.IsConstant() && !node.HasType(0) && IsComplex(node.tf_output_type(0));
}

absl::StatusOr<Constant> PairsOf(const Node& node, int64_t* constant_room) {
  const bool is_double = node.tf_output_type(0) == tf::DT_COMPLEX128;
  const tf::AttrValue* attr = node.FindAttr("value");
  const bool has_message = attr != nullptr && attr->value_case() == tf::AttrValue::kTensor;
  // Long contents are views of the model's file, beside the message.
  if (!has_message || !node.constant().bytes.empty()) {
    absl::StatusOr<TensorType> type = TypeOfPairs(node.constant().type.shape);
    if (!type.ok()) return type.status();
    return FromContent(*type, is_double, node.constant());
  }
  const tf::TensorProto& proto = attr->tensor();
  absl::StatusOr<TensorType> type = TypeOfPairs(StaticShape(proto.tensor_shape()));
  if (!type.ok()) return type.status();
  if (!proto.tensor_content().empty()) {
    const auto kept = std::make_shared<const std::string>(proto.tensor_content());
    Constant content;
    content.bytes = std::as_bytes(std::span(*kept));
    content.owner = kept;
    return FromContent(*type, is_double, std::move(content));
  }
  if (constant_room != nullptr && type->bytes() > *constant_room)
    return absl::ResourceExhaustedError(fmt::format(
        "the complex value is written as a few elements and would need {} bytes", type->bytes()));
  if (constant_room != nullptr) *constant_room -= type->bytes();
  return is_double ? FromList(*type, proto.dcomplex_val()) : FromList(*type, proto.scomplex_val());
}

}  // namespace linnet::converter

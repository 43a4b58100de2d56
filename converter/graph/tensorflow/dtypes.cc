// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/dtypes.h"

#include "fmt/format.h"

namespace linnet::converter {
namespace {

struct Row {
  tf::DataType type;
  const char* name;
  DType dtype;
};

// A quantised type becomes the integer type that stores it; ops on it carry its range in tensors of
// their own. A bfloat16 becomes the float whose upper half it is.
constexpr Row kRows[] = {
    {tf::DT_INVALID, "INVALID", DType::kInvalid},
    {tf::DT_FLOAT, "float", DType::kFloat32},
    {tf::DT_DOUBLE, "double", DType::kFloat64},
    {tf::DT_INT32, "int32", DType::kInt32},
    {tf::DT_UINT8, "uint8", DType::kUint8},
    {tf::DT_INT16, "int16", DType::kInt16},
    {tf::DT_INT8, "int8", DType::kInt8},
    {tf::DT_STRING, "string", DType::kInvalid},
    {tf::DT_COMPLEX64, "complex64", DType::kInvalid},
    {tf::DT_INT64, "int64", DType::kInt64},
    {tf::DT_BOOL, "bool", DType::kBool},
    {tf::DT_QINT8, "qint8", DType::kInt8},
    {tf::DT_QUINT8, "quint8", DType::kUint8},
    {tf::DT_QINT32, "qint32", DType::kInt32},
    {tf::DT_BFLOAT16, "bfloat16", DType::kFloat32},
    {tf::DT_QINT16, "qint16", DType::kInt16},
    {tf::DT_QUINT16, "quint16", DType::kUint16},
    {tf::DT_UINT16, "uint16", DType::kUint16},
    {tf::DT_COMPLEX128, "complex128", DType::kInvalid},
    {tf::DT_HALF, "half", DType::kFloat16},
    {tf::DT_RESOURCE, "resource", DType::kInvalid},
    {tf::DT_VARIANT, "variant", DType::kInvalid},
    {tf::DT_UINT32, "uint32", DType::kInvalid},
    {tf::DT_UINT64, "uint64", DType::kInvalid},
    {tf::DT_FLOAT8_E5M2, "float8_e5m2", DType::kInvalid},
    {tf::DT_FLOAT8_E4M3FN, "float8_e4m3fn", DType::kInvalid},
    {tf::DT_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", DType::kInvalid},
    {tf::DT_FLOAT8_E4M3B11FNUZ, "float8_e4m3b11fnuz", DType::kInvalid},
    {tf::DT_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", DType::kInvalid},
    {tf::DT_INT4, "int4", DType::kInvalid},
    {tf::DT_UINT4, "uint4", DType::kInvalid},
    {tf::DT_INT2, "int2", DType::kInvalid},
    {tf::DT_UINT2, "uint2", DType::kInvalid},
    {tf::DT_FLOAT4_E2M1FN, "float4_e2m1fn", DType::kInvalid},
};
static_assert(std::size(kRows) == tf::DT_FLOAT4_E2M1FN + 1);

bool IsQuantized(tf::DataType type) {
  return type == tf::DT_QINT8 || type == tf::DT_QUINT8 || type == tf::DT_QINT32 ||
         type == tf::DT_QINT16 || type == tf::DT_QUINT16;
}

const Row* Find(tf::DataType type) {
  const auto index = static_cast<size_t>(BaseType(type));
  return index < std::size(kRows) ? &kRows[index] : nullptr;
}

}  // namespace

DType ToDType(tf::DataType type) {
  const Row* row = Find(type);
  return row == nullptr ? DType::kInvalid : row->dtype;
}

int64_t StoredBytes(tf::DataType type) {
  return BaseType(type) == tf::DT_BFLOAT16 ? 2 : DTypeBytes(ToDType(type));
}

tf::DataType ToDataType(DType dtype) {
  for (const Row& row : kRows)
    if (row.dtype == dtype && !IsQuantized(row.type)) return row.type;
  return tf::DT_INVALID;
}

std::string DataTypeString(tf::DataType type) {
  const Row* row = Find(type);
  if (row == nullptr) return fmt::format("unknown dtype enum ({})", static_cast<int>(type));
  return IsRefType(type) ? fmt::format("{}_ref", row->name) : row->name;
}

tf::DataType DataTypeFromString(std::string_view text) {
  tf::DataType type = tf::DT_INVALID;
  if (text.starts_with("DT_"))
    return tf::DataType_Parse(std::string(text), &type) ? type : tf::DT_INVALID;
  const bool ref = text.ends_with("_ref");
  if (ref) text.remove_suffix(4);
  for (const Row& row : kRows)
    if (text == row.name) return ref ? RefType(row.type) : row.type;
  return tf::DT_INVALID;
}

std::optional<Shape> StaticShape(const tf::TensorShapeProto& proto) {
  if (proto.unknown_rank() || proto.dim_size() > kMaxRank) return std::nullopt;
  Shape shape;
  for (const auto& dim : proto.dim()) shape.Append(dim.size());
  int64_t elements = 0;
  if (!shape.NumElementsChecked(&elements)) return std::nullopt;
  return shape;
}

tf::TensorShapeProto ToShapeProto(const Shape& shape) {
  tf::TensorShapeProto proto;
  for (int64_t dim : shape) proto.add_dim()->set_size(dim);
  return proto;
}

std::string ShapeString(const tf::TensorShapeProto& shape) {
  if (shape.unknown_rank()) return "<unknown>";
  std::string text = "[";
  for (int i = 0; i < shape.dim_size(); ++i) {
    if (i > 0) text += ',';
    text += shape.dim(i).size() < 0 ? "?" : std::to_string(shape.dim(i).size());
  }
  return text + "]";
}

}  // namespace linnet::converter

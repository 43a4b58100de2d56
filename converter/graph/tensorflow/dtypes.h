// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/shape.h"
#include "schema/tensorflow/tensor_shape.pb.h"
#include "schema/tensorflow/types.pb.h"

namespace linnet::converter {

// TensorFlow's element types and shapes against ours.
DType ToDType(tf::DataType type);  // kInvalid where we have none (string, complex, bfloat16...);
                                   // refs count as their base
tf::DataType ToDataType(DType dtype);  // DT_INVALID for kInvalid
// "float", "int32", "float_ref", ...: TensorFlow's DataTypeString; "unknown dtype enum (N)"
// otherwise.
std::string DataTypeString(tf::DataType type);
// The inverse, also of "DT_FLOAT"; DT_INVALID when unknown.
tf::DataType DataTypeFromString(std::string_view text);
// Bytes of one element, 0 where TensorFlow has no fixed size.
int DataTypeSize(tf::DataType type);

constexpr bool IsComplex(tf::DataType type) {
  return type == tf::DT_COMPLEX64 || type == tf::DT_COMPLEX128;
}
constexpr bool IsRefType(tf::DataType type) { return type > 100; }
constexpr tf::DataType BaseType(tf::DataType type) {
  return IsRefType(type) ? static_cast<tf::DataType>(type - 100) : type;
}
constexpr tf::DataType RefType(tf::DataType type) { return static_cast<tf::DataType>(type + 100); }
// May a tensor of type `actual` be read where `expected` is written? (A ref may be read as a
// value.)
constexpr bool TypesCompatible(tf::DataType expected, tf::DataType actual) {
  return expected == actual || expected == BaseType(actual);
}

// The shape when every dim is known, rank <= kMaxRank and the element count fits.
std::optional<Shape> StaticShape(const tf::TensorShapeProto& shape);
tf::TensorShapeProto ToShapeProto(const Shape& shape);
// "[1,?,3]", "<unknown>".
std::string ShapeString(const tf::TensorShapeProto& shape);

}  // namespace linnet::converter

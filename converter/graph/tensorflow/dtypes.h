// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "runtime/core/shape.h"
#include "schema/tensorflow/tensor_shape.pb.h"
#include "schema/tensorflow/types.pb.h"

namespace linnet::converter {

// Conversions between the element types and shapes of TensorFlow and those of Linnet.

// kInvalid where Linnet has no such type (string, complex, uint32, ...). A reference type gives
// the type that it refers to.
DType ToDType(tf::DataType type);
// How many bytes an element takes in TensorFlow's files. REQUIRES: ToDType(type) is valid.
int64_t StoredBytes(tf::DataType type);
tf::DataType ToDataType(DType dtype);  // DT_INVALID for kInvalid
// "float", "int32", "float_ref", ...: TensorFlow's DataTypeString; "unknown dtype enum (N)" for
// values that are no type.
std::string DataTypeString(tf::DataType type);
// The inverse, also of "DT_FLOAT"; DT_INVALID when unknown.
tf::DataType DataTypeFromString(std::string_view text);

constexpr bool IsComplex(tf::DataType type) {
  return type == tf::DT_COMPLEX64 || type == tf::DT_COMPLEX128;
}
constexpr bool IsRefType(tf::DataType type) { return type > 100; }
constexpr tf::DataType BaseType(tf::DataType type) {
  return IsRefType(type) ? static_cast<tf::DataType>(type - 100) : type;
}
constexpr tf::DataType RefType(tf::DataType type) { return static_cast<tf::DataType>(type + 100); }
// Whether a tensor of type `actual` may be read where `expected` is wanted: a reference may be read
// as a value.
constexpr bool TypesCompatible(tf::DataType expected, tf::DataType actual) {
  return expected == actual || expected == BaseType(actual);
}

// nullopt unless every dimension is known, the rank is at most kMaxRank and the number of elements
// is at most kMaxShapeElements.
std::optional<Shape> StaticShape(const tf::TensorShapeProto& shape);
tf::TensorShapeProto ToShapeProto(const Shape& shape);
// "[1,?,3]", "<unknown>".
std::string ShapeString(const tf::TensorShapeProto& shape);

}  // namespace linnet::converter

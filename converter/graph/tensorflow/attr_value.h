// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "schema/tensorflow/op_def.pb.h"

namespace linnet::converter {

// "text", with \" \\ and \ooo (octal) for what is not printable ASCII.
std::string Quoted(std::string_view bytes);

// An attribute's value in TensorFlow's short form: 3, true, "SAME", DT_FLOAT, [1, 2], [1,?,3],
// F[T=DT_FLOAT].
std::string SummarizeAttrValue(const tf::AttrValue& value);

// Checks that `value` is of the OpDef type `type` ("int", "list(shape)", ...). InvalidArgument
// "AttrValue had value with type 'int' when 'type' expected", "AttrValue had value with unexpected
// type 'placeholder'", "AttrValue missing value with expected type 'int'".
absl::Status AttrValueHasType(const tf::AttrValue& value, std::string_view type);

// InvalidArgument "Shape [2,-3] has dimensions with values below -1 (where -1 means unknown)".
absl::Status CheckShape(const tf::TensorShapeProto& shape);

// Checks the type, the minimum and the allowed values that `attr` asks for. InvalidArgument "Value
// for attr 'T' of string is not in the list of allowed values: float, int64", "... must be at least
// minimum 1".
absl::Status ValidateAttrValue(const tf::AttrValue& value, const tf::OpDef::AttrDef& attr);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "converter/graph/op_attrs.h"

namespace linnet::converter {

// Attributes of a Linnet op as FlatBuffers JSON of its table in ops.fbs, keys and enums without
// quotes: "{stride_h: 2, range: {min: 0, max: 6}}". Fields at their default are left out; "" when
// all are.
std::string AttrsToText(const OpAttrs& attrs);

// The inverse; also takes quoted keys. InvalidArgument with FlatBuffers' or the op's own reason.
absl::StatusOr<OpAttrs> AttrsFromText(OpKind kind, const std::string& json);

}  // namespace linnet::converter

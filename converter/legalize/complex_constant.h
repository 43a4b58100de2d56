// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"

namespace linnet::converter {

// Is `node` a Const of complex numbers, as the import left it?
bool IsComplexConstant(const Node& node);

// Its value as pairs of floats (context/complex_pairs.h); those of complex128 are rounded. Bytes
// that the model does not spell out are taken from *constant_room (see PassContext), unless it is
// nullptr. InvalidArgument where the value is damaged, Unimplemented for too many dimensions,
// ResourceExhausted without room.
absl::StatusOr<Constant> PairsOf(const Node& node, int64_t* constant_room);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tests/fuzz/structure/random.h"

namespace linnet::fuzz {

// The encoded attributes of an op with one or several fields changed, added or removed. `op` is a
// row of op_list.def. Attributes that are no valid table of that op are treated as having no
// fields. `shape` is that of a tensor that the step reads; vectors of numbers are made from it.
std::vector<uint8_t> MutateAttrs(uint16_t op, std::span<const uint8_t> attrs,
                                 std::span<const int64_t> shape, Random& random);

// Attributes of an op for which only `kind`, its first field, matters.
std::vector<uint8_t> AttrsOfKind(uint8_t kind);

}  // namespace linnet::fuzz

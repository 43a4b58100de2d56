// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tests/fuzz/structure/random.h"

namespace linnet::fuzz {

// An op's attributes as a plan stores them, with one or several fields changed, added or removed.
// `op` is a row of op_list.def; attributes that are no table of it count as having no field.
// `shape`, of a tensor that the step reads, is what vectors of numbers are made of.
std::vector<uint8_t> MutateAttrs(uint16_t op, std::span<const uint8_t> attrs,
                                 std::span<const int64_t> shape, Random& random);

// Attributes of an op of which `kind`, its first field, is all that counts.
std::vector<uint8_t> AttrsOfKind(uint8_t kind);

}  // namespace linnet::fuzz

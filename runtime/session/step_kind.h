// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/ops/op_def.h"

namespace linnet {

// Ops between whose kernels there is a choice have few inputs.
inline constexpr size_t kMaxKindInputs = 4;
// Bytes of any kind, with the NUL.
inline constexpr size_t kMaxKindBytes = 1152;

// Writes what a step computes as one line of text, without tabs, by which a kernel profile names
// it:
//   Conv2D(f32[1,14,14,96], const f32[24,1,1,96], const f32[24]) -> f32[1,14,14,24]
//   {8c04f5b6a2ee3f01}
// A kernel takes as long for all steps of one kind, whatever plan they are in. In braces is a hash
// of `attrs`, the op's attributes as the plan has them, which converters of one release write
// alike. `to` has at least kMaxKindBytes. Returns the number of characters; 0, and "", when the
// step has more inputs than kMaxKindInputs.
[[gnu::cold]] int WriteStepKind(const OpInstance& op, std::span<const uint8_t> attrs,
                                std::span<char> to);

}  // namespace linnet

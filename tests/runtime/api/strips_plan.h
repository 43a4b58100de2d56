// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "schema/plan_generated.h"

namespace linnet {

// Tensors and steps of RawStripsPlan.
struct StripsPlanParts {
  enum Tensors { kX, kFilter, kCurve, kWindows, kY };
  enum Steps { kExp, kDepthwise, kSum };
};

// Three steps that run together, two rows at a time: input x f32[1,8,6,4], Exp, a window of 3 x 3
// on each channel, and + x -> output y. Each has memory of its own. After `change`, whatever that
// does.
std::vector<std::byte> RawStripsPlan(const std::function<void(schema::ProgramT&)>& change = {});
// Bytes that the rows of one slot take in it.
inline constexpr int64_t kStripsPlanBytes = 704;

// A buffer of its own for a tensor of it, behind all others.
void GiveMemory(schema::ProgramT& program, size_t tensor);

}  // namespace linnet

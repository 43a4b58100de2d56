// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/lowering.h"

// Values of tensors with which a run fails with kBadIndex. Shaders that use such values take what
// is out of range for something that is not, and leave the checking to these dispatches.
namespace linnet::vulkan {

// Adds a dispatch that makes the run fail with `message` where an element of input `i`, a tensor of
// integers, is outside of [0, count).
void AddIndexCheck(const OpInstance& op, int i, int64_t count, const char* message,
                   Dispatches& dispatches);
// The same where an element is 0.
void AddZeroCheck(const OpInstance& op, int i, const char* message, Dispatches& dispatches);

// Whether a constant of i32 or i64 whose value is known has an element outside of [0, count).
bool HasBadIndex(const InputInfo& indices, int64_t count);

}  // namespace linnet::vulkan

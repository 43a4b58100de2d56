// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/ops/op_def.h"
#include "runtime/plan/plan_view.h"

namespace linnet {

// nullptr when the step's outputs may lie where the plan puts them, else what is wrong. An output
// may share bytes with an input only where the op runs in place, or as a slice inside its source,
// or as a concatenation around its inputs, each exactly in its place; outputs never share bytes.
// `op` is checked and has its outputs.
const char* FindBadOverlap(const OpInstance& op, uint32_t traits,
                           std::span<const PlanTensor* const> inputs,
                           std::span<const PlanTensor* const> outputs);

}  // namespace linnet

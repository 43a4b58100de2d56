// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/ops/op_def.h"
#include "runtime/plan/plan_view.h"

namespace linnet {

// Bytes [begin, end) of a space.
struct ByteRange {
  int64_t begin = 0, end = 0;
};

// A checked step, and where its tensors lie.
struct PlacedStep {
  const OpInstance& op;  // with its outputs
  uint32_t traits;
  bool varies;  // a tensor or an attribute does
  std::span<const PlanTensor*const> inputs, outputs;
};

// nullptr when the step's outputs may lie where the plan puts them, else what is wrong. An output
// may share bytes with an input only where the op runs in place, or as a slice inside its source,
// or as a concatenation around its inputs, each exactly in its place and where no extent varies,
// with which places would move; what lies in such a place may belong to another input as well.
// Outputs never share bytes. `scratch` has one entry per input. Time
// grows as n log n with the inputs.
const char* FindBadOverlap(const PlacedStep& step, std::span<ByteRange> scratch);

}  // namespace linnet

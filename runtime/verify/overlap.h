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

// A checked step and the places of its tensors.
struct PlacedStep {
  const OpInstance& op;  // including its outputs
  uint32_t traits;
  bool varies;    // an extent of a tensor or an attribute varies
  Layout layout;  // of the space that all of its tensors in the arena are in
  std::span<const PlanTensor*const> inputs, outputs;
};

// True when the tensor, which may also lie in no space, has some of these bytes of its space.
bool Overlaps(const PlanProgram& program, const PlanTensor& tensor, ByteRange bytes);

// nullptr when a step of a device may use its scratch memory while it runs, else what is wrong.
// Only devices have such memory: what kernels of the host need besides their tensors, a session
// allocates.
const char* FindBadScratch(const PlanProgram& program, const PlanStep& step);

// nullptr when the plan may place the step's outputs as it does, else what is wrong. An output may
// share bytes with an input only
//   - when the op runs in place;
//   - when it is a slice inside its source, or a concatenation around its inputs, each exactly
//     at its place, and no extent varies (places would move). An input that is at its place may
//     also be read as another input of the same concatenation.
// Outputs never share bytes with each other. `scratch` has one entry per input. Time is O(n log n)
// in the number of inputs.
const char* FindBadOverlap(const PlacedStep& step, std::span<ByteRange> scratch);

}  // namespace linnet

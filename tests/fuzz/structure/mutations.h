// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "tests/fuzz/structure/plan_editor.h"

namespace linnet::fuzz {

// Each function makes one change to a program that has region 0 and a signature. What depends on
// the change is not yet updated.
using Mutation = void (*)(PlanEditor&);

// Changes steps, their attributes and what they read.
std::span<const Mutation> StepMutations();
// Changes tensors: types, constants, encodings, memory, ports.
std::span<const Mutation> TensorMutations();
// Changes everything beyond a list of steps: loops, branches, states, symbols, segments,
// layouts.
std::span<const Mutation> ControlMutations();
// Changes which steps run together in strips, and what they use.
std::span<const Mutation> StripsMutations();

// Appends everything in `other`'s first program to the program; some of the appended steps read
// existing tensors instead of inputs.
void Graft(PlanFile other, PlanEditor& editor);

// Removes what no step, port, region or state uses.
void DropUnused(PlanFile& file);

}  // namespace linnet::fuzz

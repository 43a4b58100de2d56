// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "tests/fuzz/structure/plan_editor.h"

namespace linnet::fuzz {

// One change of a program that has region 0 and a signature. What follows from it is not yet done.
using Mutation = void (*)(PlanEditor&);

// Of steps, their attributes and what they read.
std::span<const Mutation> StepMutations();
// Of tensors: types, constants, encodings, memory, ports.
std::span<const Mutation> TensorMutations();
// Of what makes plans more than lists of steps: loops, branches, states, symbols, segments.
std::span<const Mutation> ControlMutations();

// Adds all that `other`'s first program has to the program: its steps behind the others, some of
// its inputs taken from tensors that are there.
void Graft(PlanFile other, PlanEditor& editor);

// Leaves out what no step, port, region or state uses.
void DropUnused(PlanFile& file);

}  // namespace linnet::fuzz

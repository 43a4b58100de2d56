// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "converter/plan/program_memory.h"

namespace linnet::converter {

// Chooses which of the program's steps, all of the host, run together in strips, and of how many
// rows. Puts these steps one behind the other, marks the tensors between them (Tensor::in_strips),
// and adds the memory for their rows to `scratch`. Before the memory is planned. REQUIRES: the
// program's ports and updates are there.
void ChooseStrips(StripUse use, Program* program, std::vector<StepScratch>* scratch);

}  // namespace linnet::converter

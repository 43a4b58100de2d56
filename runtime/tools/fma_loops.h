// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace linnet::tools {

// Multiplies and adds in registers for some microseconds, as fast as one core can, and returns how
// many operations that were: two for each multiply-add.
using FmaLoop = int64_t (*)();

// The loops for the instruction sets that this machine has and LINNET_ISA allows, the smallest
// first: a larger set need not be faster.
std::vector<FmaLoop> AllowedFmaLoops();

}  // namespace linnet::tools

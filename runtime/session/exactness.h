// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/verify/verify.h"

namespace linnet {

// How far two backends that are both right may differ in the value of a tensor.
enum class Exactness : uint8_t {
  kExact,     // inputs, and what only moves, picks or compares them: not at all
  kRounded,   // float arithmetic: by rounding
  kUnstable,  // what rounded values decide, as a comparison of nearly equal ones: by anything
};

// Writes the exactness of each tensor of a program to `tensors`, which has one entry for each. Of
// tensors inside of loops and branches it says nothing.
void FindExactness(const VerifiedProgram& program, Exactness* tensors);

}  // namespace linnet

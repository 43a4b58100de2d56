// SPDX-License-Identifier: Apache-2.0
// The inner loops for the instructions that every CPU of the target has, and the choice of loops.
#include "runtime/core/instruction_set.h"
#include "runtime/kernels/isa.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LINNET_ISA isa_baseline
#define LINNET_ISA_AVX2 0
#include "runtime/kernels/isa_inl.h"

namespace linnet::kernels {

bool PrefersAvx2() {
  return LINNET_HAS_AVX2_KERNELS && ChosenInstructionSet().set >= InstructionSet::kAvx2;
}

}  // namespace linnet::kernels

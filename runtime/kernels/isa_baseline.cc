// SPDX-License-Identifier: Apache-2.0
// The inner loops for the instructions that every CPU of the target has.
#include "runtime/kernels/isa.h"

#include <cmath>

#if LINNET_HAS_BASELINE_KERNELS
#if defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LINNET_ISA isa_baseline
#define LINNET_ISA_AVX2 0
#define LINNET_ISA_AVX512 0
#include "runtime/kernels/isa_inl.h"
#endif  // LINNET_HAS_BASELINE_KERNELS

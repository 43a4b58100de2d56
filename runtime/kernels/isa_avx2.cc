// SPDX-License-Identifier: Apache-2.0
// The inner loops for x86 CPUs with AVX2 and FMA. Headers come before the region that is compiled
// with these instructions, so that functions which other files may also emit do not contain them.
#include "runtime/kernels/isa.h"

#include <cmath>

#if LINNET_HAS_AVX2_KERNELS
#include <immintrin.h>

#define LINNET_ISA isa_avx2
#define LINNET_ISA_AVX2 1
#define LINNET_ISA_AVX512 0

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif

#include "runtime/kernels/isa_inl.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif  // LINNET_HAS_AVX2_KERNELS

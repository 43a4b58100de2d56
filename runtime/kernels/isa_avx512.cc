// SPDX-License-Identifier: Apache-2.0
// The inner loops for x86 CPUs with AVX-512 (its parts F, BW, DQ and VL). Headers come before the
// region that is compiled with these instructions, so that functions which other files may also
// emit do not contain them.
#include "runtime/kernels/isa.h"

#include <cmath>

#if LINNET_HAS_AVX512_KERNELS
#if defined(__GNUC__) && !defined(__clang__)
// GCC's header leaves unused operands of instructions uninitialised, and GCC 12 reports it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#define LINNET_ISA isa_avx512
#define LINNET_ISA_AVX2 1  // has all of AVX2 too
#define LINNET_ISA_AVX512 1

#if defined(__clang__)
#pragma clang attribute push(                                                    \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))), \
    apply_to = function)
#else
#pragma GCC push_options
// Tuned for Intel, because GCC then leaves addresses out of vector registers. On AMD an address
// that comes from one waits behind the products in the queue of vector instructions.
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,tune=skylake-avx512")
#endif

#include "runtime/kernels/isa_inl.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#endif  // LINNET_HAS_AVX512_KERNELS

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>  // defines __GLIBC__

// Before a loop whose iterations do not depend on each other: lets the compiler vectorise although
// the output may be the very same buffer as an input (out[i] written from in[i] only).
#if defined(__clang__)
// A loop around a libm call stays scalar, which is fine.
#pragma clang diagnostic ignored "-Wpass-failed"
#define LINNET_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define LINNET_VECTORIZE _Pragma("GCC ivdep")
#else
#define LINNET_VECTORIZE
#endif

// Before a function whose loops are worth wider vectors than the x86-64 baseline has: it is
// compiled for AVX2 as well and the loader picks. The results have the same bits: AVX2 alone fuses
// nothing. (Sanitizers cannot run the resolver so early; clang and Android's loader differ.)
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LINNET_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LINNET_WIDE
#endif

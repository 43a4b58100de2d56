// SPDX-License-Identifier: Apache-2.0
#pragma once

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

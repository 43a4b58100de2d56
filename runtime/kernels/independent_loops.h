// SPDX-License-Identifier: Apache-2.0
#pragma once

// Put before a loop whose iterations are independent: lets the compiler vectorise it although the
// output may be the same buffer as an input (out[i] depends on in[i] only).
#if defined(__clang__)
// A loop with a libm call stays scalar, which is fine.
#pragma clang diagnostic ignored "-Wpass-failed"
#define LINNET_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define LINNET_VECTORIZE _Pragma("GCC ivdep")
#else
#define LINNET_VECTORIZE
#endif

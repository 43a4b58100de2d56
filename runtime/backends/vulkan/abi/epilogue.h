// SPDX-License-Identifier: Apache-2.0
// What a shader does to each element that it has computed before it stores it: up to four steps,
// which runtime/backends/vulkan/fusion.h takes from the ops behind it. Steps 0, 2 and 3 combine the
// value with another one or clamp it, step 1 is a function of it; each may be missing.
#ifndef LINNET_VULKAN_ABI_EPILOGUE_H_
#define LINNET_VULKAN_ABI_EPILOGUE_H_
#include "binary.h"
#include "unary.h"
// Specialisation constants: those of steps 0, 2 and 3, three each (a code as below, and the lowest
// and highest result); the kind of step 1 (of abi/unary.h) and its alpha; what is bound for the
// epilogue, for each of two bindings. The defaults are no steps.
#define LINNET_EPILOGUE_CONSTANT 16
#define LINNET_EPILOGUE_CONSTANTS 13
LINNET_ABI_BEGIN
// A code is 0 where there is no step, else the sum of: a kind of abi/binary.h, or kEpilogueClamp;
const uint kEpilogueKindMask = 0xffu;
const uint kEpilogueClamp = 0xffu;
// the other value: a tensor that is bound, or the value before step n (0: what the shader has
// computed);
const uint kEpilogueSourceShift = 8u;
const uint kEpilogueSourceMask = 7u;
const uint kEpilogueFirst = 0u;
const uint kEpilogueSecond = 1u;
const uint kEpilogueValue = 2u;  // + n
// whether that is the left one; whether the range counts.
const uint kEpilogueSwapped = 0x800u;
const uint kEpilogueRanged = 0x1000u;
// A bound tensor has as many elements as the result, is a row that counts for all rows, or one
// element.
const uint kEpilogueUnbound = 0u;
const uint kEpilogueSame = 1u;
const uint kEpilogueRow = 2u;
const uint kEpilogueScalar = 3u;
LINNET_ABI_END
#endif

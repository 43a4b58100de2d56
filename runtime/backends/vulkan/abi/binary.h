// SPDX-License-Identifier: Apache-2.0
// Each element from one element of each of two or three inputs, which broadcast to the output.
// Constants: 1 the kind, a number below; 2 the number of dimensions; 3 a bit for each input whose
// rows are one element, which counts for all columns.
#ifndef LINNET_VULKAN_ABI_BINARY_H_
#define LINNET_VULKAN_ABI_BINARY_H_
#include "glsl.h"
LINNET_ABI_BEGIN
struct BinaryPush {
  uint quads;      // vec4s of the output
  uint row_quads;  // vec4s of a row of the output
  uint columns;    // elements of a row of the output, without padding
  float min, max;  // range of the output
  // The dimensions of the output in vec4s, innermost first, and how many vec4s of each input a step
  // along them is.
  uint extent[6];
  uint a[6], b[6], c[6];
};
// Values of schema BinaryKind.
const uint kBinaryAdd = 1;
const uint kBinarySub = 2;
const uint kBinaryMul = 3;
const uint kBinaryDiv = 4;
const uint kBinaryFloorDiv = 5;
const uint kBinaryFloorMod = 6;
const uint kBinaryTruncateDiv = 7;
const uint kBinaryTruncateMod = 8;
const uint kBinaryDivNoNan = 9;
const uint kBinaryMaximum = 10;
const uint kBinaryMinimum = 11;
const uint kBinaryPow = 12;
const uint kBinarySquaredDifference = 13;
const uint kBinaryAtan2 = 14;
const uint kBinaryLogicalAnd = 15;
const uint kBinaryLogicalOr = 16;
const uint kBinaryBitwiseAnd = 17;
const uint kBinaryBitwiseOr = 18;
const uint kBinaryBitwiseXor = 19;
const uint kBinaryLeftShift = 20;
const uint kBinaryRightShift = 21;
// Behind them, the op Prelu, and kCompare plus the values of schema CompareKind.
const uint kBinaryPrelu = 128;
const uint kCompare = 192;
const uint kCompareEqual = 193;
const uint kCompareNotEqual = 194;
const uint kCompareLess = 195;
const uint kCompareLessEqual = 196;
const uint kCompareGreater = 197;
const uint kCompareGreaterEqual = 198;
LINNET_ABI_END
#endif

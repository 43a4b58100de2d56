// SPDX-License-Identifier: Apache-2.0
// Each element from the one element at the same place. Constant 1: the kind, a number below.
#ifndef LINNET_VULKAN_ABI_UNARY_H_
#define LINNET_VULKAN_ABI_UNARY_H_
#include "glsl.h"
LINNET_ABI_BEGIN
struct UnaryPush {
  uint quads;      // vec4s of the tensor
  uint row_quads;  // vec4s of a row
  uint columns;    // elements of a row, without padding
  float alpha;     // slope of LeakyRelu
};
// Values of schema UnaryKind.
const uint kUnaryAbs = 1;
const uint kUnaryNeg = 2;
const uint kUnarySign = 3;
const uint kUnarySquare = 4;
const uint kUnarySqrt = 5;
const uint kUnaryRsqrt = 6;
const uint kUnaryReciprocal = 7;
const uint kUnaryExp = 8;
const uint kUnaryExpm1 = 9;
const uint kUnaryLog = 10;
const uint kUnaryLog1p = 11;
const uint kUnarySin = 12;
const uint kUnaryCos = 13;
const uint kUnaryTan = 14;
const uint kUnaryTanh = 15;
const uint kUnarySigmoid = 16;
const uint kUnaryErf = 17;
const uint kUnaryGeluErf = 18;
const uint kUnaryGeluTanh = 19;
const uint kUnarySwish = 20;
const uint kUnaryHardSwish = 21;
const uint kUnaryHardSigmoid = 22;
const uint kUnaryElu = 23;
const uint kUnarySelu = 24;
const uint kUnaryLeakyRelu = 25;
const uint kUnarySoftplus = 26;
const uint kUnarySoftsign = 27;
const uint kUnaryFloor = 28;
const uint kUnaryCeil = 29;
const uint kUnaryRound = 30;
const uint kUnaryLogicalNot = 31;
const uint kUnaryIsNan = 32;
const uint kUnaryIsInf = 33;
const uint kUnaryIsFinite = 34;
const uint kUnaryAsin = 35;
const uint kUnaryAcos = 36;
const uint kUnaryAtan = 37;
const uint kUnarySinh = 38;
const uint kUnaryCosh = 39;
const uint kUnaryAsinh = 40;
const uint kUnaryAcosh = 41;
const uint kUnaryAtanh = 42;
const uint kUnaryLgamma = 43;
const uint kUnaryDigamma = 44;
const uint kUnaryErfc = 45;
const uint kUnaryErfinv = 46;
const uint kUnaryBitwiseNot = 47;
// Behind them, the conversions of Cast.
const uint kUnaryToFloat = 128;
const uint kUnaryToInt = 129;
const uint kUnaryToByte = 130;
const uint kUnaryToBool = 131;
LINNET_ABI_END
#endif

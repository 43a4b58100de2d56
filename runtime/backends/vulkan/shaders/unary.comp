// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "math.glsl"
#include "../abi/unary.h"

layout(constant_id = 1) const uint KIND = kUnaryAbs;
layout(push_constant) uniform Push { UnaryPush p; };
READ_F(0, x);
WRITE_F(1, y);

vec4 SquareRootOf(vec4 v) {
  // Vulkan defines sqrt as 1 / inversesqrt, which need not keep 0 and infinity.
  const vec4 root = mix(sqrt(v), v, equal(v, vec4(0.0)));
  return mix(mix(root, v, IsInf(v)), vec4(NOT_A_NUMBER), lessThan(v, vec4(0.0)));
}

vec4 InverseRoot(vec4 v) {
  const vec4 root = mix(inversesqrt(v), CopySign(vec4(INFINITY), v), equal(v, vec4(0.0)));
  return mix(mix(root, vec4(0.0), IsInf(v)), vec4(NOT_A_NUMBER), lessThan(v, vec4(0.0)));
}

// v / 2 (1 + tanh(u)) = v / (1 + exp(-2 u)), u = sqrt(2 / pi) (v + 0.044715 v^3)
vec4 GeluTanh(vec4 v) {
  const vec4 u = v * (-1.59576912 + v * v * (-1.59576912 * 0.044715));
  return v / (1.0 + Exp(u));
}

vec4 Apply(vec4 v) {
  const bvec4 negative = lessThan(v, vec4(0.0));
  switch (KIND) {
    case kUnaryAbs: return abs(v);
    case kUnaryNeg: return -v;
    case kUnarySign: return sign(v);
    case kUnarySquare: return v * v;
    case kUnarySqrt: return SquareRootOf(v);
    case kUnaryRsqrt: return InverseRoot(v);
    case kUnaryReciprocal: return 1.0 / v;
    case kUnaryExp: return Exp(v);
    case kUnaryExpm1: return Expm1(v);
    case kUnaryLog: return Log(v);
    case kUnaryLog1p: return Log1p(v);
    case kUnaryTanh: return Tanh(v);
    case kUnarySigmoid: return 1.0 / (1.0 + Exp(-v));
    case kUnaryErf: return Erf(v);
    case kUnaryGeluErf: return 0.5 * v * (1.0 + Erf(v * 0.707106781));
    case kUnaryGeluTanh: return GeluTanh(v);
    case kUnarySwish: return v / (1.0 + Exp(-v));
    case kUnaryHardSwish: return v * clamp(v + 3.0, 0.0, 6.0) * (1.0 / 6.0);
    case kUnaryHardSigmoid: return clamp(v * (1.0 / 6.0) + 0.5, 0.0, 1.0);
    case kUnaryElu: return mix(v, Expm1(min(v, 0.0)), negative);
    case kUnarySelu: return mix(1.05070098735548 * v, 1.75809934084738 * Expm1(min(v, 0.0)), negative);
    case kUnaryLeakyRelu: return mix(p.alpha * v, v, greaterThan(v, vec4(0.0)));
    case kUnarySoftplus: return Softplus(v);
    case kUnarySoftsign: return mix(v / (1.0 + abs(v)), vec4(NOT_A_NUMBER), IsInf(v));
    case kUnaryFloor: return floor(v);
    case kUnaryCeil: return ceil(v);
    case kUnaryRound: return roundEven(v);
    default: return v;
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const vec4 value = LOAD(x, i);
  STORE(y, i, MaskedRow(KeepNan(value, Apply(value)), i, p.row_quads, p.columns));
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "math.glsl"
#include "../abi/unary.h"
#include "activation.glsl"

layout(constant_id = 1) const uint KIND = kUnaryAbs;
layout(push_constant) uniform Push { UnaryPush p; };
READ_F(0, x);
WRITE_F(1, y);

vec4 Apply(vec4 v) {
  const bvec4 negative = lessThan(v, vec4(0.0));
  switch (KIND) {
    case kUnarySign: return sign(v);
    case kUnaryReciprocal: return 1.0 / v;
    case kUnaryExpm1: return Expm1(v);
    case kUnaryLog: return Log(v);
    case kUnaryLog1p: return Log1p(v);
    case kUnaryErf: return Erf(v);
    case kUnaryElu: return mix(v, Expm1(min(v, 0.0)), negative);
    case kUnarySelu: return mix(1.05070098735548 * v, 1.75809934084738 * Expm1(min(v, 0.0)), negative);
    case kUnarySoftplus: return Softplus(v);
    case kUnarySoftsign: return mix(v / (1.0 + abs(v)), vec4(NOT_A_NUMBER), IsInf(v));
    case kUnaryFloor: return floor(v);
    case kUnaryCeil: return ceil(v);
    case kUnaryRound: return roundEven(v);
    default: return Activation(KIND, p.alpha, v);
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const vec4 value = LOAD(x, i);
  STORE(y, i, MaskedRow(KeepNan(value, Apply(value)), i, p.row_quads, p.columns));
}

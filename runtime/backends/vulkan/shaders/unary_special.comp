// SPDX-License-Identifier: Apache-2.0
// Kinds that networks rarely use, apart from `unary` because their code is long.
#version 450
#include "linnet.glsl"
#include "math.glsl"
#include "trigonometry.glsl"
#include "special.glsl"
#include "../abi/unary_special.h"

layout(constant_id = 1) const uint KIND = kUnarySin;
layout(push_constant) uniform Push { UnaryPush p; };
READ_F(0, x);
WRITE_F(1, y);

vec4 Circular(vec4 v) {
  vec4 sine, cosine;
  SinCos(v, sine, cosine);
  if (KIND == kUnarySin) return sine;
  if (KIND == kUnaryCos) return cosine;
  return sine / cosine;
}

vec4 Apply(vec4 v) {
  switch (KIND) {
    case kUnarySin:
    case kUnaryCos:
    case kUnaryTan: return Circular(v);
    case kUnaryAsin: return Asin(v);
    case kUnaryAcos: return Acos(v);
    case kUnaryAtan: return Atan(v);
    case kUnarySinh: return Sinh(v);
    case kUnaryCosh: return Cosh(v);
    case kUnaryAsinh: return Asinh(v);
    case kUnaryAcosh: return Acosh(v);
    case kUnaryAtanh: return Atanh(v);
    case kUnaryLgamma: return Lgamma(v);
    case kUnaryDigamma: return Digamma(v);
    case kUnaryErfc: return Erfc(v);
    case kUnaryErfinv: return Erfinv(v);
    default: return v;
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const vec4 value = LOAD(x, i);
  STORE(y, i, MaskedRow(KeepNan(value, Apply(value)), i, p.row_quads, p.columns));
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/reduce.h"

layout(push_constant) uniform Push { ReducePush p; };
READ_F(0, x);
WRITE_F(1, y);

#define V vec4
V Start();
V Join(V a, V b);
V Finish(V value);
#include "reduce.glsl"

V Start() {
  if (kKind == kReduceProd) return vec4(1.0);
  if (kKind == kReduceMax) return vec4(uintBitsToFloat(0xff800000u));  // -infinity
  if (kKind == kReduceMin) return vec4(uintBitsToFloat(0x7f800000u));
  return vec4(0.0);
}

// Looks at the bits, because drivers may compile as if there were no NaN.
bvec4 IsNan(vec4 value) {
  return greaterThan(floatBitsToUint(value) & 0x7fffffffu, uvec4(0x7f800000u));
}

// NaN in either stays NaN.
V Join(V a, V b) {
  if (kKind == kReduceProd) return a * b;
  if (kKind == kReduceMax) return mix(mix(b, a, greaterThan(a, b)), a, IsNan(a));
  if (kKind == kReduceMin) return mix(mix(b, a, lessThan(a, b)), a, IsNan(a));
  return a + b;
}

V Finish(V value) {
  return kKind == kReduceMean ? value / float(p.elements) : value;
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "math.glsl"
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
  if (kKind == kReduceMin) return vec4(INFINITY);
  return vec4(0.0);
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

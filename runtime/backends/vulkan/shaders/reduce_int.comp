// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/reduce_int.h"

layout(push_constant) uniform Push { ReducePush p; };
READ_I(0, x);
WRITE_I(1, y);

#define V ivec4
V Start();
V Join(V a, V b);
V Finish(V value);
#include "reduce.glsl"

V Start() {
  if (kKind == kReduceProd) return ivec4(1);
  if (kKind == kReduceMax) return ivec4(0x80000000);
  if (kKind == kReduceMin) return ivec4(0x7fffffff);
  return ivec4(0);
}

V Join(V a, V b) {
  if (kKind == kReduceProd) return a * b;
  if (kKind == kReduceMax) return max(a, b);
  if (kKind == kReduceMin) return min(a, b);
  return a + b;
}

V Finish(V value) {
  return kKind == kReduceMean ? value / int(p.elements) : value;
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/clamp.h"

layout(push_constant) uniform Push { ClampPush p; };
READ_F(0, x);
WRITE_F(1, y);

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const vec4 value = LOAD(x, i);
  // NaN stays NaN: each comparison with it is false.
  vec4 result = mix(value, vec4(p.min), lessThan(value, vec4(p.min)));
  result = mix(result, vec4(p.max), greaterThan(result, vec4(p.max)));
  STORE(y, i, Masked(result, i % p.row_quads, p.columns));
}

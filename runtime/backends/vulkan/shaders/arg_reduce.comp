// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "math.glsl"
#include "../abi/arg_reduce.h"

layout(push_constant) uniform Push { ArgReducePush p; };
READ_F(0, x);
WRITE_I(1, y);

#define V vec4
V Lowest();
V Load(uint quad);
#include "arg_reduce.glsl"

// The lowest finite number, so that a row of NaN and -infinity only gives the first place.
V Lowest() {
  return vec4(uintBitsToFloat(0xff7fffffu));
}

// NaN counts as the lowest number.
V Load(uint quad) {
  const vec4 value = LOAD(x, quad);
  return mix(p.min != 0u ? -value : value, Lowest(), IsNan(value));
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
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

// NaN counts as the lowest number. Looks at the bits, because drivers may compile as if there were no NaN.
V Load(uint quad) {
  const vec4 value = LOAD(x, quad);
  const bvec4 is_nan = greaterThan(floatBitsToUint(value) & 0x7fffffffu, uvec4(0x7f800000u));
  return mix(p.min != 0u ? -value : value, Lowest(), is_nan);
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/arg_reduce_int.h"

layout(push_constant) uniform Push { ArgReducePush p; };
READ_I(0, x);
WRITE_I(1, y);

#define V ivec4
V Lowest();
V Load(uint quad);
#include "arg_reduce.glsl"

V Lowest() {
  return ivec4(0x80000000);
}

V Load(uint quad) {
  return p.min != 0u ? ~LOAD(x, quad) : LOAD(x, quad);
}

// SPDX-License-Identifier: Apache-2.0
// BatchMatMul of floats, and FullyConnected whose filter is computed at run time.
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "../abi/matmul.h"

layout(constant_id = 5) const bool kBias = false;

layout(push_constant) uniform Push { MatmulPush p; };
READ_F(0, a);
READ_F(1, b);
WRITE_F(2, y);
READ_F(3, bias);

#define QUAD vec4

vec4 Finish(vec4 sum, uint quad) {
  if (kBias) sum += LOAD(bias, quad);
  return Masked(InRange(sum, p.min, p.max), quad, p.columns);
}

#include "matmul.glsl"

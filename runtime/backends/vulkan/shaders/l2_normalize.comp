// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "row_group.glsl"
#include "../abi/l2_normalize.h"

layout(push_constant) uniform Push { L2NormalizePush p; };
READ_F(0, x);
WRITE_F(1, y);

void main() {
  const uint number = LinearId() / kThreadsPerRow;
  const uint first = gl_LocalInvocationID.x % kThreadsPerRow;
  const uint end = number < p.rows ? p.quads : 0u;
  const uint row = number * p.quads;

  LongSum squares = kNoSum;  // padding is 0
  for (uint quad = first; quad < end; quad += kThreadsPerRow) {
    const vec4 value = LOAD(x, row + quad);
    Add(squares, value * value);
  }
  const float sum = RowSum(vec2(Total(squares), 0.0)).x;
  const float scale = inversesqrt(AtLeast(sum, p.epsilon));

  for (uint quad = first; quad < end; quad += kThreadsPerRow)
    STORE(y, row + quad, Masked(LOAD(x, row + quad) * scale, quad, p.columns));
}

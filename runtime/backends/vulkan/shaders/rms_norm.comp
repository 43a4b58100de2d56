// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "row_group.glsl"
#include "../abi/rms_norm.h"

layout(push_constant) uniform Push { RmsNormPush p; };
READ_F(0, x);
READ_F(1, gamma);
WRITE_F(2, y);

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
  const float mean = RowSum(vec2(Total(squares), 0.0)).x / float(p.columns);
  const float scale = inversesqrt(mean + p.epsilon);

  for (uint quad = first; quad < end; quad += kThreadsPerRow)
    STORE(y, row + quad, Masked(LOAD(x, row + quad) * scale * LOAD(gamma, quad), quad, p.columns));
}

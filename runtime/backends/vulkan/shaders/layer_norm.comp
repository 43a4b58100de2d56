// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "row_group.glsl"
#include "../abi/layer_norm.h"

layout(push_constant) uniform Push { LayerNormPush p; };
READ_F(0, x);
READ_F(1, gamma);
READ_F(2, beta);
WRITE_F(3, y);

void main() {
  const uint number = LinearId() / kThreadsPerRow;
  const uint first = gl_LocalInvocationID.x % kThreadsPerRow;
  const uint end = number < p.rows ? p.quads : 0u;
  const uint row = number * p.quads;
  const float columns = float(p.columns);

  LongSum sum = kNoSum;  // padding is 0
  for (uint quad = first; quad < end; quad += kThreadsPerRow) Add(sum, LOAD(x, row + quad));
  const float estimate = RowSum(vec2(Total(sum), 0.0)).x / columns;

  // Far from 0 the estimate is off by its rounding; what is left around it gives the rest of the mean.
  LongSum rest = kNoSum;
  LongSum squares = kNoSum;
  for (uint quad = first; quad < end; quad += kThreadsPerRow) {
    const vec4 distance = Masked(LOAD(x, row + quad) - estimate, quad, p.columns);
    Add(rest, distance);
    Add(squares, distance * distance);
  }
  const vec2 moments = RowSum(vec2(Total(rest), Total(squares))) / columns;
  const float variance = moments.y - moments.x * moments.x;
  const float scale = inversesqrt(AtLeast(variance, 0.0) + p.epsilon);  // rounding may put it below 0

  for (uint quad = first; quad < end; quad += kThreadsPerRow) {
    const vec4 distance = (LOAD(x, row + quad) - estimate) - moments.x;
    STORE(y, row + quad, Masked(distance * scale * LOAD(gamma, quad) + LOAD(beta, quad), quad, p.columns));
  }
}

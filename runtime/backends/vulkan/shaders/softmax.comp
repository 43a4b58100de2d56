// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "row_group.glsl"
#include "../abi/softmax.h"

layout(constant_id = 2) const bool kLog = false;

layout(push_constant) uniform Push { SoftmaxPush p; };
READ_F(0, x);
WRITE_F(1, y);

float Lowest() {
  return uintBitsToFloat(0xff800000u);  // -infinity
}

// Quad `quad` of the row at `row`. In its padding is -infinity, which is never the largest and whose exponential is 0.
vec4 Load(uint row, uint quad) {
  const vec4 value = LOAD(x, row + quad);
  return mix(vec4(Lowest()), value, lessThan(uvec4(quad * 4u) + uvec4(0u, 1u, 2u, 3u), uvec4(p.columns)));
}

void main() {
  const uint number = LinearId() / kThreadsPerRow;
  const uint first = gl_LocalInvocationID.x % kThreadsPerRow;
  const uint end = number < p.rows ? p.quads : 0u;
  const uint row = number * p.quads;

  vec4 tops = vec4(Lowest());
  for (uint quad = first; quad < end; quad += kThreadsPerRow) tops = max(tops, Load(row, quad));
  const float top = RowMax(max(max(tops.x, tops.y), max(tops.z, tops.w)));

  LongSum sum = kNoSum;
  for (uint quad = first; quad < end; quad += kThreadsPerRow) Add(sum, exp(Load(row, quad) - top));
  const float total = RowSum(vec2(Total(sum), 0.0)).x;

  // The logarithm of 1 may be a little off 0, but that of a single class is 0.
  const float shift = total == 1.0 ? 0.0 : log(total);
  const float scale = 1.0 / total;
  for (uint quad = first; quad < end; quad += kThreadsPerRow) {
    const vec4 distance = Load(row, quad) - top;
    STORE(y, row + quad, Masked(kLog ? distance - shift : exp(distance) * scale, quad, p.columns));
  }
}

// SPDX-License-Identifier: Apache-2.0
// Pool2D of floats for few outputs with large windows, such as whole images: the threads of a workgroup share each window.
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "../abi/pool2d.h"

layout(constant_id = 1) const bool kAverage = false;

layout(push_constant) uniform Push { Pool2DPush p; };
READ_F(0, x);
WRITE_F(1, y);

#include "pool2d.glsl"
#include "pool2d_sum.glsl"

const uint kQuads = LINNET_POOL2D_WIDE_QUADS, kParts = LINNET_POOL2D_WIDE_PARTS;
shared vec4 parts[kParts * kQuads];

void main() {
  const uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  const uint local = gl_LocalInvocationIndex;
  const uint pixel = group / p.quad_tiles;
  const uint quad = (group - pixel * p.quad_tiles) * kQuads + local % kQuads;
  const bool inside = pixel < p.pixels && quad < p.quads;
  const Window window = WindowOf(min(pixel, p.pixels - 1u));
  // This thread's pixels are every kParts-th of the window, row by row.
  const int width = window.right - window.left;
  const int down = int(kParts) / width, right = int(kParts) - down * width;
  int iy = int(local / kQuads) / width;
  int ix = int(local / kQuads) - iy * width + window.left;
  iy += window.top;
  vec4 result = First();
  while (inside && iy < window.bottom) {
    result = Added(result, LOAD(x, (window.image + uint(iy * p.in_w + ix)) * p.quads + quad));
    ix += right;
    iy += down;
    if (ix >= window.right) {
      ix -= width;
      ++iy;
    }
  }
  parts[local] = result;
  barrier();
  if (inside && local < kQuads) {
    for (uint i = 1u; i < kParts; ++i) result = Added(result, parts[i * kQuads + local]);
    STORE(y, pixel * p.quads + quad, Masked(InRange(Finished(result, window), p.min, p.max), quad, p.columns));
  }
}

// SPDX-License-Identifier: Apache-2.0
// Pool2D of floats: each thread one quad of one pixel.
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

void main() {
  const uint id = LinearId();
  const uint pixel = id / p.quads, quad = id - pixel * p.quads;
  if (pixel >= p.pixels) return;
  const Window window = WindowOf(pixel);
  vec4 result = First();
  for (int iy = window.top; iy < window.bottom; ++iy) {
    uint from = (window.image + uint(iy * p.in_w + window.left)) * p.quads + quad;
    for (int ix = window.left; ix < window.right; ++ix) {
      result = Added(result, LOAD(x, from));
      from += p.quads;
    }
  }
  STORE(y, id, Masked(InRange(Finished(result, window), p.min, p.max), quad, p.columns));
}

// SPDX-License-Identifier: Apache-2.0
// Pool2D of integers, always the maximum. Padding needs no mask: its maximum is one of zeros.
#version 450
#include "linnet.glsl"
#include "../abi/pool2d.h"

layout(push_constant) uniform Push { Pool2DPush p; };
READ_I(0, x);
WRITE_I(1, y);

#include "pool2d.glsl"

void main() {
  const uint id = LinearId();
  const uint pixel = id / p.quads, quad = id - pixel * p.quads;
  if (pixel >= p.pixels) return;
  const Window window = WindowOf(pixel);
  ivec4 result = ivec4(-2147483647 - 1);
  for (int iy = window.top; iy < window.bottom; ++iy) {
    uint from = (window.image + uint(iy * p.in_w + window.left)) * p.quads + quad;
    for (int ix = window.left; ix < window.right; ++ix) {
      result = max(result, LOAD(x, from));
      from += p.quads;
    }
  }
  STORE(y, id, result);
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "../abi/clamp.h"

layout(push_constant) uniform Push { ClampPush p; };
READ_F(0, x);
WRITE_F(1, y);

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  STORE(y, i, Masked(InRange(LOAD(x, i), p.min, p.max), i % p.row_quads, p.columns));
}

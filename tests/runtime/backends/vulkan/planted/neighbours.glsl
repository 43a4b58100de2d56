// SPDX-License-Identifier: Apache-2.0
// A shader with the interface of shaders/clamp.comp that writes to each quad what its mirror image in the workgroup reads. The
// files that include this choose what is wrong with it.
#version 450
#include "linnet.glsl"
#include "../abi/clamp.h"

layout(push_constant) uniform Push { ClampPush p; };
READ_F(0, x);
WRITE_F(1, y);

shared vec4 quads[64];

void main() {
  const uint i = LinearId(), here = gl_LocalInvocationID.x;
  quads[here] = i < p.quads ? LOAD(x, i) : vec4(0.0);
#ifdef RETURNS_EARLY
  if (i >= p.quads) return;
#endif
#ifndef NO_BARRIER
  barrier();
#endif
#ifdef WRITES_OUTSIDE
  STORE(y, p.quads + here, quads[63u - here]);
#endif
#ifdef READS_OUTSIDE
  quads[here] = LOAD(x, p.quads + here);
#endif
  if (i < p.quads) STORE(y, i, quads[63u - here]);
}

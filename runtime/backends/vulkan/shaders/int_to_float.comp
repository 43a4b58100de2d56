// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/int_to_float.h"

layout(push_constant) uniform Push { UnaryPush p; };
READ_I(0, x);
WRITE_F(1, y);

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  STORE(y, i, MaskedRow(vec4(LOAD(x, i)), i, p.row_quads, p.columns));
}

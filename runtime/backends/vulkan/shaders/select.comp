// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/select.h"

layout(push_constant) uniform Push { BinaryPush p; };
#include "broadcast.glsl"
READ_I(0, condition);
READ_U(1, if_true);
READ_U(2, if_false);
WRITE_U(3, y);

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uvec3 at = InputQuads(i);
  const ivec4 which = SPLATTED(0, LOAD(condition, at.x));
  const uvec4 yes = SPLATTED(1, LOAD(if_true, at.y)), no = SPLATTED(2, LOAD(if_false, at.z));
  STORE(y, i, MaskedRow(mix(no, yes, notEqual(which, ivec4(0))), i, p.row_quads, p.columns));
}

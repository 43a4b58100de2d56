// SPDX-License-Identifier: Apache-2.0
// Copies a tensor from the host's dense layout. A thread writes one quad.
#version 450
#include "linnet.glsl"
#include "../abi/pack_in.h"

layout(constant_id = 1) const uint kElementBytes = 4;
layout(push_constant) uniform Push { PackInPush p; };
layout(std430, set = 0, binding = 0) readonly buffer Binding0 { uint dense[]; };
#ifdef LINNET_F16P
WRITE_F(1, y);
#define STORE_BITS(i, value) STORE(y, i, uintBitsToFloat(value))
#else
WRITE_U(1, y);
#define STORE_BITS(i, value) STORE(y, i, value)
#endif

uint Element(uint i) {
  return kElementBytes == 4 ? dense[i] : bitfieldExtract(dense[i / 4u], int(i % 4u) * 8, 8);
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads;
  const uint column = (i - row * p.row_quads) * 4u;
  const uint first = row * p.columns + column;
  uvec4 value = uvec4(Element(first), 0u, 0u, 0u);
  if (column + 1u < p.columns) value.y = Element(first + 1u);
  if (column + 2u < p.columns) value.z = Element(first + 2u);
  if (column + 3u < p.columns) value.w = Element(first + 3u);
  STORE_BITS(i, value);
}

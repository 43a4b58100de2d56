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

// The i32 that is nearest to an i64. The low word alone is right where the high word only repeats its sign.
uint Nearest(uint low, uint high) {
  const uint sign = uint(int(high) >> 31);
  return high == uint(int(low) >> 31) ? low : sign ^ 0x7fffffffu;
}

uint Element(uint i) {
  if (kElementBytes == 8) return Nearest(dense[i * 2u], dense[i * 2u + 1u]);
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

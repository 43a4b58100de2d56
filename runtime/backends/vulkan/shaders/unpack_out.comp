// SPDX-License-Identifier: Apache-2.0
// Copies a tensor to the host's dense layout. A thread writes four elements that follow each other, which may lie in several rows.
#version 450
#include "linnet.glsl"
#include "../abi/unpack_out.h"

layout(constant_id = 1) const uint kElementBytes = 4;
layout(push_constant) uniform Push { UnpackOutPush p; };
layout(std430, set = 0, binding = 0) readonly buffer Binding0 { uint x[]; };
layout(std430, set = 0, binding = 1) buffer Binding1 { uint dense[]; };

// Of element i.
uint BitsAt(uint i) {
#ifdef LINNET_F16P
  return floatBitsToUint(unpackHalf2x16(x[i >> 1u])[i & 1u]);
#else
  return x[i];
#endif
}

void main() {
  const uint i = LinearId();
  const uint first = i * 4u;
  if (first >= p.elements) return;
  uint row = first / p.columns;
  uint column = first - row * p.columns;
  uint bytes = 0u;
  for (uint lane = 0u; lane < 4u && first + lane < p.elements; ++lane) {
    const uint value = BitsAt(row * p.row_quads * 4u + column);
    if (kElementBytes == 8) {
      dense[(first + lane) * 2u] = value;
      dense[(first + lane) * 2u + 1u] = uint(int(value) >> 31);
    } else if (kElementBytes == 4) {
      dense[first + lane] = value;
    } else {
      bytes |= (value & 0xffu) << (8u * lane);
    }
    if (++column == p.columns) {
      column = 0u;
      ++row;
    }
  }
  if (kElementBytes == 1) dense[i] = bytes;
}

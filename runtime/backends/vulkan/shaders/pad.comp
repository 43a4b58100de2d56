// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/pad.h"

layout(constant_id = 1) const uint MODE = kPadConstant;
layout(constant_id = 2) const uint RANK = 1u;
layout(constant_id = 3) const bool WHOLE_ROWS = false;
layout(push_constant) uniform Push { PadPush p; };
READ_U(0, x);
WRITE_U(1, y);

// Where position `index` of the output is in dimension `d` of the input. False: in the border.
bool InputIndex(uint d, uint index, out uint result) {
  int at = int(index) - int(p.before[d]);
  const int extent = int(p.in_extent[d]);
  if (MODE == kPadConstant) {
    result = uint(at);
    return at >= 0 && at < extent;
  }
  const int repeated = MODE == kPadSymmetric ? 1 : 0;
  if (at < 0) at = -at - repeated;
  if (at >= extent) at = 2 * extent - 2 + repeated - at;
  result = uint(at);
  return true;
}

// One dimension's part of where a row of the input starts. Written out for each, because a division in a loop costs much where it
// is not unrolled.
#define ADD_DIMENSION(d)                                                            \
  if (RANK > d) {                                                                   \
    const uint next = RANK > d + 1u ? rest / p.out_extent[d] : 0u;                  \
    inside = InputIndex(d, rest - next * p.out_extent[d], index) && inside;         \
    start += index * p.stride[d];                                                   \
    rest = next;                                                                    \
  }

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads, quad = i - row * p.row_quads;
  uint start = 0u;
  bool inside = true;
  uint rest = row, index;
  ADD_DIMENSION(1u)
  ADD_DIMENSION(2u)
  ADD_DIMENSION(3u)
  ADD_DIMENSION(4u)
  ADD_DIMENSION(5u)
  uvec4 value = uvec4(MOVED(p.value));
  if (WHOLE_ROWS) {
    if (inside) value = LOAD(x, (start >> 2u) + quad);
  } else if (inside) {
    for (uint lane = 0u; lane < 4u; ++lane) {
      if (quad * 4u + lane < p.columns && InputIndex(0u, quad * 4u + lane, index)) {
        const uint at = start + index;
        value[lane] = LOAD(x, at >> 2u)[at & 3u];
      }
    }
  }
  STORE(y, i, Masked(value, quad, p.columns));
}

// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/gather.h"

layout(constant_id = 1) const bool ROWS = true;
layout(push_constant) uniform Push { GatherPush p; };
READ_U(0, x);
READ_U(1, indices);  // without padding, all below p.dim: the lowering has looked
WRITE_U(2, y);

// Position along the axis, and [batch, outer] of the source, for `place` in [batch, outer, count].
uint Index(uint place, out uint before) {
  before = place / p.count;
  const uint at = before / p.outer * p.count + (place - before * p.count);
  return indices[at >> 2u][at & 3u];
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads, quad = i - row * p.row_quads;
  uint before;
  if (ROWS) {
    const uint place = row / p.inner_rows;
    const uint index = Index(place, before);
    const uint from = (before * p.dim + index) * p.inner_rows + (row - place * p.inner_rows);
    y[i] = Masked(x[from * p.row_quads + quad], quad, p.columns);
    return;
  }
  uvec4 value = uvec4(0u);
  for (uint lane = 0u; lane < 4u; ++lane) {
    const uint column = quad * 4u + lane;
    if (column >= p.columns) break;
    const uint index = Index(row * p.columns + column, before);
    const uint at = before * p.from_row + index;
    value[lane] = x[at >> 2u][at & 3u];
  }
  y[i] = value;
}

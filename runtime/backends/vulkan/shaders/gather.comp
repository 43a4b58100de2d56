// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/gather.h"

layout(constant_id = 1) const bool ROWS = true;
layout(constant_id = 2) const bool PADDED_INDICES = true;
layout(push_constant) uniform Push { GatherPush p; };
READ_U(0, x);
READ_I(1, indices);
WRITE_U(2, y);

// What is out of range becomes the last place: somebody else makes the run fail.
uint Index(uint at) {
  if (PADDED_INDICES) at += at / p.index_columns * (p.index_row - p.index_columns);
  return min(uint(LOAD(indices, at >> 2u)[at & 3u]), p.dim - 1u);
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads, quad = i - row * p.row_quads;
  // Place in [batch, outer, count] of the first element.
  const uint place = ROWS ? row / p.inner_rows : row * p.columns + quad * 4u;
  uint before = place / p.count, at = place - before * p.count;
  uint batch = before / p.outer, outer = before - batch * p.outer;
  if (ROWS) {
    const uint from = (before * p.dim + Index(batch * p.count + at)) * p.inner_rows + (row - place * p.inner_rows);
    STORE(y, i, Masked(LOAD(x, from * p.row_quads + quad), quad, p.columns));
    return;
  }
  uvec4 value = uvec4(0u);
  for (uint lane = 0u; lane < 4u && quad * 4u + lane < p.columns; ++lane) {
    const uint from = before * p.from_row + Index(batch * p.count + at);
    value[lane] = LOAD(x, from >> 2u)[from & 3u];
    if (++at < p.count) continue;
    at = 0u;
    ++before;
    if (++outer < p.outer) continue;
    outer = 0u;
    ++batch;
  }
  STORE(y, i, value);
}

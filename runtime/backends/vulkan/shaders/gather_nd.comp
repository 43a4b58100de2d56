// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/gather_nd.h"

layout(constant_id = 1) const bool ROWS = true;
layout(constant_id = 2) const uint DEPTH = 1u;
layout(push_constant) uniform Push { GatherNdPush p; };
READ_U(0, x);
READ_I(1, indices);
WRITE_U(2, y);
layout(std430, set = 0, binding = 3) buffer Binding3 { uint found[]; };

// The number of the place that row `row` of the indices names, which is one of batch `batch`, in [batch, dims]: in single elements
// without the last dimension (x), and in that one (y). False, and the run fails, where it names none.
bool Find(uint row, uint batch, out uvec2 place) {
  place = uvec2(batch, 0u);
  bool good = true;
  for (uint k = 0u; k < DEPTH; ++k) {
    const uint index = uint(LOAD(indices, row * p.index_quads + (k >> 2u))[k & 3u]);
    good = good && index < p.dims[k];
    if (!ROWS && k + 1u == DEPTH)
      place.y = index;
    else
      place.x = place.x * p.dims[k] + index;
  }
  if (!good) atomicOr(found[0], 1u);
  return good;
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads, quad = i - row * p.row_quads;
  uvec4 value = uvec4(0u);
  uvec2 place;
  if (ROWS) {
    const uint from = row / p.inner_rows;
    if (Find(from, from / p.count, place)) value = LOAD(x, (place.x * p.inner_rows + (row - from * p.inner_rows)) * p.row_quads + quad);
    STORE(y, i, Masked(value, quad, p.columns));
    return;
  }
  const uint first = row * p.columns + quad * 4u;
  uint batch = first / p.count, at = first - batch * p.count;
  for (uint lane = 0u; lane < 4u && quad * 4u + lane < p.columns; ++lane) {
    if (Find(first + lane, batch, place)) {
      const uint from = place.x * p.from_row + place.y;
      value[lane] = LOAD(x, from >> 2u)[from & 3u];
    }
    if (++at < p.count) continue;
    at = 0u;
    ++batch;
  }
  STORE(y, i, value);
}

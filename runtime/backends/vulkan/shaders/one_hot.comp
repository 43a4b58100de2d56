// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/one_hot.h"

layout(constant_id = 1) const bool LAST = true;
layout(push_constant) uniform Push { OneHotPush p; };
READ_I(0, indices);
READ_U(1, on);
READ_U(2, off);
WRITE_U(3, y);

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads, quad = i - row * p.row_quads;
  bvec4 hot;
  if (LAST) {
    const uint index_row = row / p.index_columns, column = row - index_row * p.index_columns;
    const int index = LOAD(indices, index_row * p.index_quads + (column >> 2u))[column & 3u];
    hot = equal(ivec4(quad * 4u) + ivec4(0, 1, 2, 3), ivec4(index));
  } else {
    // Rows are [outer, depth, inner_rows].
    const uint above = row / p.inner_rows, inner = row - above * p.inner_rows;
    const uint outer = above / p.depth, position = above - outer * p.depth;
    hot = equal(LOAD(indices, (outer * p.inner_rows + inner) * p.index_quads + quad), ivec4(position));
  }
  STORE(y, i, Masked(mix(uvec4(LOAD(off, 0u).x), uvec4(LOAD(on, 0u).x), hot), quad, p.columns));
}

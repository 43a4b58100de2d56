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

// Where an element of the indices lies, and its column.
struct Place { uint at, column; };

Place PlaceOf(uint element) {
  if (!PADDED_INDICES) return Place(element, 0u);
  const uint row = element / p.index_columns, column = element - row * p.index_columns;
  return Place(row * p.index_row + column, column);
}

// That of the next element.
Place Behind(Place place) {
  ++place.at;
  if (!PADDED_INDICES || ++place.column < p.index_columns) return place;
  return Place(place.at + p.index_row - p.index_columns, 0u);
}

// What is out of range becomes the last place: somebody else makes the run fail.
uint Index(Place place) { return min(uint(LOAD(indices, place.at >> 2u)[place.at & 3u]), p.dim - 1u); }

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads, quad = i - row * p.row_quads;
  // Place in [batch, outer, count] of the first element.
  const uint place = ROWS ? row / p.inner_rows : row * p.columns + quad * 4u;
  uint before = place / p.count, at = place - before * p.count;
  const uint batch = before / p.outer;
  uint outer = before - batch * p.outer;
  Place index = PlaceOf(batch * p.count + at);
  if (ROWS) {
    const uint from = (before * p.dim + Index(index)) * p.inner_rows + (row - place * p.inner_rows);
    STORE(y, i, Masked(LOAD(x, from * p.row_quads + quad), quad, p.columns));
    return;
  }
  Place first = PlaceOf(batch * p.count);
  uvec4 value = uvec4(0u);
  for (uint lane = 0u; lane < 4u && quad * 4u + lane < p.columns; ++lane) {
    const uint from = before * p.from_row + Index(index);
    value[lane] = LOAD(x, from >> 2u)[from & 3u];
    index = Behind(index);
    if (++at < p.count) continue;
    at = 0u;
    ++before;
    if (++outer < p.outer) {
      index = first;  // the same batch again
    } else {
      outer = 0u;
      first = index;
    }
  }
  STORE(y, i, value);
}

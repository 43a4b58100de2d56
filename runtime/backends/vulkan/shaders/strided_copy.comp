// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "../abi/strided_copy.h"

layout(constant_id = 1) const uint MODE = kCopyQuads;
layout(constant_id = 2) const uint RANK = 1u;
layout(constant_id = 3) const uint PART = 0u;
layout(push_constant) uniform Push { StridedCopyPush p; };
READ_U(0, x);
WRITE_U(1, y);

uint Element(int at) { return LOAD(x, uint(at) >> 2u)[uint(at) & 3u]; }

// Splits `rest`, a number that counts positions in the dimensions from `d` on: `index` becomes the position in this one. Written
// out for each, because a division in a loop costs much where it is not unrolled.
#define SPLIT(d, index)                                                     \
  if (RANK > d) {                                                           \
    const uint next = RANK > d + 1u ? rest / p.extent[d] : 0u;              \
    index = rest - next * p.extent[d];                                      \
    at += int(index) * p.stride[d];                                         \
    rest = next;                                                            \
  }

// The element of the source with which row `row` begins.
int RowStart(uint row) {
  int at = p.from;
  uint rest = row, index;
  SPLIT(1u, index)
  SPLIT(2u, index)
  SPLIT(3u, index)
  SPLIT(4u, index)
  SPLIT(5u, index)
  return at;
}

// Four elements of row `row` from column `column` on, which may be negative; 0 where the row has none.
uvec4 Elements(uint row, int column) {
  const int start = RowStart(row);
  uvec4 value = uvec4(0u);
  for (int lane = 0; lane < 4; ++lane) {
    const int at = column + lane;
    if (at >= 0 && at < int(p.columns)) value[lane] = Element(start + at * p.stride[0]);
  }
  return value;
}

// The same for rows of several dimensions. Counts from the first element to the next ones, so that only the first needs divisions.
uvec4 SpreadElements(uint row, uint column) {
  uint index[6];
  int at = p.from;
  uint rest = row * p.columns + column;
  SPLIT(0u, index[0])
  SPLIT(1u, index[1])
  SPLIT(2u, index[2])
  SPLIT(3u, index[3])
  SPLIT(4u, index[4])
  SPLIT(5u, index[5])
  uvec4 value = uvec4(0u);
  for (uint lane = 0u; lane < 4u && column + lane < p.columns; ++lane) {
    value[lane] = Element(at);
    at += p.stride[0];
    ++index[0];
    for (uint d = 0u; d + 1u < RANK && index[d] == p.extent[d]; ++d) {
      at += p.stride[d + 1u] - int(p.extent[d]) * p.stride[d];
      index[d] = 0u;
      ++index[d + 1u];
    }
  }
  return value;
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint row = i / p.row_quads, quad = i - row * p.row_quads;
  const uint block = row / p.block_rows;
  const uint to = p.to + block * p.to_block + (row - block * p.block_rows) * p.to_row + quad;
  if (MODE == kCopyQuads) {
    STORE(y, to, Masked(LOAD(x, (uint(RowStart(row)) >> 2u) + quad), quad, p.columns));
    return;
  }
  if (MODE == kCopySpread) {
    STORE(y, to, SpreadElements(row, quad * 4u));
    return;
  }
  const int column = int(quad * 4u) - int(p.first);
  const uvec4 value = Elements(row, column);
  if (PART == 0u || (column >= 0 && (PART == 2u || column + 4 <= int(p.columns)))) {
    STORE(y, to, value);
    return;
  }
  // Writes only the lanes that belong to this part; a write of the whole quad would undo the neighbour's.
  for (int lane = 0; lane < 4; ++lane) {
    const int at = column + lane;
    if (at >= 0 && (PART == 2u || at < int(p.columns))) STORE_LANE(y, to, lane, value[lane]);
  }
}

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

uint Element(int at) { return x[uint(at) >> 2u][uint(at) & 3u]; }

// The element of the source with which row `row` begins.
int RowStart(uint row) {
  int at = p.from;
  uint rest = row;
  for (uint d = 1u; d + 1u < RANK; ++d) {
    const uint next = rest / p.extent[d];
    at += int(rest - next * p.extent[d]) * p.stride[d];
    rest = next;
  }
  return RANK > 1u ? at + int(rest) * p.stride[RANK - 1u] : at;
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
  for (uint d = 0u; d < RANK; ++d) {
    const uint next = d + 1u < RANK ? rest / p.extent[d] : 0u;
    index[d] = rest - next * p.extent[d];
    at += int(index[d]) * p.stride[d];
    rest = next;
  }
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
    y[to] = Masked(x[(uint(RowStart(row)) >> 2u) + quad], quad, p.columns);
    return;
  }
  if (MODE == kCopySpread) {
    y[to] = SpreadElements(row, quad * 4u);
    return;
  }
  const int column = int(quad * 4u) - int(p.first);
  const uvec4 value = Elements(row, column);
  if (PART == 0u || (column >= 0 && (PART == 2u || column + 4 <= int(p.columns)))) {
    y[to] = value;
    return;
  }
  // Writes only the lanes that belong to this part; a write of the whole quad would undo the neighbour's.
  for (int lane = 0; lane < 4; ++lane) {
    const int at = column + lane;
    if (at >= 0 && (PART == 2u || at < int(p.columns))) y[to][lane] = value[lane];
  }
}

// SPDX-License-Identifier: Apache-2.0
// The tiles of a Winograd convolution's input, transformed: matrix i of the result has value i of each tile, as rows of quads. A
// thread makes all values of one quad of a tile; adjacent threads have adjacent quads.
#version 450
#include "linnet.glsl"
#include "winograd.glsl"
#include "../abi/winograd_in.h"

layout(push_constant) uniform Push { WinogradInPush p; };
READ_F(0, x);
WRITE_F32(1, v);

void main() {
  const uint id = LinearId();
  const uint tile = id / p.in_quads, quad = id - tile * p.in_quads;
  if (tile >= p.tiles) return;
  const Tile at = TileAt(p.first + tile, p.tiles_h, p.tiles_w);
  const int top = int(at.y) * kOutputs - p.pad_top, left = int(at.x) * kOutputs - p.pad_left;
  vec4 rows[kMostSide][kMostSide];
  for (int j = 0; j < kSide; ++j) {
    const int ix = left + j;
    const bool in_line = ix >= 0 && ix < p.in_w;
    vec4 column[kMostSide];
    for (int i = 0; i < kSide; ++i) {
      const int iy = top + i;
      const uint pixel = (at.image * uint(p.in_h) + uint(clamp(iy, 0, p.in_h - 1))) * uint(p.in_w) + uint(clamp(ix, 0, p.in_w - 1));
      const bool inside = in_line && iy >= 0 && iy < p.in_h;
      column[i] = mix(vec4(0.0), LOAD(x, pixel * p.in_quads + quad), bvec4(inside));
    }
    column = TransformIn(column);
    for (int i = 0; i < kSide; ++i) rows[i][j] = column[i];
  }
  const uint matrix = p.tiles * p.in_quads;
  uint to = tile * p.in_quads + quad;
  for (int i = 0; i < kSide; ++i) {
    const vec4 row[kMostSide] = TransformIn(rows[i]);
    for (int j = 0; j < kSide; ++j) {
      STORE_F32(v, to, row[j]);
      to += matrix;
    }
  }
}

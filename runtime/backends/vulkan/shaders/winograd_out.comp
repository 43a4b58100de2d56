// SPDX-License-Identifier: Apache-2.0
// The output of a Winograd convolution from the products of winograd_product.comp. A thread makes the pixels of a tile, one quad of
// each; adjacent threads have adjacent quads.
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "winograd.glsl"
#include "../abi/winograd_out.h"

layout(push_constant) uniform Push { WinogradOutPush p; };
READ_F32(0, m);
READ_F(1, bias);
WRITE_F(2, y);

void main() {
  const uint id = LinearId();
  const uint tile = id / p.out_quads, quad = id - tile * p.out_quads;
  if (tile >= p.tiles) return;
  const uint matrix = p.tiles * p.out_quads;
  vec4 rows[kMostSide][kMostSide];
  for (int j = 0; j < kSide; ++j) {
    vec4 column[kMostSide];
    for (int i = 0; i < kSide; ++i) column[i] = LOAD_F32(m, uint(i * kSide + j) * matrix + tile * p.out_quads + quad);
    column = TransformOut(column);
    for (int i = 0; i < kOutputs; ++i) rows[i][j] = column[i];
  }
  const Tile at = TileAt(p.first + tile, p.tiles_h, p.tiles_w);
  const vec4 start = LOAD(bias, quad);
  for (int i = 0; i < kOutputs; ++i) {
    const uint oy = at.y * uint(kOutputs) + uint(i);
    const vec4 row[kMostSide] = TransformOut(rows[i]);
    for (int j = 0; j < kOutputs; ++j) {
      const uint ox = at.x * uint(kOutputs) + uint(j);
      if (oy >= p.out_h || ox >= p.out_w) continue;
      const uint to = ((at.image * p.out_h + oy) * p.out_w + ox) * p.out_quads + quad;
      STORE(y, to, Masked(InRange(row[j] + start, p.min, p.max), quad, p.columns));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// Stores a tile of results: kQuads quads of TILE_LINES rows or pixels. The includer defines TILE_LINES and TILE_MAX_LINES, includes
// epilogue.glsl and has p.out_quads and p.quad_tiles.

// `to`: quad 0 of the first line. `lines`: how many there are. The values move to the front of the arrays, because drivers unroll a loop
// that counts through an array, and would compile the epilogue once for each element.
void StoreTile(vec4 sum[kMaxQuads][TILE_MAX_LINES], uint to, uint lines, uint quad) {
  for (uint t = 0u; t < lines; ++t, to += p.out_quads) {
    vec4 line[kMaxQuads];
    for (int q = 0; q < kQuads; ++q) {
      line[q] = sum[q][0];
      for (int k = 0; k + 1 < TILE_LINES; ++k) sum[q][k] = sum[q][k + 1];
    }
    for (uint at = quad; at < p.out_quads; at += p.quad_tiles) {
      const vec4 value = line[0];
      for (int k = 0; k + 1 < kQuads; ++k) line[k] = line[k + 1];
      STORE_RESULT(y, to + at, at, value);
    }
  }
}

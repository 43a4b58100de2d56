// SPDX-License-Identifier: Apache-2.0
// Where the tiles of a Winograd convolution are, and what runtime/backends/vulkan/winograd.h calls their transforms. A tile has
// kOutputs pixels on each side in the output, and kSide in the input.

layout(constant_id = 1) const int kOutputs = 4;

const int kMostSide = 6;
const int kSide = kOutputs + 2;

struct Tile { uint image, y, x; };
Tile TileAt(uint number, uint tiles_h, uint tiles_w) {
  const uint line = number / tiles_w, image = line / tiles_h;
  return Tile(image, line - image * tiles_h, number - line * tiles_w);
}

// One line of a tile of the input.
vec4[kMostSide] TransformIn(vec4 d[kMostSide]) {
  if (kOutputs == 2) return vec4[](d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3], vec4(0.0), vec4(0.0));
  const vec4 even1 = d[4] - 2.25 * d[2], odd1 = 0.75 * (d[3] - 2.25 * d[1]);
  const vec4 even2 = d[4] - 0.5625 * d[2], odd2 = 1.5 * (d[3] - 0.5625 * d[1]);
  return vec4[](1.265625 * d[0] - 2.8125 * d[2] + d[4], even1 + odd1, even1 - odd1, even2 + odd2, even2 - odd2,
                1.265625 * d[1] - 2.8125 * d[3] + d[5]);
}

// One line of the products of a tile; the first kOutputs of the result count.
vec4[kMostSide] TransformOut(vec4 m[kMostSide]) {
  const vec4 sum1 = m[1] + m[2], difference1 = m[1] - m[2];
  if (kOutputs == 2) return vec4[](m[0] + sum1, difference1 - m[3], vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
  const vec4 sum2 = m[3] + m[4], difference2 = m[3] - m[4];
  return vec4[](m[0] + sum1 + sum2, 0.75 * difference1 + 1.5 * difference2, 0.5625 * sum1 + 2.25 * sum2,
                0.421875 * difference1 + 3.375 * difference2 + m[5], vec4(0.0), vec4(0.0));
}

// SPDX-License-Identifier: Apache-2.0
// CropAndResize. Each thread computes one quad of a pixel of a crop. Positions are computed with the operations of
// runtime/kernels/crop_and_resize.cc, because their rounding decides which samples are outside.
#version 450
#include "linnet.glsl"
#include "../abi/crop_and_resize.h"

layout(constant_id = 1) const bool kNearest = false;

layout(push_constant) uniform Push { CropAndResizePush p; };
READ_F(0, x);
READ_F(1, boxes);  // a quad is a box
READ_I(2, index);
WRITE_F(3, y);

// a / b rounded correctly, which a GPU's division need not be.
float Quotient(float a, float b) {
  precise float quotient = a / b;
  precise float rest = fma(-quotient, b, a);
  return quotient + rest / b;
}

float PositionOf(float low, float high, int size, uint count, uint i) {
  const float last = float(size - 1);
  precise float position;
  if (count == 1u) {
    position = low + high;
    position = 0.5 * position;
    position = position * last;
    return position;
  }
  precise float extent = high - low;
  extent = extent * last;
  precise float steps = float(i) * Quotient(extent, float(count - 1u));
  position = low * last;
  position = position + steps;
  return position;
}

// NaN is outside.
bool Inside(float position, int size) { return position >= 0.0 && position <= float(size - 1); }

struct Tap {
  int low, high;
  float weight;  // of `high`
};

// For a position inside the axis. Above 2^24, the number of the last pixel may be rounded up to one that does not exist.
Tap TapAt(float position, int size) {
  const float whole = floor(position);
  const int low = min(int(whole), size - 1), high = min(int(ceil(position)), size - 1);
  if (kNearest) {
    const int nearest = position - whole >= 0.5 ? high : low;  // halves away from zero
    return Tap(nearest, nearest, 0.0);
  }
  return Tap(low, high, position - whole);
}

void main() {
  const uint id = LinearId();
  const uint pixel = id / p.quads, quad = id - pixel * p.quads;
  const uint row = pixel / p.crop_w, box = row / p.crop_h;
  if (box >= p.boxes) return;
  const vec4 corners = LOAD(boxes, box);
  const float down = PositionOf(corners.x, corners.z, p.in_h, p.crop_h, row - box * p.crop_h);
  const float right = PositionOf(corners.y, corners.w, p.in_w, p.crop_w, pixel - row * p.crop_w);
  if (!Inside(down, p.in_h) || !Inside(right, p.in_w)) {
    STORE(y, id, Masked(vec4(p.extrapolation), quad, p.columns));
    return;
  }
  const Tap rows = TapAt(down, p.in_h), columns = TapAt(right, p.in_w);
  const int image = clamp(LOAD(index, box / 4u)[box % 4u], 0, p.images - 1) * p.in_h;
  const uint top = uint((image + rows.low) * p.in_w), bottom = uint((image + rows.high) * p.in_w);
  const uint left_column = uint(columns.low), right_column = uint(columns.high);
  const vec4 top_left = LOAD(x, (top + left_column) * p.quads + quad);
  if (kNearest) {
    STORE(y, id, top_left);
    return;
  }
  const vec4 above = top_left + (LOAD(x, (top + right_column) * p.quads + quad) - top_left) * columns.weight;
  const vec4 bottom_left = LOAD(x, (bottom + left_column) * p.quads + quad);
  const vec4 below = bottom_left + (LOAD(x, (bottom + right_column) * p.quads + quad) - bottom_left) * columns.weight;
  STORE(y, id, above + (below - above) * rows.weight);
}

// SPDX-License-Identifier: Apache-2.0
// Resize of floats with mode Bicubic, by the rules of runtime/kernels/resize_bicubic.h.
#version 450
#include "linnet.glsl"
#include "resize.glsl"

READ_F(0, x);
WRITE_F(1, y);

const float kSteps = 1024.0;  // positions within a pixel
const bool kHalfPixel = kSampling == LINNET_RESIZE_HALF_PIXEL;
const float kA = kHalfPixel ? -0.5 : -0.75;

// The cubic filter at distance d (0..1, 1..2) from its centre.
float Near(float d) { return ((kA + 2.0) * d - (kA + 3.0)) * d * d + 1.0; }
float Far(float d) { return ((kA * d - 5.0 * kA) * d + 8.0 * kA) * d - 4.0 * kA; }

void TapsAt(uint i, float scale, int size, out ivec4 index, out vec4 weight) {
  const float position = PositionOf(i, scale), whole = floor(position);
  const float delta = roundEven((position - whole) * kSteps) / kSteps;
  const ivec4 wanted = int(whole) + ivec4(-1, 0, 1, 2);
  index = clamp(wanted, 0, size - 1);
  weight = vec4(Far(delta + 1.0), Near(delta), Near(1.0 - delta), Far(2.0 - delta));
  if (kHalfPixel) {
    weight = mix(weight, vec4(0.0), notEqual(index, wanted));
    const float sum = weight.x + weight.y + weight.z + weight.w;
    if (abs(sum) >= 1000.0 * 1.17549435e-38) weight /= sum;
  }
}

void main() {
  const uint id = LinearId();
  const Target target = TargetOf(id);
  if (target.pixel >= p.pixels) return;
  ivec4 rows, columns;
  vec4 down, right;
  TapsAt(target.y, p.scale_h, p.in_h, rows, down);
  TapsAt(target.x, p.scale_w, p.in_w, columns, right);
  vec4 sum = vec4(0.0);
  for (int j = 0; j < 4; ++j) {
    vec4 column = vec4(0.0);
    for (int i = 0; i < 4; ++i) column += LOAD(x, QuadAt(target, rows[i], columns[j])) * down[i];
    sum += column * right[j];
  }
  STORE(y, id, sum);
}

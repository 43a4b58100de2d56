// SPDX-License-Identifier: Apache-2.0
// Resize with mode Nearest, of elements of any type.
#version 450
#include "linnet.glsl"
#include "resize.glsl"

READ_U(0, x);
WRITE_U(1, y);

int Nearest(uint i, float scale, int size) {
  precise float position = float(i);
  if (kSampling == LINNET_RESIZE_HALF_PIXEL) position = position + 0.5;
  position = position * scale;
  float whole = floor(position);
  // Halves away from zero.
  if (kSampling == LINNET_RESIZE_ALIGN_CORNERS && position - whole >= 0.5) whole += 1.0;
  return min(int(whole), size - 1);
}

void main() {
  const uint id = LinearId();
  const Target target = TargetOf(id);
  if (target.pixel >= p.pixels) return;
  STORE(y, id, LOAD(x, QuadAt(target, Nearest(target.y, p.scale_h, p.in_h), Nearest(target.x, p.scale_w, p.in_w))));
}

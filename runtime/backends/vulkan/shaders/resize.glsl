// SPDX-License-Identifier: Apache-2.0
// What the resize_* shaders share: the position of the output pixel of a thread.
#include "../abi/resize_bilinear.h"

layout(constant_id = 1) const int kSampling = LINNET_RESIZE_LEGACY;

layout(push_constant) uniform Push { ResizePush p; };

struct Target {
  uint pixel, quad;  // of the output; `pixel` counts over the batch
  uint y, x;
  uint image;  // the first pixel of the input's image
};

Target TargetOf(uint id) {
  Target target;
  target.pixel = id / p.quads;
  target.quad = id - target.pixel * p.quads;
  const uint row = target.pixel / p.out_w, image = row / p.out_h;
  target.y = row - image * p.out_h;
  target.x = target.pixel - row * p.out_w;
  target.image = image * uint(p.in_h) * uint(p.in_w);
  return target;
}

// Each operation is rounded by itself, as on the CPU, because a last bit can choose another pixel.
float PositionOf(uint i, float scale) {
  precise float position = float(i);
  if (kSampling == LINNET_RESIZE_HALF_PIXEL) {
    position = position + 0.5;
    position = position * scale;
    position = position - 0.5;
  } else {
    position = position * scale;
  }
  return position;
}

uint QuadAt(Target target, int iy, int ix) { return (target.image + uint(iy * p.in_w + ix)) * p.quads + target.quad; }

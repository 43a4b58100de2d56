// SPDX-License-Identifier: Apache-2.0
// DepthwiseConv2D. A thread computes one quad of kPixels pixels that lie side by side; adjacent threads have adjacent quads. With a
// width and stride of windows that are known, it reads each input only once for all of them.
#version 450
#include "linnet.glsl"
#include "../abi/depthwise_conv2d.h"

layout(constant_id = 1) const int kPixels = 2;
layout(constant_id = 2) const bool kMultiplied = false;
layout(constant_id = 3) const int kKernelW = 0;  // 0: p.kernel_w, p.stride_w and p.dilation_w; else the dilation is 1
layout(constant_id = 4) const int kStrideW = 1;

layout(push_constant) uniform Push { DepthwiseConv2DPush p; };
READ_F(0, x);
READ_F32(1, filters);  // quads [ky][kx][o / 4], then the bias
WRITE_F(2, y);
READ_F(3, epilogue_first);
#include "epilogue.glsl"

const int kMaxPixels = 4, kMaxKernelW = LINNET_DEPTHWISE_KERNEL_W;

// The input channels of one output quad: each lane's quad in a pixel, and its element there.
uvec4 lane_quad, lane_element;

vec4 Channels(uint pixel, uint quad) {
  if (!kMultiplied) return LOAD(x, pixel + quad);
  return vec4(LOAD(x, pixel + lane_quad.x)[lane_element.x], LOAD(x, pixel + lane_quad.y)[lane_element.y],
              LOAD(x, pixel + lane_quad.z)[lane_element.z], LOAD(x, pixel + lane_quad.w)[lane_element.w]);
}

void main() {
  const uint id = LinearId();
  uint rest = id / p.out_quads;
  const uint quad = id - rest * p.out_quads;
  const uint next = rest / p.row_tiles;
  const int ox = int(rest - next * p.row_tiles) * kPixels;
  rest = next;  // the output's row, counted over the batch
  const uint image = rest / p.out_h;
  if (image >= p.images) return;
  const int top = int(rest - image * p.out_h) * p.stride_h - p.pad_top;
  const int left = ox * p.stride_w - p.pad_left;
  if (kMultiplied) {
    const uvec4 channel = min(quad * 4u + uvec4(0u, 1u, 2u, 3u), uvec4(p.columns - 1u)) / p.multiplier;
    lane_quad = channel / 4u;
    lane_element = channel % 4u;
  }

  vec4 sum[kMaxPixels];
  for (int t = 0; t < kPixels; ++t) sum[t] = LOAD(filters, uint(p.kernel_h * p.kernel_w) * p.out_quads + quad);
  for (int ky = 0; ky < p.kernel_h; ++ky) {
    const int iy = top + ky * p.dilation_h;
    if (iy < 0 || iy >= p.in_h) continue;
    const int row = (int(image) * p.in_h + iy) * p.in_w;
    if (kKernelW > 0) {
      vec4 b[kMaxKernelW];
      for (int kx = 0; kx < kKernelW; ++kx) b[kx] = LOAD(filters, uint(ky * kKernelW + kx) * p.out_quads + quad);
      for (int column = 0; column < (kPixels - 1) * kStrideW + kKernelW; ++column) {
        const int ix = left + column;
        const vec4 a = LOAD(x, uint(row + clamp(ix, 0, p.in_w - 1)) * p.in_quads + quad);
        const bvec4 inside = bvec4(ix >= 0 && ix < p.in_w);
        for (int t = 0; t < kPixels; ++t) {
          const int kx = column - t * kStrideW;
          if (kx >= 0 && kx < kKernelW) sum[t] += mix(vec4(0.0), a * b[kx], inside);
        }
      }
      continue;
    }
    for (int kx = 0; kx < p.kernel_w; ++kx) {
      const vec4 b = LOAD(filters, uint(ky * p.kernel_w + kx) * p.out_quads + quad);
      for (int t = 0; t < kPixels; ++t) {
        const int ix = left + t * p.stride_w + kx * p.dilation_w;
        const vec4 a = Channels(uint(row + clamp(ix, 0, p.in_w - 1)) * p.in_quads, quad);
        // An infinite weight must not meet the zeros of the padding.
        sum[t] += mix(vec4(0.0), a * b, bvec4(ix >= 0 && ix < p.in_w));
      }
    }
  }
  uint to = (rest * uint(p.out_w) + uint(ox)) * p.out_quads + quad;
  // As in store_tile.glsl.
  for (int t = min(kPixels, p.out_w - ox); t > 0; --t, to += p.out_quads) {
    const vec4 value = sum[0];
    for (int k = 0; k + 1 < kPixels; ++k) sum[k] = sum[k + 1];
    STORE_RESULT(y, to, quad, value);
  }
}

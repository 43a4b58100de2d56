// SPDX-License-Identifier: Apache-2.0
// TransposeConv2D: each output pixel gathers the input pixels that meet it. A thread computes kPixels pixels of a row, a stride
// apart because those meet the same taps, and kQuads quads of each; adjacent threads have adjacent quads of the same pixels.
#version 450
#include "linnet.glsl"
#include "range.glsl"
#include "filter.glsl"
#include "sums.glsl"
#include "../abi/transpose_conv2d.h"

layout(constant_id = 1) const int kPixels = 4;
layout(constant_id = 2) const int kQuads = 1;

layout(push_constant) uniform Push { TransposeConv2DPush p; };
READ_F(0, x);
READ_F(1, filters);  // its terms are [ky][kx][4 * in_quads]
WRITE_F(2, y);

const int kMaxPixels = LINNET_TRANSPOSE_CONV2D_PIXELS;

// The first tap k for which `position` - k * dilation is a multiple of stride; `kernel` if there is none.
int FirstTap(int position, int stride, int dilation, int kernel) {
  int rest = position % stride;
  const int less = dilation % stride;
  int tap = 0;
  while (rest != 0 && tap < kernel) {
    rest -= less;
    if (rest < 0) rest += stride;
    ++tap;
  }
  return tap;
}

#ifdef LINNET_F16A
// One sum in 32 bits: of the taps from first_y and first_x on, of which the first meets the input pixel iy, ix of an image.
vec4 WideSum(uint quad, int image, int first_y, int iy, int first_x, int first_ix) {
  const uint terms = uint(p.kernel_h * p.kernel_w) * p.in_quads * 4u;
  const uint start = FilterStart(quad, terms), step = FilterStep(quad, p.out_quads);
  vec4 sum = LOAD(filters, FilterBias(quad, terms, p.out_quads));
  for (int ky = first_y; ky < p.kernel_h; ky += p.step_h, iy -= p.back_h) {
    int ix = first_ix;
    for (int kx = first_x; kx < p.kernel_w; kx += p.step_w, ix -= p.back_w) {
      if (iy < 0 || iy >= p.in_h || ix < 0 || ix >= p.in_w) continue;
      const uint from = uint((image * p.in_h + iy) * p.in_w + ix) * p.in_quads;
      uint w = start + uint(ky * p.kernel_w + kx) * p.in_quads * 4u * step;
      for (uint k = 0u; k < p.in_quads; ++k) {
        const vec4 a = LOAD(x, from + k);
        for (int i = 0; i < 4; ++i, w += step) sum += a[i] * LOAD(filters, w);
      }
    }
  }
  return sum;
}
#endif

void main() {
  const uint id = LinearId();
  uint rest = id / p.quad_tiles;
  const uint quad = id - rest * p.quad_tiles;
  uint next = rest / p.phase_tiles;
  const int turn = int(rest - next * p.phase_tiles) * kPixels;
  rest = next / p.phases;  // the output's row, counted over the batch
  const int ox = int(next - rest * p.phases) + turn * p.stride_w;
  const uint image = rest / p.out_h;
  if (image >= p.images || ox >= p.out_w) return;
  const uint other = min(quad + p.quad_tiles, p.out_quads - 1u);
  const int down = int(rest - image * p.out_h) + p.pad_top, right = ox + p.pad_left;
  const int first_y = FirstTap(down, p.stride_h, p.dilation_h, p.kernel_h);
  const int first_x = FirstTap(right, p.stride_w, p.dilation_w, p.kernel_w);

  const uint tap_terms = p.in_quads * 4u;
  const uint terms = uint(p.kernel_h * p.kernel_w) * tap_terms;
  const uint start = FilterStart(quad, terms), step = FilterStep(quad, p.out_quads);
  const uint start2 = FilterStart(other, terms), step2 = FilterStep(other, p.out_quads);
  vec4 sum[kMaxPixels], sum2[kMaxPixels];
  A4 part[kMaxPixels], part2[kMaxPixels];
  uint added = 0u;  // quads of terms
  for (int t = 0; t < kPixels; ++t) {
    part[t] = part2[t] = A4(0);
    sum[t] = LOAD(filters, FilterBias(quad, terms, p.out_quads));
    if (kQuads == 2) sum2[t] = LOAD(filters, FilterBias(other, terms, p.out_quads));
  }
  const int first_iy = (down - first_y * p.dilation_h) / p.stride_h;
  int iy = first_iy;
  const int first_ix = (right - first_x * p.dilation_w) / p.stride_w;
  for (int ky = first_y; ky < p.kernel_h; ky += p.step_h, iy -= p.back_h) {
    if (iy < 0 || iy >= p.in_h) continue;
    const int row = (int(image) * p.in_h + iy) * p.in_w;
    int ix = first_ix;
    for (int kx = first_x; kx < p.kernel_w; kx += p.step_w, ix -= p.back_w) {
      uint from[kMaxPixels];
      bvec4 inside[kMaxPixels];
      for (int t = 0; t < kPixels; ++t) {
        inside[t] = bvec4(ix + t >= 0 && ix + t < p.in_w);
        from[t] = uint(row + clamp(ix + t, 0, p.in_w - 1)) * p.in_quads;
      }
      const uint term = uint(ky * p.kernel_w + kx) * tap_terms;
      uint w = start + term * step, w2 = start2 + term * step2;
      for (uint k = 0u; k < p.in_quads; ++k) {
        A4 a[kMaxPixels];
        for (int t = 0; t < kPixels; ++t) a[t] = mix(A4(0), LOAD_A(x, from[t] + k), inside[t]);
        for (int i = 0; i < 4; ++i) {
          const A4 b = LOAD_A(filters, w);
          for (int t = 0; t < kPixels; ++t) PARTS(part, sum)[t] += a[t][i] * b;
          if (kQuads == 2) {
            const A4 b2 = LOAD_A(filters, w2);
            for (int t = 0; t < kPixels; ++t) PARTS(part2, sum2)[t] += a[t][i] * b2;
          }
          w += step;
          w2 += step2;
        }
#ifdef LINNET_F16A
        if (IsPartFull(++added)) {
          for (int t = 0; t < kPixels; ++t) {
            AddPart(sum[t], part[t]);
            if (kQuads == 2) AddPart(sum2[t], part2[t]);
          }
        }
#endif
      }
    }
  }
#ifdef LINNET_F16A
  uint spoiled = 0u;
  for (int t = 0; t < kPixels; ++t) {
    AddPart(sum[t], part[t]);
    if (IsSpoiled(sum[t])) spoiled |= 1u << t;
    if (kQuads == 1) continue;
    AddPart(sum2[t], part2[t]);
    if (IsSpoiled(sum2[t])) spoiled |= 1u << (kMaxPixels + t);
  }
  for (; spoiled != 0u; spoiled &= spoiled - 1u) {
    const int place = findLSB(spoiled);
    const vec4 wide = WideSum(place < kMaxPixels ? quad : other, int(image), first_y, first_iy, first_x,
                              first_ix + place % kMaxPixels);
    for (int t = 0; t < kPixels; ++t) {
      if (place == t) sum[t] = wide;
      if (place == kMaxPixels + t) sum2[t] = wide;
    }
  }
#endif
  const uint to = rest * uint(p.out_w);
  for (int t = 0; t < kPixels; ++t) {
    const int column = ox + t * p.stride_w;
    if (column >= p.out_w) break;
    const uint pixel = (to + uint(column)) * p.out_quads;
    STORE(y, pixel + quad, Masked(InRange(sum[t], p.min, p.max), quad, p.columns));
    if (kQuads == 2 && quad + p.quad_tiles < p.out_quads)
      STORE(y, pixel + other, Masked(InRange(sum2[t], p.min, p.max), other, p.columns));
  }
}

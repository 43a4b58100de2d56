// SPDX-License-Identifier: Apache-2.0
// As gemm, for outputs that are too few to occupy a GPU with one thread each (products of a vector and a matrix): the threads of a
// workgroup share the terms of each sum.
#version 450
#include "linnet.glsl"
#include "filter.glsl"
#include "../abi/gemm_split.h"

layout(constant_id = 1) const int kRows = 1;

layout(push_constant) uniform Push { GemmSplitPush p; };
READ_F(0, x);
READ_F(1, filters);  // its terms are those of x's rows with their padding
WRITE_F(2, y);
READ_F(3, epilogue_first);
#include "epilogue.glsl"

const int kMaxRows = 4;
const uint kQuads = LINNET_GEMM_SPLIT_QUADS, kParts = LINNET_GEMM_SPLIT_PARTS;
shared vec4 parts[kMaxRows][kParts * kQuads];

void main() {
  const uint group = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  const uint local = gl_LocalInvocationIndex;
  const uint tile = group / p.quad_tiles;
  const uint row = tile * kRows;
  const uint quad = (group - tile * p.quad_tiles) * kQuads + local % kQuads;
  const uint part = local / kQuads;
  const bool inside = row < p.rows && quad < p.out_quads;

  uint from[kMaxRows];
  vec4 sum[kMaxRows];
  for (int t = 0; t < kRows; ++t) {
    from[t] = min(row + t, p.rows - 1u) * p.in_quads;
    sum[t] = vec4(0.0);
  }
  const uint start = FilterStart(quad, p.in_quads * 4u), w_step = FilterStep(quad, p.out_quads);
  const uint end = inside ? p.in_quads : 0u;
  for (uint k = part; k < end; k += kParts) {
    const uint w = start + k * 4u * w_step;
    const vec4 b0 = LOAD(filters, w), b1 = LOAD(filters, w + w_step);
    const vec4 b2 = LOAD(filters, w + 2u * w_step), b3 = LOAD(filters, w + 3u * w_step);
    for (int t = 0; t < kRows; ++t) {
      const vec4 a = LOAD(x, from[t] + k);
      sum[t] += a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3;
    }
  }
  for (int t = 0; t < kRows; ++t) parts[t][local] = sum[t];
  barrier();

  // Part t of the threads finishes row t.
  if (inside && part < kRows && row + part < p.rows) {
    vec4 total = LOAD(filters, FilterBias(quad, p.in_quads * 4u, p.out_quads));
    for (uint i = 0u; i < kParts; ++i) total += parts[part][i * kQuads + local % kQuads];
    STORE_RESULT(y, (row + part) * p.out_quads + quad, quad, total);
  }
}

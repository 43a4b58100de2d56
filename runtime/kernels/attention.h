// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/core/linked_weights.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// Broadcast to scores [batch, heads, rows, cols]. Either `added` or `kept` is given.
struct AttentionMask {
  const float* added = nullptr;   // to the scores
  const uint8_t* kept = nullptr;  // where it is 0, the score is `hidden` instead
  float hidden = 0;
  // From one element to the next along batch, heads and rows; 0 where it is broadcast. Columns are
  // dense.
  int64_t stride[3] = {};
};

// out[b, s, h, :] = sum over t of softmax_t(scale * q[b, s, h, :] * k[b, t, g, :]) * v[b, t, g, :],
// the masks applied in turn to what the softmax reads; g = h / (heads / groups). Dense:
// q [batch, rows, heads, depth], k [batch, cols, groups, depth], v [batch, cols, groups,
// value_depth], out [batch, rows, heads, value_depth]. `heads` is a multiple of `groups`.
struct AttentionShape {
  int64_t batch, heads, groups, rows, cols, depth, value_depth;
  float scale;
};

// Scores are made for some rows at a time, and so stay in a cache. The bits are those of
// BatchMatMul, a multiplication by the scale, an addition of each mask or a selection by it,
// Softmax and BatchMatMul. `packs`: k and v of a group are packed into panels first. Scratch is
// aligned to 64 bytes.
int64_t AttentionScratchBytes(const AttentionShape& shape, PacksWeights packs, int threads);
void Attention(const AttentionShape& shape, const float* q, const float* k, const float* v,
               std::span<const AttentionMask> masks, PacksWeights packs, float* out, void* scratch,
               const Parallel& parallel);

}  // namespace linnet::kernels

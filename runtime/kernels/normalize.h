// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/parallel.h"

// Operations along the rows of a dense rows x cols matrix of floats, cols >= 1. out may be in.
namespace linnet::kernels {

// out[r][c] = exp(in[r][c]) / sum_k exp(in[r][k]). The row maximum is subtracted first, so finite
// inputs cannot overflow. An exponential is off by up to 4e-7 of itself, and 0 below 2^-127.
void Softmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel);

// out[r][c] = in[r][c] - max_r - log(sum_k exp(in[r][k] - max_r))
void LogSoftmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel);

// out[r][c] = (in[r][c] - mean_r) / sqrt(variance_r + epsilon) * gamma[c] + beta[c]
void LayerNorm(const float* in, const float* gamma, const float* beta, float epsilon, int64_t rows,
               int64_t cols, float* out, const Parallel& parallel);

// out[r][c] = in[r][c] / sqrt(sum_k in[r][k]^2 / cols + epsilon) * gamma[c]
void RmsNorm(const float* in, const float* gamma, float epsilon, int64_t rows, int64_t cols,
             float* out, const Parallel& parallel);

// out[r][c] = in[r][c] / sqrt(max(sum_k in[r][k]^2, epsilon))
void L2Normalize(const float* in, float epsilon, int64_t rows, int64_t cols, float* out,
                 const Parallel& parallel);

}  // namespace linnet::kernels

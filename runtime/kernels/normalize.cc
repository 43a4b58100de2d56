// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/normalize.h"

#include <algorithm>
#include <cmath>

#include "runtime/kernels/lanes.h"
#include "runtime/kernels/vector_math.h"
#include "runtime/kernels/vectorize.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 13;  // elements worth a thread
constexpr int64_t kShortRow = 128;   // rows up to here are handled in groups

template <typename Row>
void ForEachRow(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel,
                const Row& row) {
  ParallelFor(parallel, rows, CeilDiv(kGrain, cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) row(in + r * cols, out + r * cols);
  });
}

constexpr int64_t kBlock = 512;  // exponentials computed at a time

LINNET_WIDE void ExpInPlace(float* x, int64_t count) {
  LINNET_VECTORIZE
  for (int64_t i = 0; i < count; ++i) x[i] = Exp(x[i]);
}

// out[i] = exp(in[i] - max); returns their sum.
double ExpAndSum(const float* in, float max, int64_t count, float* out) {
  double sum = 0.0;
  for (int64_t i = 0; i < count; i += kBlock) {
    const int64_t n = std::min(count - i, kBlock);
    const float* from = in + i;
    float* to = out + i;
    LINNET_VECTORIZE
    for (int64_t k = 0; k < n; ++k) to[k] = from[k] - max;
    ExpInPlace(to, n);
    sum += SumRun(to, n, Identity());
  }
  return sum;
}

void SoftmaxRow(const float* x, int64_t cols, float* y) {
  const float max = FoldRow(x, cols, -math_detail::kInf, Identity(), Larger());
  const float scale = static_cast<float>(1.0 / ExpAndSum(x, max, cols, y));
  for (int64_t c = 0; c < cols; ++c) y[c] *= scale;
}

// Short rows: the exponentials of many rows at once, so that vectors are full.
void SoftmaxShortRows(const float* x, int64_t rows, int64_t cols, float* y) {
  const int64_t step = kBlock / cols;
  for (; rows > 0; rows -= step, x += step * cols, y += step * cols) {
    const int64_t n = std::min(rows, step);
    for (int64_t r = 0; r < n; ++r) {
      const float* from = x + r * cols;
      const float max = FoldRow(from, cols, -math_detail::kInf, Identity(), Larger());
      for (int64_t c = 0; c < cols; ++c) y[r * cols + c] = from[c] - max;
    }
    ExpInPlace(y, n * cols);
    for (int64_t r = 0; r < n; ++r) {
      float* row = y + r * cols;
      const float scale = 1.0f / SumRun(row, cols, Identity());
      for (int64_t c = 0; c < cols; ++c) row[c] *= scale;
    }
  }
}

}  // namespace

void Softmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel) {
  ParallelFor(parallel, rows, CeilDiv(kGrain, cols), [&](int64_t begin, int64_t end) {
    if (cols <= kShortRow)
      return SoftmaxShortRows(in + begin * cols, end - begin, cols, out + begin * cols);
    for (int64_t r = begin; r < end; ++r) SoftmaxRow(in + r * cols, cols, out + r * cols);
  });
}

void LogSoftmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [cols](const float* x, float* y) {
    const float max = FoldRow(x, cols, -math_detail::kInf, Identity(), Larger());
    double sum = 0.0;
    float exps[kBlock];  // y may be x, which is still needed
    for (int64_t c = 0; c < cols; c += kBlock)
      sum += ExpAndSum(x + c, max, std::min(cols - c, kBlock), exps);
    const float log = static_cast<float>(std::log(sum));
    LINNET_VECTORIZE
    for (int64_t c = 0; c < cols; ++c) y[c] = (x[c] - max) - log;
  });
}

void LayerNorm(const float* in, const float* gamma, const float* beta, float epsilon, int64_t rows,
               int64_t cols, float* out, const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [=](const float* x, float* y) {
    const double n = static_cast<double>(cols);
    const float mean = static_cast<float>(Sum(x, cols, Identity()) / n);
    const double squares = Sum(x, cols, [mean](auto v) { return (v - mean) * (v - mean); });
    const float scale = static_cast<float>(1.0 / std::sqrt(squares / n + epsilon));
    LINNET_VECTORIZE
    for (int64_t c = 0; c < cols; ++c) y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
  });
}

void L2Normalize(const float* in, float epsilon, int64_t rows, int64_t cols, float* out,
                 const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [=](const float* x, float* y) {
    const double squares = Sum(x, cols, [](auto v) { return v * v; });
    const float scale = static_cast<float>(1.0 / std::sqrt(squares < epsilon ? epsilon : squares));
    LINNET_VECTORIZE
    for (int64_t c = 0; c < cols; ++c) y[c] = x[c] * scale;
  });
}

}  // namespace linnet::kernels

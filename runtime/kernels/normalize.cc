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

template <typename Row>
void ForEachRow(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel,
                const Row& row) {
  ParallelFor(parallel, rows, CeilDiv(kGrain, cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) row(in + r * cols, out + r * cols);
  });
}

// out[i] = exp(in[i] - max); returns their sum.
double ExpAndSum(const float* in, float max, int64_t count, float* out) {
  double sum = 0.0;
  for (int64_t i = 0; i < count; i += kSumRun) {
    const int64_t n = std::min(count - i, kSumRun);
    const float* from = in + i;
    float* to = out + i;
    LINNET_VECTORIZE
    for (int64_t k = 0; k < n; ++k) to[k] = Exp(from[k] - max);
    sum += SumRun(to, n, [](float x) { return x; });
  }
  return sum;
}

}  // namespace

void Softmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [cols](const float* x, float* y) {
    const float max = MaxOf(x, cols, -math_detail::kInf);
    const float scale = static_cast<float>(1.0 / ExpAndSum(x, max, cols, y));
    for (int64_t c = 0; c < cols; ++c) y[c] *= scale;
  });
}

void LogSoftmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [cols](const float* x, float* y) {
    const float max = MaxOf(x, cols, -math_detail::kInf);
    double sum = 0.0;
    float exps[kSumRun];  // y may be x, which is still needed
    for (int64_t c = 0; c < cols; c += kSumRun)
      sum += ExpAndSum(x + c, max, std::min(cols - c, kSumRun), exps);
    const float log = static_cast<float>(std::log(sum));
    LINNET_VECTORIZE
    for (int64_t c = 0; c < cols; ++c) y[c] = (x[c] - max) - log;
  });
}

void LayerNorm(const float* in, const float* gamma, const float* beta, float epsilon, int64_t rows,
               int64_t cols, float* out, const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [=](const float* x, float* y) {
    const double n = static_cast<double>(cols);
    const float mean = static_cast<float>(Sum(x, cols, [](float v) { return v; }) / n);
    const double squares = Sum(x, cols, [mean](float v) { return (v - mean) * (v - mean); });
    const float scale = static_cast<float>(1.0 / std::sqrt(squares / n + epsilon));
    LINNET_VECTORIZE
    for (int64_t c = 0; c < cols; ++c) y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
  });
}

void L2Normalize(const float* in, float epsilon, int64_t rows, int64_t cols, float* out,
                 const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [=](const float* x, float* y) {
    const double squares = Sum(x, cols, [](float v) { return v * v; });
    const float scale = static_cast<float>(1.0 / std::sqrt(squares < epsilon ? epsilon : squares));
    LINNET_VECTORIZE
    for (int64_t c = 0; c < cols; ++c) y[c] = x[c] * scale;
  });
}

}  // namespace linnet::kernels

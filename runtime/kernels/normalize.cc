// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/normalize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/isa.h"
#include "runtime/kernels/row_reductions.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // elements worth a thread
constexpr int64_t kBlock = 512;      // exponentials computed at once
constexpr int64_t kLongRow = kWorkPerQuestion;
constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename Row>
void ForEachRow(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel,
                const Row& row) {
  ParallelFor(parallel, rows, CeilDiv(kGrain, cols), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) row(in + r * cols, out + r * cols);
  });
}

// Sum of f(x[i]), in parts where the row is long.
template <typename F>
double SumRow(const float* x, int64_t cols, const F& f, const Parallel& parallel) {
  if (cols <= kWorkPerQuestion) return Sum(x, cols, f);
  double sum = 0;
  InParts(parallel, 0, cols, kWorkPerQuestion,
          [&](int64_t begin, int64_t end) { sum += Sum(x + begin, end - begin, f); });
  return sum;
}

// y[i] = f(x[i])
template <typename F>
void MapRow(const float* x, int64_t cols, float* y, const Parallel& parallel, const F& f) {
  InParts(parallel, 0, cols, kWorkPerQuestion, [&](int64_t begin, int64_t end) {
    LINNET_VECTORIZE
    for (int64_t c = begin; c < end; ++c) y[c] = f(x[c], c);
  });
}

// For rows so long that the loop must check in between whether to stop.
void LongSoftmaxRow(const float* x, int64_t cols, bool log, float* y, const Parallel& parallel) {
  const auto exp = Isa<&UnaryKernels::Exp>();
  float max = -kInf;
  InParts(parallel, 0, cols, kWorkPerQuestion, [&](int64_t begin, int64_t end) {
    max = FoldRow(x + begin, end - begin, max, Identity(), Larger());
  });
  double sum = 0;
  InParts(parallel, 0, cols, kBlock, [&](int64_t begin, int64_t end) {
    float block[kBlock] = {};  // GCC 14 does not see that a part is never empty
    for (int64_t c = begin; c < end; ++c) block[c - begin] = x[c] - max;
    exp(block, end - begin, 0.0f, block);
    sum += SumRun(block, end - begin, Identity());
    if (!log) std::copy_n(block, end - begin, y + begin);
  });
  if (log) {
    const float shift = static_cast<float>(std::log(sum));
    return MapRow(x, cols, y, parallel, [=](float v, int64_t) { return v - max - shift; });
  }
  const float scale = static_cast<float>(1.0 / sum);
  MapRow(y, cols, y, parallel, [=](float v, int64_t) { return v * scale; });
}

void SoftmaxOrLog(const float* in, int64_t rows, int64_t cols, bool log, float* out,
                  const Parallel& parallel) {
  const auto of_rows = Isa<&IsaKernels::softmax_rows>();
  ParallelFor(parallel, rows, CeilDiv(kGrain, cols), [&](int64_t begin, int64_t end) {
    if (cols <= kLongRow)
      return of_rows(in + begin * cols, end - begin, cols, log, out + begin * cols);
    for (int64_t r = begin; r < end; ++r)
      LongSoftmaxRow(in + r * cols, cols, log, out + r * cols, parallel);
  });
}

}  // namespace

void Softmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel) {
  SoftmaxOrLog(in, rows, cols, /*log=*/false, out, parallel);
}

void LogSoftmax(const float* in, int64_t rows, int64_t cols, float* out, const Parallel& parallel) {
  SoftmaxOrLog(in, rows, cols, /*log=*/true, out, parallel);
}

void LayerNorm(const float* in, const float* gamma, const float* beta, float epsilon, int64_t rows,
               int64_t cols, float* out, const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [&](const float* x, float* y) {
    const double n = static_cast<double>(cols);
    const float mean = static_cast<float>(SumRow(x, cols, Identity(), parallel) / n);
    const double squares = SumRow(
        x, cols, [mean](auto v) { return (v - mean) * (v - mean); }, parallel);
    const float scale = static_cast<float>(1.0 / std::sqrt(squares / n + epsilon));
    MapRow(x, cols, y, parallel,
           [=](float v, int64_t c) { return (v - mean) * scale * gamma[c] + beta[c]; });
  });
}

void RmsNorm(const float* in, const float* gamma, float epsilon, int64_t rows, int64_t cols,
             float* out, const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [&](const float* x, float* y) {
    const double squares = SumRow(
        x, cols, [](auto v) { return v * v; }, parallel);
    const double mean = squares / static_cast<double>(cols);
    const float scale = static_cast<float>(1.0 / std::sqrt(mean + epsilon));
    MapRow(x, cols, y, parallel, [=](float v, int64_t c) { return v * scale * gamma[c]; });
  });
}

void L2Normalize(const float* in, float epsilon, int64_t rows, int64_t cols, float* out,
                 const Parallel& parallel) {
  ForEachRow(in, rows, cols, out, parallel, [&](const float* x, float* y) {
    const double squares = SumRow(
        x, cols, [](auto v) { return v * v; }, parallel);
    const float scale = static_cast<float>(1.0 / std::sqrt(squares < epsilon ? epsilon : squares));
    MapRow(x, cols, y, parallel, [=](float v, int64_t) { return v * scale; });
  });
}

}  // namespace linnet::kernels

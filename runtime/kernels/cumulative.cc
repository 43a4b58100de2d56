// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/cumulative.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // elements worth a thread
constexpr int64_t kLanes = 64;       // columns accumulated side by side

template <typename T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

template <typename T>
struct Sum {
  static constexpr T kStart = 0;
  static T Combine(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  }
};

template <typename T>
struct Product {
  static constexpr T kStart = 1;
  static T Combine(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  }
};

struct LogSumExp {
  static constexpr float kStart = -std::numeric_limits<float>::infinity();
  static float Combine(float a, float b) {
    const float high = a > b ? a : b, low = a > b ? b : a;
    if (std::isinf(high)) return a != a || b != b ? a + b : high;
    return high + std::log1p(std::exp(low - high));
  }
};

// Columns [first, last) of all outer * inner ones.
template <typename T, typename Op>
void Columns(const CumulativeJob& job, const T* in, int64_t first, int64_t last, T* out,
             Questions& questions) {
  const int64_t step = job.reverse ? -job.inner : job.inner;
  for (int64_t column = first; column < last;) {
    const int64_t outer = column / job.inner, i = column % job.inner;
    const int64_t n = std::min({last - column, job.inner - i, kLanes});
    int64_t at = outer * job.count * job.inner + i;
    if (job.reverse) at += (job.count - 1) * job.inner;
    T sums[kLanes];
    std::fill_n(sums, n, Op::kStart);
    for (int64_t k = 0; k < job.count; ++k, at += step) {
      if (questions.Stop(n)) return;
      for (int64_t c = 0; c < n; ++c) {
        // The first element is copied, so that it keeps its bits.
        const T sum = k == 0 ? in[at + c] : Op::Combine(sums[c], in[at + c]);
        out[at + c] = job.exclusive ? sums[c] : sum;
        sums[c] = sum;
      }
    }
    column += n;
  }
}

template <typename T, typename Op>
void Run(const CumulativeJob& job, const void* in, void* out, const Parallel& parallel) {
  if (job.count == 0) return;
  ParallelRanges(
      parallel, job.outer * job.inner, CeilDiv(kGrain, job.count), [&](int64_t begin, int64_t end) {
        Questions questions(parallel);
        Columns<T, Op>(job, static_cast<const T*>(in), begin, end, static_cast<T*>(out), questions);
      });
}

template <template <typename> typename Op>
void RunAs(const CumulativeJob& job, DType dtype, const void* in, void* out,
           const Parallel& parallel) {
  if (dtype == DType::kFloat32)
    Run<float, Op<float>>(job, in, out, parallel);
  else if (dtype == DType::kInt32)
    Run<int32_t, Op<int32_t>>(job, in, out, parallel);
  else
    Run<int64_t, Op<int64_t>>(job, in, out, parallel);
}

}  // namespace

void Cumulative(const CumulativeJob& job, DType dtype, const void* in, void* out,
                const Parallel& parallel) {
  if (job.kind == CumulativeKind::kLogSumExp)
    Run<float, LogSumExp>(job, in, out, parallel);
  else if (job.kind == CumulativeKind::kSum)
    RunAs<Sum>(job, dtype, in, out, parallel);
  else
    RunAs<Product>(job, dtype, in, out, parallel);
}

}  // namespace linnet::kernels

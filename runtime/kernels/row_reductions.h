// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>

// Reductions of one row. Compilers may not reorder float operations, so these use GCC's and clang's
// portable vectors explicitly: element i belongs to lane i mod 16, and the lanes are combined at
// the end in the same order on every machine.
namespace linnet::kernels {

template <typename T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(16)));
  static constexpr int kWidth = 16 / sizeof(T);

  static Vector Load(const T* x) {
    Vector v;
    std::memcpy(&v, x, sizeof(v));
    return v;
  }
  static Vector Fill(T value) { return Vector{} + value; }
};

inline constexpr int64_t kSumRun =
    512;  // elements that are summed in float; longer sums are in double

// Sum of f(x[i]) for i < count <= kSumRun. f takes floats and vectors of them.
template <typename F>
inline float SumRun(const float* x, int64_t count, const F& f) {
  using L = Lanes<float>;
  L::Vector a{}, b{}, c{}, d{};
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    a += f(L::Load(x + i));
    b += f(L::Load(x + i + 4));
    c += f(L::Load(x + i + 8));
    d += f(L::Load(x + i + 12));
  }
  for (; i + 4 <= count; i += 4) a += f(L::Load(x + i));
  float rest = 0.0f;
  for (; i < count; ++i) rest += f(x[i]);
  const L::Vector sum = (a + b) + (c + d);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

// Sum of f(x[i]) for any count.
template <typename F>
inline double Sum(const float* x, int64_t count, const F& f) {
  double sum = 0.0;
  for (; count > 0; count -= kSumRun, x += kSumRun)
    sum += SumRun(x, count < kSumRun ? count : kSumRun, f);
  return sum;
}

// Combines `start` (once per lane) and all f(x[i]) with `join`, in any order. f and join take T and
// vectors of T.
template <typename T, typename F, typename Join>
inline T FoldRow(const T* x, int64_t count, T start, const F& f, const Join& join) {
  using L = Lanes<T>;
  constexpr int kWidth = L::kWidth;
  typename L::Vector a = L::Fill(start), b = a, c = a, d = a;
  int64_t i = 0;
  for (; i + 4 * kWidth <= count; i += 4 * kWidth) {
    a = join(a, f(L::Load(x + i)));
    b = join(b, f(L::Load(x + i + kWidth)));
    c = join(c, f(L::Load(x + i + 2 * kWidth)));
    d = join(d, f(L::Load(x + i + 3 * kWidth)));
  }
  for (; i + kWidth <= count; i += kWidth) a = join(a, f(L::Load(x + i)));
  T result = start;
  for (; i < count; ++i) result = join(result, f(x[i]));
  a = join(join(a, b), join(c, d));
  for (int l = 0; l < kWidth; ++l) result = join(result, static_cast<T>(a[l]));
  return result;
}

struct Identity {
  template <typename V>
  V operator()(V x) const {
    return x;
  }
};

// The larger one; NaN in x is ignored.
struct Larger {
  template <typename V>
  V operator()(V best, V x) const {
    return x > best ? x : best;
  }
};

}  // namespace linnet::kernels

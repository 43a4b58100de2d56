// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/stockham.h"

#include <algorithm>
#include <utility>

#include "runtime/kernels/independent_loops.h"

namespace linnet::kernels {
namespace {

// One stage on n points, for `stride` interleaved transforms.
void Radix2(int64_t n, int64_t stride, Angles angles, Split x, Split y, Questions& questions) {
  const int64_t m = n / 2;
  for (int64_t p = 0; p < m && !questions.Stop(2 * stride); ++p) {
    const Complex w = angles.at(p);
    const int64_t from = stride * p, to = 2 * stride * p;
    LINNET_VECTORIZE
    for (int64_t q = 0; q < stride; ++q) {
      const Complex a = x.at(from + q), b = x.at(from + q + stride * m);
      y.set(to + q, a + b);
      y.set(to + q + stride, (a - b) * w);
    }
  }
}

void Radix4(int64_t n, int64_t stride, Angles angles, Split x, Split y, Questions& questions) {
  const int64_t m = n / 4, apart = stride * m;
  for (int64_t p = 0; p < m && !questions.Stop(4 * stride); ++p) {
    const Complex w1 = angles.at(p), w2 = angles.at(2 * p), w3 = angles.at(3 * p);
    const int64_t from = stride * p, to = 4 * stride * p;
    LINNET_VECTORIZE
    for (int64_t q = 0; q < stride; ++q) {
      const Complex a = x.at(from + q), b = x.at(from + q + apart);
      const Complex c = x.at(from + q + 2 * apart), d = x.at(from + q + 3 * apart);
      const Complex even = a + c, odd = b + d, across = a - c, turned = TimesMinusI(b - d);
      y.set(to + q, even + odd);
      y.set(to + q + stride, (across + turned) * w1);
      y.set(to + q + 2 * stride, (even - odd) * w2);
      y.set(to + q + 3 * stride, (across - turned) * w3);
    }
  }
}

// For any radix: each result is a sum over all points of its group.
void RadixAny(int64_t radix, int64_t n, int64_t stride, Angles angles, Split x, Split y,
              Questions& questions) {
  const int64_t m = n / radix;
  for (int64_t p = 0; p < m; ++p) {
    for (int64_t k = 0; k < radix; ++k) {
      if (questions.Stop(radix * (stride + 4))) return;
      float* re = y.re + stride * (radix * p + k);
      float* im = y.im + stride * (radix * p + k);
      std::fill_n(re, stride, 0.0f);
      std::fill_n(im, stride, 0.0f);
      for (int64_t j = 0; j < radix; ++j) {
        const Complex w = angles.at(k * (p + j * m) % n);
        const int64_t from = stride * (p + j * m);
        LINNET_VECTORIZE
        for (int64_t q = 0; q < stride; ++q) {
          const Complex z = x.at(from + q) * w;
          re[q] += z.re;
          im[q] += z.im;
        }
      }
    }
  }
}

// 4 as long as it divides n, then the smallest prime factor.
int64_t NextRadix(int64_t n) {
  if (n % 4 == 0) return 4;
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

}  // namespace

int64_t LargestPrimeFactor(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return std::max(largest, n);
}

Split Transform(int64_t n, Angles angles, Split x, Split y, Questions& questions) {
  for (int64_t stride = 1; n > 1;) {
    const int64_t radix = NextRadix(n);
    if (radix == 4)
      Radix4(n, stride, angles, x, y, questions);
    else if (radix == 2)
      Radix2(n, stride, angles, x, y, questions);
    else
      RadixAny(radix, n, stride, angles, x, y, questions);
    std::swap(x, y);
    n /= radix;
    stride *= radix;
    angles.step *= radix;
  }
  return x;
}

}  // namespace linnet::kernels

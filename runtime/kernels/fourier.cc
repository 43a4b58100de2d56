// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/fourier.h"

#include <algorithm>
#include <cmath>

#include "runtime/kernels/vectorize.h"

// Stockham's self-sorting algorithm: each stage splits off one factor of the length and writes its
// results in order, from one pair of buffers to the other. Real rows of even length are transformed
// as complex ones of half the length.
namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 11;  // numbers worth a thread

struct Complex {
  float re, im;
};

// Real and imaginary parts apart, so that inner loops vectorise.
struct Split {
  float* re;
  float* im;
  Complex at(int64_t i) const { return {re[i], im[i]}; }
  void set(int64_t i, Complex z) const { re[i] = z.re, im[i] = z.im; }
};

Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Complex TimesMinusI(Complex a) { return {a.im, -a.re}; }
Complex Conjugate(Complex a) { return {a.re, -a.im}; }

// exp(-2 pi i k / n) for a length n that divides the table's.
struct Angles {
  const float* table;
  int64_t step;  // table's length / n
  Complex at(int64_t k) const { return {table[2 * k * step], table[2 * k * step + 1]}; }
};

// One stage on n points, of which `stride` transforms lie interleaved.
void Radix2(int64_t n, int64_t stride, Angles angles, Split x, Split y) {
  const int64_t m = n / 2;
  for (int64_t p = 0; p < m; ++p) {
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

void Radix4(int64_t n, int64_t stride, Angles angles, Split x, Split y) {
  const int64_t m = n / 4, apart = stride * m;
  for (int64_t p = 0; p < m; ++p) {
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

// Any radix: each result is a sum over all its points.
void RadixAny(int64_t radix, int64_t n, int64_t stride, Angles angles, Split x, Split y) {
  const int64_t m = n / radix;
  for (int64_t p = 0; p < m; ++p) {
    for (int64_t k = 0; k < radix; ++k) {
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

// 4 as long as it divides, then the smallest prime factor.
int64_t NextRadix(int64_t n) {
  if (n % 4 == 0) return 4;
  for (int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// Transforms n numbers from x; the result lies in x or y.
Split Transform(int64_t n, Angles angles, Split x, Split y) {
  for (int64_t stride = 1; n > 1;) {
    const int64_t radix = NextRadix(n);
    if (radix == 4)
      Radix4(n, stride, angles, x, y);
    else if (radix == 2)
      Radix2(n, stride, angles, x, y);
    else
      RadixAny(radix, n, stride, angles, x, y);
    std::swap(x, y);
    n /= radix;
    stride *= radix;
    angles.step *= radix;
  }
  return x;
}

Complex Load(const float* in, int64_t i) { return {in[2 * i], in[2 * i + 1]}; }
void Store(Complex z, float* out, int64_t i) { out[2 * i] = z.re, out[2 * i + 1] = z.im; }

// One thread's buffers and the transforms of one row.
struct Worker {
  int64_t n;  // the job's length
  Angles angles;
  Split x, y;

  // The inverse transform is the forward one with real and imaginary parts swapped.
  Split Inverse(int64_t count, int64_t step) {
    const Split z = Transform(count, {angles.table, step}, {x.im, x.re}, {y.im, y.re});
    return {z.im, z.re};
  }

  void ComplexRow(bool inverse, const float* in, float* out) {
    for (int64_t i = 0; i < n; ++i) x.set(i, Load(in, i));
    const Split z = inverse ? Inverse(n, 1) : Transform(n, angles, x, y);
    const float scale = inverse ? 1.0f / static_cast<float>(n) : 1.0f;
    for (int64_t i = 0; i < n; ++i) Store({z.re[i] * scale, z.im[i] * scale}, out, i);
  }

  void OddRealForward(const float* in, float* out) {
    for (int64_t i = 0; i < n; ++i) x.set(i, {in[i], 0.0f});
    const Split z = Transform(n, angles, x, y);
    for (int64_t i = 0; i <= n / 2; ++i) Store(z.at(i), out, i);
  }

  // Even numbers are the real, odd ones the imaginary parts; both spectra are told apart by their
  // symmetry.
  void EvenRealForward(const float* in, float* out) {
    const int64_t half = n / 2;
    for (int64_t i = 0; i < half; ++i) x.set(i, Load(in, i));
    const Split z = Transform(half, {angles.table, 2}, x, y);
    for (int64_t i = 0; i <= half; ++i) {
      const Complex a = z.at(i % half), b = Conjugate(z.at((half - i) % half));
      const Complex even = a + b, odd = TimesMinusI(a - b);
      const Complex sum = even + odd * angles.at(i);
      Store({0.5f * sum.re, 0.5f * sum.im}, out, i);
    }
  }

  void OddRealInverse(const float* in, float* out) {
    x.set(0, {in[0], 0.0f});
    for (int64_t i = 1; i <= n / 2; ++i) {
      x.set(i, Load(in, i));
      x.set(n - i, Conjugate(Load(in, i)));
    }
    const Split z = Inverse(n, 1);
    const float scale = 1.0f / static_cast<float>(n);
    for (int64_t i = 0; i < n; ++i) out[i] = z.re[i] * scale;
  }

  void EvenRealInverse(const float* in, float* out) {
    const int64_t half = n / 2;
    const auto load = [&](int64_t i) {
      return i == 0 || i == half ? Complex{in[2 * i], 0.0f} : Load(in, i);
    };
    for (int64_t i = 0; i < half; ++i) {
      const Complex a = load(i), b = Conjugate(load(half - i));
      const Complex odd = (a - b) * Conjugate(angles.at(i));
      x.set(i, (a + b) + Complex{-odd.im, odd.re});
    }
    const Split z = Inverse(half, 2);
    const float scale = 1.0f / static_cast<float>(n);
    for (int64_t i = 0; i < half; ++i) Store({z.re[i] * scale, z.im[i] * scale}, out, i);
  }

  void Row(FourierKind kind, const float* in, float* out) {
    const bool even = n % 2 == 0;
    switch (kind) {
      case FourierKind::kForward:
      case FourierKind::kInverse:
        return ComplexRow(kind == FourierKind::kInverse, in, out);
      case FourierKind::kRealForward:
        return even ? EvenRealForward(in, out) : OddRealForward(in, out);
      case FourierKind::kRealInverse:
        return even ? EvenRealInverse(in, out) : OddRealInverse(in, out);
    }
  }
};

int64_t BufferFloats(int64_t length) { return AlignUp(length, 16); }

}  // namespace

int64_t FourierTableBytes(int64_t length) { return length * static_cast<int64_t>(sizeof(Complex)); }

void MakeFourierTable(int64_t length, float* table) {
  constexpr double kTwoPi = 6.283185307179586476925;
  for (int64_t k = 0; k < length; ++k) {
    const double angle = kTwoPi * static_cast<double>(k) / static_cast<double>(length);
    table[2 * k] = static_cast<float>(std::cos(angle));
    table[2 * k + 1] = static_cast<float>(-std::sin(angle));
  }
}

int64_t FourierScratch(const FourierJob& job, int threads) {
  return threads * 4 * BufferFloats(job.length) * static_cast<int64_t>(sizeof(float));
}

void Fourier(const FourierJob& job, const float* in, const float* table, void* scratch, float* out,
             const Parallel& parallel) {
  const int64_t n = job.length, half = n / 2 + 1, floats = BufferFloats(n);
  const int64_t in_row = job.kind == FourierKind::kRealForward   ? n
                         : job.kind == FourierKind::kRealInverse ? 2 * half
                                                                 : 2 * n;
  const int64_t out_row = job.kind == FourierKind::kRealForward   ? 2 * half
                          : job.kind == FourierKind::kRealInverse ? n
                                                                  : 2 * n;
  if (job.rows == 0) return;
  // Slots, not ranges, go to threads: each needs its own part of the scratch memory.
  const int64_t used =
      std::min<int64_t>({parallel.threads, job.rows, CeilDiv(SaturatingMul(job.rows, n), kGrain)});
  ParallelFor(parallel, used, 1, [&](int64_t first, int64_t last) {
    for (int64_t slot = first; slot < last; ++slot) {
      float* memory = static_cast<float*>(scratch) + slot * 4 * floats;
      Worker worker{
          n, {table, 1}, {memory, memory + floats}, {memory + 2 * floats, memory + 3 * floats}};
      for (int64_t r = job.rows * slot / used; r < job.rows * (slot + 1) / used; ++r)
        worker.Row(job.kind, in + r * in_row, out + r * out_row);
    }
  });
}

}  // namespace linnet::kernels

// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "runtime/kernels/stockham.h"

// Real rows of even length are transformed as complex rows of half the length. When a length has a
// large prime factor, Bluestein's algorithm turns the transform into a convolution with a chirp,
// which is computed by transforms whose length is a power of two. So the time is O(n log n) for any
// n.
namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 11;    // numbers worth a thread
constexpr int64_t kLargestRadix = 31;  // larger prime factors need Bluestein's algorithm
constexpr double kPi = 3.14159265358979323846;

bool IsReal(FourierKind kind) {
  return kind == FourierKind::kRealForward || kind == FourierKind::kRealInverse;
}

// How the rows of a job are transformed, and the layout of the table.
struct Layout {
  explicit Layout(const FourierJob& job)
      : core(IsReal(job.kind) && job.length % 2 == 0 ? job.length / 2 : job.length) {
    if (LargestPrimeFactor(core) <= kLargestRadix) return;
    padded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * core - 1)));
    padded_angles = job.length;
    chirp = padded_angles + padded;
    spectrum = chirp + core;
  }
  bool is_chirped() const { return padded > 0; }

  int64_t core;        // numbers per transform
  int64_t padded = 0;  // length of Bluestein's convolution; 0 when it is not needed
  // The table begins with the angles of the length. These are the indices of the first complex
  // number of the angles of `padded`, of the chirp exp(-pi i k^2 / core), and of the chirp's
  // transform (all real parts before the imaginary parts).
  int64_t padded_angles = 0, chirp = 0, spectrum = 0;
};

Complex Load(const float* in, int64_t i) { return {in[2 * i], in[2 * i + 1]}; }
void Store(Complex z, float* out, int64_t i) { out[2 * i] = z.re, out[2 * i + 1] = z.im; }

// One thread's buffers and the transforms of one row. When the run shall stop, each part of a
// transform returns at its first check, and the row is undefined.
struct Worker {
  int64_t n;  // the job's length
  Layout layout;
  Angles angles;
  Split x, y;
  const Parallel& parallel;
  Questions questions{parallel};

  // Calls body(i) for first <= i < last.
  template <typename Body>
  void ForEach(int64_t first, int64_t last, const Body& body) {
    InParts(parallel, first, last, kWorkPerQuestion / 8, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) body(i);
    });
  }

  // Transforms layout.core numbers. `from` is one of x and y.
  Split Forward(Split from, Split to) {
    if (layout.is_chirped()) return Bluestein(from, to);
    return Transform(layout.core, {angles.table, n / layout.core}, from, to, questions);
  }

  // The inverse transform is the forward one with real and imaginary parts swapped.
  Split Inverse() {
    const Split z = Forward({x.im, x.re}, {y.im, y.re});
    return {z.im, z.re};
  }

  // With 2 j k = j^2 + k^2 - (k - j)^2 the sum over j is a convolution.
  Split Bluestein(Split from, Split to) {
    const float* chirp = angles.table + 2 * layout.chirp;
    const float* spectrum_re = angles.table + 2 * layout.spectrum;
    const float* spectrum_im = spectrum_re + layout.padded;
    const Angles padded = {angles.table + 2 * layout.padded_angles, 1};
    ForEach(0, layout.core, [&](int64_t i) { from.set(i, from.at(i) * Load(chirp, i)); });
    ForEach(layout.core, layout.padded, [&](int64_t i) { from.set(i, {0.0f, 0.0f}); });
    Split z = Transform(layout.padded, padded, from, to, questions);
    ForEach(0, layout.padded, [&](int64_t i) {
      z.set(i, z.at(i) * Complex{spectrum_re[i], spectrum_im[i]});
    });
    const Split other = z.re == from.re ? to : from;
    z = Transform(layout.padded, padded, {z.im, z.re}, {other.im, other.re}, questions);
    z = {z.im, z.re};
    ForEach(0, layout.core, [&](int64_t i) { z.set(i, z.at(i) * Load(chirp, i)); });
    return z;
  }

  void ComplexRow(bool inverse, const float* in, float* out) {
    ForEach(0, n, [&](int64_t i) { x.set(i, Load(in, i)); });
    const Split z = inverse ? Inverse() : Forward(x, y);
    const float scale = inverse ? 1.0f / static_cast<float>(n) : 1.0f;
    ForEach(0, n, [&](int64_t i) { Store({z.re[i] * scale, z.im[i] * scale}, out, i); });
  }

  void OddRealForward(const float* in, float* out) {
    ForEach(0, n, [&](int64_t i) { x.set(i, {in[i], 0.0f}); });
    const Split z = Forward(x, y);
    ForEach(0, n / 2 + 1, [&](int64_t i) { Store(z.at(i), out, i); });
  }

  // The elements of even index are the real parts, those of odd index the imaginary parts of a
  // complex row. Their two spectra can be separated because of their symmetry.
  void EvenRealForward(const float* in, float* out) {
    const int64_t half = n / 2;
    ForEach(0, half, [&](int64_t i) { x.set(i, Load(in, i)); });
    const Split z = Forward(x, y);
    ForEach(0, half + 1, [&](int64_t i) {
      const Complex a = z.at(i % half), b = Conjugate(z.at((half - i) % half));
      const Complex even = a + b, odd = TimesMinusI(a - b);
      const Complex sum = even + odd * angles.at(i);
      Store({0.5f * sum.re, 0.5f * sum.im}, out, i);
    });
  }

  void OddRealInverse(const float* in, float* out) {
    x.set(0, {in[0], 0.0f});
    ForEach(1, n / 2 + 1, [&](int64_t i) {
      x.set(i, Load(in, i));
      x.set(n - i, Conjugate(Load(in, i)));
    });
    const Split z = Inverse();
    const float scale = 1.0f / static_cast<float>(n);
    ForEach(0, n, [&](int64_t i) { out[i] = z.re[i] * scale; });
  }

  void EvenRealInverse(const float* in, float* out) {
    const int64_t half = n / 2;
    const auto load = [&](int64_t i) {
      return i == 0 || i == half ? Complex{in[2 * i], 0.0f} : Load(in, i);
    };
    ForEach(0, half, [&](int64_t i) {
      const Complex a = load(i), b = Conjugate(load(half - i));
      const Complex odd = (a - b) * Conjugate(angles.at(i));
      x.set(i, (a + b) + Complex{-odd.im, odd.re});
    });
    const Split z = Inverse();
    const float scale = 1.0f / static_cast<float>(n);
    ForEach(0, half, [&](int64_t i) { Store({z.re[i] * scale, z.im[i] * scale}, out, i); });
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

// Floats of each of a thread's four buffers.
int64_t BufferFloats(const FourierJob& job) {
  return AlignUp(std::max(job.length, Layout(job).padded), 16);
}

// table[k] = exp(-pi i steps(k) / length) for k < count.
template <typename Steps>
void FillAngles(int64_t count, int64_t length, const Steps& steps, float* table) {
  for (int64_t k = 0; k < count; ++k) {
    const double angle = kPi * static_cast<double>(steps(k)) / static_cast<double>(length);
    Store({static_cast<float>(std::cos(angle)), static_cast<float>(-std::sin(angle))}, table, k);
  }
}

// Transforms in place n numbers, a power of two, because there is no other memory when tables are
// made.
void TransformInPlace(int64_t n, const float* angles, Split z) {
  for (int64_t i = 1, j = 0; i < n; ++i) {  // j: the bits of i in reverse order
    int64_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2) j -= bit;
    j += bit;
    if (i >= j) continue;
    std::swap(z.re[i], z.re[j]);
    std::swap(z.im[i], z.im[j]);
  }
  for (int64_t half = 1; half < n; half *= 2) {
    for (int64_t first = 0; first < n; first += 2 * half) {
      for (int64_t k = 0; k < half; ++k) {
        const Complex a = z.at(first + k);
        const Complex b = z.at(first + k + half) * Load(angles, k * (n / (2 * half)));
        z.set(first + k, a + b);
        z.set(first + k + half, a - b);
      }
    }
  }
}

// Writes the transform of the conjugate chirp around 0, multiplied by the scale of the inverse
// transform.
void FillSpectrum(const Layout& layout, float* table) {
  const float* chirp = table + 2 * layout.chirp;
  float* re = table + 2 * layout.spectrum;
  const Split z = {re, re + layout.padded};
  std::fill_n(re, 2 * layout.padded, 0.0f);
  const float scale = 1.0f / static_cast<float>(layout.padded);
  for (int64_t k = 0; k < layout.core; ++k) {
    const Complex value = Conjugate(Load(chirp, k));
    z.set(k, {value.re * scale, value.im * scale});
    if (k > 0) z.set(layout.padded - k, z.at(k));
  }
  TransformInPlace(layout.padded, table + 2 * layout.padded_angles, z);
}

}  // namespace

int64_t FourierTableBytes(const FourierJob& job) {
  const Layout layout(job);
  const int64_t numbers =
      layout.is_chirped() ? SaturatingAdd(layout.spectrum, layout.padded) : job.length;
  return SaturatingMul(numbers, sizeof(Complex));
}

void MakeFourierTable(const FourierJob& job, float* table) {
  const Layout layout(job);
  const auto twice = [](int64_t k) { return 2 * k; };
  FillAngles(job.length, job.length, twice, table);
  if (!layout.is_chirped()) return;
  FillAngles(layout.padded, layout.padded, twice, table + 2 * layout.padded_angles);
  // k^2 modulo the period, without computing k^2.
  int64_t square = 0;
  const auto squares = [&](int64_t k) {
    if (k > 0) square = (square + 2 * k - 1) % (2 * layout.core);
    return square;
  };
  FillAngles(layout.core, layout.core, squares, table + 2 * layout.chirp);
  FillSpectrum(layout, table);
}

int64_t FourierScratch(const FourierJob& job, int threads) {
  return SaturatingMul(4 * sizeof(float) * threads, BufferFloats(job));
}

void Fourier(const FourierJob& job, const float* in, const float* table, void* scratch, float* out,
             const Parallel& parallel) {
  const int64_t n = job.length, half = n / 2 + 1, floats = BufferFloats(job);
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
  ParallelRanges(parallel, used, 1, [&](int64_t first, int64_t last) {
    for (int64_t slot = first; slot < last; ++slot) {
      float* memory = static_cast<float*>(scratch) + slot * 4 * floats;
      Worker worker{n,
                    Layout(job),
                    {table, 1},
                    {memory, memory + floats},
                    {memory + 2 * floats, memory + 3 * floats},
                    parallel};
      const int64_t end = job.rows * (slot + 1) / used;
      for (int64_t r = job.rows * slot / used; r < end && !worker.questions.Stop(4 * n); ++r)
        worker.Row(job.kind, in + r * in_row, out + r * out_row);
    }
  });
}

}  // namespace linnet::kernels

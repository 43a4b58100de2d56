// SPDX-License-Identifier: Apache-2.0
// Lengths with large prime factors; the conformance cases have only small ones.
#include "runtime/kernels/fourier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <new>
#include <vector>

#include "tests/runtime/kernels/random_floats.h"

namespace linnet::kernels {
namespace {

using ComplexNumbers = std::vector<std::complex<double>>;

// The transform by its definition.
ComplexNumbers Expected(const ComplexNumbers& x, bool inverse) {
  const auto n = static_cast<int64_t>(x.size());
  constexpr double kTwoPi = 6.283185307179586476925;
  ComplexNumbers roots(n), y(n);
  for (int64_t k = 0; k < n; ++k)
    roots[k] = std::polar(
        1.0, (inverse ? kTwoPi : -kTwoPi) * static_cast<double>(k) / static_cast<double>(n));
  for (int64_t k = 0; k < n; ++k)
    for (int64_t j = 0; j < n; ++j) y[k] += x[j] * roots[k * j % n];
  if (inverse)
    for (auto& value : y) value /= static_cast<double>(n);
  return y;
}

std::vector<float> Transformed(const FourierJob& job, const std::vector<float>& in, size_t out,
                               const Parallel& parallel = {}) {
  std::vector<float> table(FourierTableBytes(job) / sizeof(float)), result(out);
  MakeFourierTable(job, table.data());
  const std::align_val_t line{64};
  void* scratch = ::operator new(FourierScratch(job, parallel.threads), line);
  Fourier(job, in.data(), table.data(), scratch, result.data(), parallel);
  ::operator delete(scratch, line);
  return result;
}

std::vector<float> Floats(const ComplexNumbers& x) {
  std::vector<float> floats;
  for (const auto& value : x) {
    floats.push_back(static_cast<float>(value.real()));
    floats.push_back(static_cast<float>(value.imag()));
  }
  return floats;
}

void ExpectClose(const std::vector<float>& got, const std::vector<float>& want, int64_t length) {
  ASSERT_EQ(got.size(), want.size());
  double largest = 0, worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    largest = std::fmax(largest, std::fabs(want[i]));
    worst = std::fmax(worst, std::fabs(double{got[i]} - want[i]));
  }
  EXPECT_LE(worst, 2e-6 * largest) << "length " << length;
}

class FourierLength : public testing::TestWithParam<int64_t> {};

TEST_P(FourierLength, AllKindsEqualTheDefinition) {
  const int64_t n = GetParam(), half = n / 2 + 1;
  const std::vector<float> noise = Random(2 * n, 7);
  ComplexNumbers x(n), real(n);
  for (int64_t i = 0; i < n; ++i) {
    x[i] = {noise[2 * i], noise[2 * i + 1]};
    real[i] = noise[i];
  }
  const std::vector<float> in = Floats(x), real_in(noise.begin(), noise.begin() + n);
  ExpectClose(Transformed({FourierKind::kForward, 1, n}, in, 2 * n), Floats(Expected(x, false)), n);
  ExpectClose(Transformed({FourierKind::kInverse, 1, n}, in, 2 * n), Floats(Expected(x, true)), n);
  std::vector<float> spectrum = Floats(Expected(real, false));
  spectrum.resize(2 * half);
  ExpectClose(Transformed({FourierKind::kRealForward, 1, n}, real_in, 2 * half), spectrum, n);
  ExpectClose(Transformed({FourierKind::kRealInverse, 1, n}, spectrum, n), real_in, n);
}

// Lengths around the largest radix, primes, their multiples and squares.
INSTANTIATE_TEST_SUITE_P(Lengths, FourierLength,
                         testing::Values(1, 2, 29, 31, 37, 41, 62, 74, 111, 127, 148, 254, 961,
                                         1009, 1369, 2018, 3027, 4036, 4093));

// A prime length takes n log n; the number of questions must be proportional to the work.
TEST(Fourier, PrimesAreNotSquare) {
  constexpr int64_t kPrime = 1048573;
  int questions = 0;
  Parallel parallel;
  parallel.stop_context = &questions;
  parallel.stop = [](void* context) { return ++*static_cast<int*>(context) > 2000; };
  Transformed({FourierKind::kForward, 1, kPrime}, Random(2 * kPrime, 1), 2 * kPrime, parallel);
  EXPECT_GT(questions, 10);
  EXPECT_LT(questions, 2000) << kPrime * kPrime / kWorkPerQuestion << " would be those of n^2";
}

}  // namespace
}  // namespace linnet::kernels

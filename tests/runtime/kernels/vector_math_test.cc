// SPDX-License-Identifier: Apache-2.0
// Elementary functions of every instruction set of this machine, compared with double.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/runtime/kernels/loop_cases.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace linnet::kernels {
namespace {

using Kernel = void (*)(const float* in, int64_t count, float alpha, float* out);

struct Function {
  const char* name;
  Kernel UnaryKernels::*kernel;
  double (*exact)(double);
  double max_ulp;     // found by this test with kStep = 97
  double tiny = 0.0;  // smaller results may be 0
};

// Without this, the names of the tests would contain addresses.
void PrintTo(const Function& f, std::ostream* out) { *out << f.name; }

constexpr double kSubnormal = std::numeric_limits<float>::min();

double ExactSigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double ExactSwish(double x) { return x / (1.0 + std::exp(-x)); }
double ExactSoftplus(double x) { return x > 0 ? x + ExactSoftplus(-x) : std::log1p(std::exp(x)); }
double ExactElu(double x) { return x < 0 ? std::expm1(x) : x; }
double ExactRound(double x) { return std::nearbyint(x); }

const Function kFunctions[] = {
    {"Exp", &UnaryKernels::Exp, [](double x) { return std::exp(x); }, 1.3},
    {"Expm1", &UnaryKernels::Expm1, [](double x) { return std::expm1(x); }, 1.6},
    {"Log", &UnaryKernels::Log, [](double x) { return std::log(x); }, 0.9},
    {"Log1p", &UnaryKernels::Log1p, [](double x) { return std::log1p(x); }, 1.5},
    {"Tanh", &UnaryKernels::Tanh, [](double x) { return std::tanh(x); }, 6.2},
    {"Sigmoid", &UnaryKernels::Sigmoid, ExactSigmoid, 5.6, kSubnormal},
    {"Swish", &UnaryKernels::Swish, ExactSwish, 6.5, 4e-37},
    {"Softplus", &UnaryKernels::Softplus, ExactSoftplus, 4.9, kSubnormal},
    {"Elu", &UnaryKernels::Elu, ExactElu, 1.2},
    {"Erf", &UnaryKernels::Erf, [](double x) { return std::erf(x); }, 5.9},
    {"Sqrt", &UnaryKernels::Sqrt, [](double x) { return std::sqrt(x); }, 0.5},
    {"Rsqrt", &UnaryKernels::Rsqrt, [](double x) { return 1.0 / std::sqrt(x); }, 1.5},
    {"Sin", &UnaryKernels::Sin, [](double x) { return std::sin(x); }, 1.6},
    {"Cos", &UnaryKernels::Cos, [](double x) { return std::cos(x); }, 1.6},
    {"Tan", &UnaryKernels::Tan, [](double x) { return std::tan(x); }, 3.7},
    {"Floor", &UnaryKernels::Floor, [](double x) { return std::floor(x); }, 0},
    {"Ceil", &UnaryKernels::Ceil, [](double x) { return std::ceil(x); }, 0},
    {"Round", &UnaryKernels::Round, ExactRound, 0},
};

// The distance between neighbouring floats around |value|; subnormals share one distance.
double UlpOf(double value) {
  const float magnitude = static_cast<float>(std::fabs(value));
  if (magnitude < std::numeric_limits<float>::min())
    return std::numeric_limits<float>::denorm_min();
  int exponent;
  std::frexp(magnitude, &exponent);
  return std::ldexp(1.0, exponent - 24);
}

// "" when `got` is the value of `f` at x within f.max_ulp.
std::string Judge(const Function& f, float x, float got) {
  const double exact = f.exact(x);
  const float rounded = static_cast<float>(exact);
  bool good;
  if (std::isnan(exact))
    good = std::isnan(got);
  else if (std::isinf(rounded) || std::isinf(got))
    good = got == rounded;
  else
    good = std::fabs(got - exact) <= f.max_ulp * UlpOf(exact);
  if (std::fabs(exact) < f.tiny && got == 0.0f) good = std::signbit(exact) == std::signbit(got);
  // A zero keeps its sign, because 1 / y depends on it.
  if (rounded == 0.0f && got == 0.0f) good = std::signbit(rounded) == std::signbit(got);
  if (good) return "";
  return std::string(f.name) + "(" + std::to_string(x) + ", bits " +
         std::to_string(std::bit_cast<uint32_t>(x)) + ") = " + std::to_string(got) + ", want " +
         std::to_string(exact);
}

class VectorMath : public testing::TestWithParam<Function> {
 protected:
  static std::vector<Kernel> Kernels() {
    const auto member = GetParam().kernel;
    std::vector<Kernel> kernels;
    for (const IsaSet& set : UsableSets()) kernels.push_back(set.kernels->unary.*member);
    return kernels;
  }

  void ExpectGood(const std::vector<float>& x) {
    std::vector<float> y(x.size());
    for (const Kernel kernel : Kernels()) {
      kernel(x.data(), static_cast<int64_t>(x.size()), 0.0f, y.data());
      for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(Judge(GetParam(), x[i], y[i]), "");
    }
  }
};

TEST_P(VectorMath, HoldsItsErrorOverAllFloats) {
  constexpr uint64_t kStep = 2503;  // 1 tests every float, which takes minutes
  std::vector<float> x;
  for (uint64_t bits = 0; bits <= 0xffffffffu; bits += kStep) {
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    if (x.size() < 4099) continue;
    ExpectGood(x);
    x.clear();
  }
  ExpectGood(x);
}

TEST_P(VectorMath, HoldsItsErrorAroundEdges) {
  const float edges[] = {
      0.0f,        1.0f,           -1.0f,       88.72284f,     -87.33655f, -103.97208f,
      0.3465736f,  -0.3465736f,    0.70710677f, 1.4142135f,    0.921875f,  -0.921875f,
      4.0f,        -17.3286f,      0.5f,        2.5f,          8388608.0f, -8388608.0f,
      131072.0f,   -12867.963f,    1.5707964f,  3.1415927f,    -51819.75f, 4194304.0f,
      16777216.0f, 1.1754944e-38f, 1e-45f,      3.4028235e38f, 9.0f,       -9.0f,
      INFINITY,    -INFINITY,      NAN};
  std::vector<float> x;
  for (const float edge : edges) {
    const uint32_t bits = std::bit_cast<uint32_t>(edge);
    for (uint32_t d = 0; d < 600; ++d) x.push_back(std::bit_cast<float>(bits - 300 + d));
  }
  ExpectGood(x);
}

// Whole vector steps and the rest must give the same bits; otherwise results would depend on where
// a thread's range begins.
TEST_P(VectorMath, SameBitsAtEveryPosition) {
  constexpr int64_t kCount = 37;
  for (const Kernel kernel : Kernels()) {
    std::vector<float> x(kCount), whole(kCount), alone(kCount);
    for (int64_t i = 0; i < kCount; ++i) x[i] = 0.37f * static_cast<float>(i - 11);
    x[7] = -3e5f;  // an angle beyond those that the vectors of Sin and Cos compute
    kernel(x.data(), kCount, 0.0f, whole.data());
    for (int64_t i = 0; i < kCount; ++i) kernel(&x[i], 1, 0.0f, &alone[i]);
    for (int64_t i = 0; i < kCount; ++i)
      EXPECT_EQ(std::bit_cast<uint32_t>(whole[i]), std::bit_cast<uint32_t>(alone[i])) << x[i];
    kernel(x.data(), kCount, 0.0f, x.data());
    EXPECT_EQ(std::memcmp(x.data(), whole.data(), kCount * sizeof(float)), 0) << "in place";
  }
}

#if defined(__SSE2__)
// Runs with subnormals flushed to zero, as sessions do.
TEST_P(VectorMath, HoldsItsErrorWhenSubnormalsAreFlushed) {
  std::vector<float> x, y;
  for (uint64_t bits = 0; bits <= 0xffffffffu; bits += 40009) {
    const float value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (std::fabs(value) >= std::numeric_limits<float>::min()) x.push_back(value);
  }
  y.resize(x.size());
  for (const Kernel kernel : Kernels()) {
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040);  // flush-to-zero, denormals-are-zero
    kernel(x.data(), static_cast<int64_t>(x.size()), 0.0f, y.data());
    _mm_setcsr(saved);
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = GetParam().exact(x[i]);
      // Below this, a correction that is added to the result is itself flushed to zero.
      if (std::fabs(exact) < 16 * std::numeric_limits<float>::min()) continue;
      ASSERT_EQ(Judge(GetParam(), x[i], y[i]), "");
    }
  }
}
#endif

INSTANTIATE_TEST_SUITE_P(All, VectorMath, testing::ValuesIn(kFunctions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace linnet::kernels

// SPDX-License-Identifier: Apache-2.0
// Binary operations and softmax rows with every instruction set of this machine, for every length
// around whole vector steps. vector_math_test.cc tests unary ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/runtime/kernels/loop_cases.h"

namespace linnet::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Operation {
  const char* name;
  void (*BinaryKernels::*kernel)(const float*, const float*, int64_t, float, float, float*);
  float (*exact)(float, float);
};

const Operation kOperations[] = {
    {"Add", &BinaryKernels::Add, [](float a, float b) { return a + b; }},
    {"Sub", &BinaryKernels::Sub, [](float a, float b) { return a - b; }},
    {"Mul", &BinaryKernels::Mul, [](float a, float b) { return a * b; }},
    {"Div", &BinaryKernels::Div, [](float a, float b) { return a / b; }},
    {"FloorDiv", &BinaryKernels::FloorDiv, [](float a, float b) { return std::floor(a / b); }},
    {"TruncateDiv", &BinaryKernels::TruncateDiv,
     [](float a, float b) { return std::trunc(a / b); }},
    {"DivNoNan", &BinaryKernels::DivNoNan, [](float a, float b) { return b == 0 ? 0 : a / b; }},
    {"Maximum", &BinaryKernels::Maximum,
     [](float a, float b) { return a != a || b != b ? kNan : std::fmax(a, b); }},
    {"Minimum", &BinaryKernels::Minimum,
     [](float a, float b) { return a != a || b != b ? kNan : std::fmin(a, b); }},
    {"SquaredDifference", &BinaryKernels::SquaredDifference,
     [](float a, float b) { return (a - b) * (a - b); }},
};

float Limited(float x, float min, float max) { return x < min ? min : x > max ? max : x; }

bool Same(float a, float b) { return a == b || (a != a && b != b); }

TEST(BinaryKernels, EqualTheDefinition) {
  constexpr float kSpecial[] = {0.0f, -0.0f, 1.5f, -2.0f, 7.0f, kInfinity, -kInfinity, kNan};
  for (const IsaSet& set : UsableSets()) {
    for (const Operation& operation : kOperations) {
      for (int64_t count = 0; count <= 40; ++count) {
        std::vector<float> a(count), b(count), out(count + 1, 77.0f);
        for (int64_t i = 0; i < count; ++i)
          a[i] = kSpecial[i % 8], b[i] = kSpecial[(i / 8 + i) % 8];
        (set.kernels->binary.*operation.kernel)(a.data(), b.data(), count, -3.0f, 4.0f, out.data());
        for (int64_t i = 0; i < count; ++i) {
          const float want = Limited(operation.exact(a[i], b[i]), -3.0f, 4.0f);
          ASSERT_TRUE(Same(out[i], want)) << operation.name << "(" << a[i] << ", " << b[i]
                                          << ") = " << out[i] << ", want " << want;
        }
        EXPECT_EQ(out[count], 77.0f) << "written past the end";
        (set.kernels->binary.*operation.kernel)(a.data(), b.data(), count, -3.0f, 4.0f, b.data());
        for (int64_t i = 0; i < count; ++i) ASSERT_TRUE(Same(b[i], out[i])) << "in place";
      }
    }
  }
}

TEST(SoftmaxRow, EqualsTheDefinition) {
  constexpr int64_t kRows = 3;
  for (const IsaSet& set : UsableSets()) {
    for (int64_t cols : {1, 2, 7, 8, 9, 16, 31, 33, 512, 513, 1100}) {
      SCOPED_TRACE(cols);
      const int64_t count = kRows * cols;
      std::vector<float> x(count), y(count + 1, 77.0f), logs(count + 1, 77.0f);
      for (int64_t i = 0; i < count; ++i) x[i] = static_cast<float>(i * 37 % 41) - 20.0f;
      set.kernels->softmax_rows(x.data(), kRows, cols, /*log=*/false, y.data());
      set.kernels->softmax_rows(x.data(), kRows, cols, /*log=*/true, logs.data());
      for (int64_t r = 0; r < kRows; ++r) {
        double sum = 0;
        for (int64_t i = r * cols; i < (r + 1) * cols; ++i) sum += std::exp(double{x[i]});
        for (int64_t i = r * cols; i < (r + 1) * cols; ++i) {
          EXPECT_NEAR(y[i], std::exp(x[i]) / sum, 1e-6 * std::exp(x[i]) / sum);
          EXPECT_NEAR(logs[i], x[i] - std::log(sum), 1e-5);
        }
      }
      EXPECT_EQ(y[count], 77.0f);
      EXPECT_EQ(logs[count], 77.0f);
      y.resize(count);
      logs.resize(count);
      std::vector<float> in_place = x;
      set.kernels->softmax_rows(in_place.data(), kRows, cols, /*log=*/false, in_place.data());
      EXPECT_EQ(in_place, y);
      in_place = x;
      set.kernels->softmax_rows(in_place.data(), kRows, cols, /*log=*/true, in_place.data());
      EXPECT_EQ(in_place, logs);
    }
  }
}

// Masked elements are -inf and must give zero.
TEST(SoftmaxRow, MinusInfinityGivesZero) {
  for (const IsaSet& set : UsableSets()) {
    const std::vector<float> x = {1, -kInfinity, 1, -kInfinity};
    std::vector<float> y(4);
    set.kernels->softmax_rows(x.data(), 1, 4, /*log=*/false, y.data());
    EXPECT_EQ(y, (std::vector<float>{0.5f, 0.0f, 0.5f, 0.0f}));
  }
}

// Wherever it is, and only in its row, which may be one vector.
TEST(SoftmaxRow, KeepsNan) {
  for (const IsaSet& set : UsableSets()) {
    for (const int64_t cols : {3, 20}) {
      for (int64_t at = 0; at < 2 * cols; ++at) {
        const float special = at < cols ? kNan : kInfinity;
        std::vector<float> x(2 * cols, 1.0f), y(2 * cols);
        x[cols + at % cols] = special;
        set.kernels->softmax_rows(x.data(), 2, cols, /*log=*/false, y.data());
        for (int64_t i = 0; i < cols; ++i) {
          EXPECT_FLOAT_EQ(y[i], 1.0f / static_cast<float>(cols));
          EXPECT_TRUE(std::isnan(y[cols + i])) << special << " at " << at % cols << " of " << cols;
        }
      }
    }
  }
}

}  // namespace
}  // namespace linnet::kernels

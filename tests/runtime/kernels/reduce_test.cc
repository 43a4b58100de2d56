// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "runtime/kernels/arg_reduce.h"
#include "tests/runtime/kernels/backwards.h"

namespace linnet::kernels {
namespace {

std::vector<float> Uniform(int64_t count, float low, float high) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> values(low, high);
  std::vector<float> result(count);
  for (float& value : result) value = values(random);
  return result;
}

void ReduceWithScratch(ReduceKind kind, const std::vector<float>& x, const Shape& shape,
                       const Shape& axes, float* out, const Parallel& parallel) {
  std::vector<double> scratch((ReduceScratch(kind, DType::kFloat32, shape, axes) + 7) / 8);
  Reduce(kind, DType::kFloat32, x.data(), shape, axes, out, scratch.data(), parallel);
}

float ReduceAll(ReduceKind kind, const std::vector<float>& x) {
  float result = 0;
  ReduceWithScratch(kind, x, {static_cast<int64_t>(x.size())}, {0}, &result, {});
  return result;
}

TEST(Reduce, LongSumsStayAccurate) {
  for (const int64_t count : {1000, 1000000, 3000001}) {
    const std::vector<float> x = Uniform(count, 0.0f, 1.0f);
    double exact = 0;
    for (const float value : x) exact += value;
    EXPECT_NEAR(ReduceAll(ReduceKind::kSum, x) / exact, 1.0, 2e-7);
    EXPECT_NEAR(ReduceAll(ReduceKind::kMean, x) * count / exact, 1.0, 2e-7);
  }
}

TEST(Reduce, LongColumnsStayAccurate) {
  constexpr int64_t kRows = 300000, kColumns = 3;
  const std::vector<float> x = Uniform(kRows * kColumns, 0.0f, 1.0f);
  double exact[kColumns] = {};
  for (int64_t i = 0; i < kRows * kColumns; ++i) exact[i % kColumns] += x[i];
  float sums[kColumns];
  ReduceWithScratch(ReduceKind::kSum, x, {kRows, kColumns}, {0}, sums, {});
  for (int64_t c = 0; c < kColumns; ++c) EXPECT_NEAR(sums[c] / exact[c], 1.0, 2e-7);
}

// Sums elements with the same indices along kept axes, one by one.
std::vector<double> NaiveSum(const std::vector<float>& x, const Shape& shape, const Shape& axes) {
  std::vector<double> sums(x.size() + 1, 0.0);
  int64_t outputs = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) outputs *= shape[axis];
  }
  for (int64_t i = 0; i < static_cast<int64_t>(x.size()); ++i) {
    int64_t rest = i, offset = 0, stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      const int64_t position = rest % shape[axis];
      rest /= shape[axis];
      if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
      offset += position * stride;
      stride *= shape[axis];
    }
    sums[offset] += x[i];
  }
  sums.resize(outputs);
  return sums;
}

TEST(Reduce, AgreesWithIndexArithmeticOnRandomAxes) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    Shape shape, axes;
    int64_t budget = 60000;
    const int rank = static_cast<int>(random() % 7);
    for (int axis = 0; axis < rank; ++axis) {
      const int64_t dim =
          std::min<int64_t>(budget, random() % 4 == 0 ? random() % 700 : random() % 7);
      shape.Append(dim);
      budget /= std::max<int64_t>(dim, 1);
      if (random() % 2 == 0) axes.Append(axis);
    }
    const std::vector<float> x = Uniform(shape.num_elements(), 0.0f, 1.0f);
    const std::vector<double> want = NaiveSum(x, shape, axes);
    std::vector<float> one(want.size()), three(want.size());
    ReduceWithScratch(ReduceKind::kSum, x, shape, axes, one.data(), {});
    ReduceWithScratch(ReduceKind::kSum, x, shape, axes, three.data(), Backwards(3));
    ASSERT_EQ(one, three) << "depends on the number of threads";
    for (size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(one[i], want[i], 1e-6 * (1 + want[i]));
  }
}

// The means of squeeze-and-excite, and shapes at the limits of SumColumns.
TEST(Reduce, MeansOverPicturesDoNotDependOnThreads) {
  for (const Shape& shape : {Shape{1, 7, 7, 576},
                             {1, 14, 14, 240},
                             {1, 112, 112, 32},
                             {1, 2, 1, 4096},
                             {1, 64, 64, 4097},
                             {2, 14, 14, 240},
                             {3, 5461, 3},
                             {16384, 1},
                             {1, 1, 16384}}) {
    Shape axes;
    for (int axis = shape.rank() > 3 ? 1 : 0; axis < shape.rank() - 1; ++axis) axes.Append(axis);
    const std::vector<float> x = Uniform(shape.num_elements(), -1.0f, 1.0f);
    std::vector<double> want = NaiveSum(x, shape, axes);
    const double count = static_cast<double>(x.size() / want.size());
    std::vector<float> one(want.size()), eight(want.size());
    ReduceWithScratch(ReduceKind::kMean, x, shape, axes, one.data(), {});
    ReduceWithScratch(ReduceKind::kMean, x, shape, axes, eight.data(), Backwards(8));
    ASSERT_EQ(one, eight);
    for (size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(one[i], want[i] / count, 1e-6);
  }
}

// One picture needs memory where several do not.
TEST(Reduce, ScratchIsEnoughForSmallerShapes) {
  const auto bytes = [](const Shape& shape) {
    return ReduceScratch(ReduceKind::kMean, DType::kFloat32, shape, {1, 2});
  };
  const int64_t sizes[] = {1, 2, 14, 50, 112};
  for (const int64_t most_rows : sizes) {
    for (const int64_t most_columns : {1, 32, 4096, 5000}) {
      const int64_t most = bytes({4, most_rows, 14, most_columns});
      for (const int64_t rows : sizes) {
        for (const int64_t columns : {1, 32, 4096, 5000}) {
          if (rows > most_rows || columns > most_columns) continue;
          EXPECT_LE(bytes({1, rows, 14, columns}), most);
        }
      }
    }
  }
}

TEST(ArgReduce, AnyNumberOfThreadsGivesTheSame) {
  constexpr int64_t kOuter = 3, kAxis = 700, kInner = 41;
  const std::vector<float> x = Uniform(kOuter * kAxis * kInner, -1.0f, 1.0f);
  std::vector<int64_t> one(kOuter * kInner), three(kOuter * kInner);
  ArgReduce(DType::kFloat32, x.data(), false, kOuter, kAxis, kInner, DType::kInt64, one.data(), {});
  ArgReduce(DType::kFloat32, x.data(), false, kOuter, kAxis, kInner, DType::kInt64, three.data(),
            Backwards(3));
  EXPECT_EQ(one, three);
  for (int64_t i = 0; i < kOuter * kInner; ++i) {
    const float* column = x.data() + i / kInner * kAxis * kInner + i % kInner;
    for (int64_t a = 0; a < kAxis; ++a) ASSERT_LE(column[a * kInner], column[one[i] * kInner]) << i;
  }
}

TEST(ArgReduce, FindsTheSmallestOfLongIntegerRows) {
  constexpr int64_t kAxis = 1003;  // several blocks of widened elements, and a rest
  for (const int64_t place : {0, 5, 255, 256, 700, 1002}) {
    std::vector<int32_t> ints(kAxis, 7);
    std::vector<int8_t> bytes(kAxis, 7);
    ints[place] = -100000;
    bytes[place] = -100;
    int32_t found = -1;
    ArgReduce(DType::kInt32, ints.data(), true, 1, kAxis, 1, DType::kInt32, &found, {});
    EXPECT_EQ(found, place);
    ArgReduce(DType::kInt8, bytes.data(), true, 1, kAxis, 1, DType::kInt32, &found, {});
    EXPECT_EQ(found, place);
  }
}

}  // namespace
}  // namespace linnet::kernels

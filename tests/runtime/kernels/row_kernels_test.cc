// SPDX-License-Identifier: Apache-2.0
// Kernels that split rows among threads: results must not depend on the split. Their values are
// tested by tests/conformance.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "runtime/kernels/cast.h"
#include "runtime/kernels/normalize.h"
#include "runtime/kernels/resize.h"
#include "runtime/kernels/top_k.h"
#include "tests/runtime/kernels/backwards.h"

namespace linnet::kernels {
namespace {

std::vector<float> Uniform(int64_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> values(-4.0f, 4.0f);
  std::vector<float> result(count);
  for (float& value : result) value = values(random);
  return result;
}

TEST(RowKernels, SoftmaxOnThreadsAndInPlace) {
  constexpr int64_t kRows = 100, kCols = 1001;
  const std::vector<float> x = Uniform(kRows * kCols);
  for (const auto softmax : {Softmax, LogSoftmax}) {
    std::vector<float> one(x.size()), three(x.size()), in_place = x;
    softmax(x.data(), kRows, kCols, one.data(), {});
    softmax(x.data(), kRows, kCols, three.data(), Backwards(3));
    softmax(in_place.data(), kRows, kCols, in_place.data(), {});
    EXPECT_EQ(one, three);
    EXPECT_EQ(one, in_place);
  }
}

TEST(RowKernels, ResizeOnThreads) {
  for (const auto sampling :
       {ResizeSampling::kLegacy, ResizeSampling::kAlignCorners, ResizeSampling::kHalfPixel}) {
    const ResizeJob job{sampling, 2, 41, 37, 3, 150, 131};
    const std::vector<float> x = Uniform(job.batch * job.in_h * job.in_w * job.channels);
    std::vector<float> one(job.batch * job.out_h * job.out_w * job.channels), five = one;
    std::vector<uint8_t> scratch(ResizeBilinearScratch(job, 5) + 64);
    void* aligned = scratch.data() + (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64);
    ResizeBilinear(job, DType::kFloat32, x.data(), one.data(), aligned, {});
    ResizeBilinear(job, DType::kFloat32, x.data(), five.data(), aligned, Backwards(5));
    EXPECT_EQ(one, five);
    ResizeNearest(job, 4, x.data(), one.data(), aligned, {});
    ResizeNearest(job, 4, x.data(), five.data(), aligned, Backwards(5));
    EXPECT_EQ(one, five);
  }
}

TEST(RowKernels, TopKAgreesWithASort) {
  constexpr int64_t kCols = 300;
  std::vector<float> x = Uniform(kCols);
  for (float& value : x) value = static_cast<float>(static_cast<int>(value * 10));  // many ties
  std::vector<int32_t> sorted(kCols);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return x[a] > x[b]; });
  for (int64_t k = 0; k <= kCols; ++k) {
    std::vector<float> values(k);
    std::vector<int32_t> indices(k);
    TopK(DType::kFloat32, x.data(), 1, kCols, k, values.data(), indices.data(), nullptr, {});
    for (int64_t i = 0; i < k; ++i) {
      ASSERT_EQ(indices[i], sorted[i]) << "k " << k;
      ASSERT_EQ(values[i], x[sorted[i]]);
    }
  }
}

// Rows that several threads share, with ties, NaN and infinities wherever a part begins.
TEST(RowKernels, TopKOfLongRowsOnThreads) {
  constexpr int64_t kCols = 70001, kMost = 200;
  for (const int64_t rows : {1, 2, 9}) {
    std::vector<float> x = Uniform(rows * kCols);
    for (size_t i = 0; i < x.size(); i += 3) x[i] = 3.5f;
    for (size_t i = 10; i < x.size(); i += 997) x[i] = i % 2 == 0 ? NAN : INFINITY;
    for (const int64_t k : {1, 100, 200}) {
      std::vector<float> values(rows * k), one(rows * k);
      std::vector<int32_t> indices(rows * k), first(rows * k), scratch(8 * kMost);
      EXPECT_LE(TopKScratch(kCols, k, 8), 8 * kMost * 4);
      TopK(DType::kFloat32, x.data(), rows, kCols, k, one.data(), first.data(), nullptr, {});
      for (const int threads : {2, 3, 8}) {
        TopK(DType::kFloat32, x.data(), rows, kCols, k, values.data(), indices.data(),
             scratch.data(), Backwards(threads));
        EXPECT_EQ(indices, first) << threads << " threads, k " << k;
        EXPECT_EQ(std::memcmp(values.data(), one.data(), values.size() * 4), 0);
      }
    }
  }
}

TEST(RowKernels, TopKOfLongRowsOfIntegersAgreesWithASort) {
  constexpr int64_t kCols = 40000, kCount = 50;
  std::minstd_rand random(3);
  const auto expect = [&]<typename T>(DType dtype, T) {
    std::vector<T> x(kCols), values(kCount);
    for (T& value : x) value = static_cast<T>(random() % 120);
    std::vector<int32_t> sorted(kCols), indices(kCount), scratch(2 * kCount);
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return x[a] > x[b]; });
    sorted.resize(kCount);
    TopK(dtype, x.data(), 1, kCols, kCount, values.data(), indices.data(), scratch.data(),
         Backwards(2));
    EXPECT_EQ(indices, sorted);
  };
  expect(DType::kInt32, int32_t{});
  expect(DType::kInt64, int64_t{});
  expect(DType::kUint8, uint8_t{});
  expect(DType::kInt8, int8_t{});
}

TEST(RowKernels, CastInPlaceBetweenTypesOfOneSize) {
  const std::vector<float> x = Uniform(2000);
  std::vector<float> buffer = x;
  Cast(DType::kFloat32, buffer.data(), DType::kInt32, 2000, buffer.data());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(std::bit_cast<int32_t>(buffer[i]), static_cast<int32_t>(x[i]));
}

}  // namespace
}  // namespace linnet::kernels

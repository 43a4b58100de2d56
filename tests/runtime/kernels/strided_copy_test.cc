// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/strided_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace linnet::kernels {
namespace {

void RunBackwards(void*, void (*task)(void* context, int64_t index), void* context, int64_t tasks) {
  while (tasks > 0) task(context, --tasks);
}

// The copy by its definition, one element after the other.
void CopyPlainly(const CopyBox& box, int loop, int64_t element_bytes, const uint8_t* src,
                 uint8_t* dst) {
  if (loop == box.rank) {
    std::memcpy(dst, src, static_cast<size_t>(element_bytes));
    return;
  }
  for (int64_t i = 0; i < box.extent[loop]; ++i)
    CopyPlainly(box, loop + 1, element_bytes, src + i * box.src_stride[loop],
                dst + i * box.dst_stride[loop]);
}

// A permuted, possibly repeated and reversed view of a dense source into a dense destination.
struct RandomCopy {
  CopyBox box;
  int64_t element_bytes, src_bytes, src_begin, dst_bytes;
};

RandomCopy MakeCopy(std::mt19937& random, int64_t max_extent) {
  const auto pick = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  const int rank = static_cast<int>(pick(6));
  RandomCopy copy = {.element_bytes = int64_t{1} << pick(4), .src_begin = 0};
  std::vector<int64_t> extents, strides;
  for (int i = 0; i < rank; ++i)
    extents.push_back(pick(4) == 0 ? 1 : 1 + pick(std::max<int64_t>(max_extent >> i, 2)));
  int64_t stride = copy.element_bytes;
  for (int i = rank - 1; i >= 0; --i) {
    strides.insert(strides.begin(), stride);
    stride *= extents[i];
  }
  copy.src_bytes = stride;
  std::vector<int> perm(rank);
  for (int i = 0; i < rank; ++i) perm[i] = i;
  if (pick(3) != 0) std::shuffle(perm.begin(), perm.end(), random);
  for (int i : perm) {
    int64_t step = strides[i];
    const int64_t kind = pick(10);
    if (kind == 0) step = 0;
    if (kind == 1) {
      copy.src_begin += (extents[i] - 1) * step;
      step = -step;
    }
    copy.box.Append(extents[i], step);
  }
  copy.box.SetDenseDst(copy.element_bytes);
  copy.dst_bytes = copy.element_bytes;
  for (int64_t n : extents) copy.dst_bytes *= n;
  return copy;
}

void ExpectAsPlain(const RandomCopy& copy, const Parallel& parallel) {
  std::vector<uint8_t> src(copy.src_bytes), want(copy.dst_bytes), got(copy.dst_bytes, 0xa5);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>(i * 167 + (i >> 8));
  CopyPlainly(copy.box, 0, copy.element_bytes, src.data() + copy.src_begin, want.data());
  StridedCopy(copy.box, copy.element_bytes, src.data() + copy.src_begin, got.data(), parallel);
  ASSERT_EQ(want, got);
}

TEST(StridedCopy, SmallBoxesMatchTheDefinition) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    ExpectAsPlain(MakeCopy(random, 20), Parallel{});
    if (testing::Test::HasFailure()) return;
  }
}

TEST(StridedCopy, LargeBoxesMatchTheDefinitionOnAnyNumberOfThreads) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const RandomCopy copy = MakeCopy(random, 200);
    if (copy.dst_bytes > 16 << 20) continue;
    for (int threads : {1, 2, 7})
      ExpectAsPlain(copy, Parallel{.threads = threads, .run = RunBackwards});
    if (testing::Test::HasFailure()) return;
  }
}

TEST(StridedCopy, LeavesElementsThatAreInPlace) {
  // Only a page without write access would prove that nothing is written. Callers pass a const
  // source that is its own destination.
  std::vector<float> data = {1, 2, 3, 4, 5, 6};
  CopyBox box;
  box.Append(2, 12, 12);
  box.Append(3, 4, 4);
  StridedCopy(box, 4, data.data(), data.data(), Parallel{});
  EXPECT_EQ(data, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(StridedCopy, EmptyBoxTouchesNothing) {
  CopyBox box;
  box.Append(3, 4, 4);
  box.Append(0, 4, 4);
  StridedCopy(box, 4, nullptr, nullptr, Parallel{});
}

TEST(DenseStrides, ZeroCountsAsOne) {
  EXPECT_EQ(DenseStrides(Shape{2, 3, 4}, 4), (Shape{48, 16, 4}));
  EXPECT_EQ(DenseStrides(Shape{2, 0, 4}, 4), (Shape{16, 16, 4}));
  EXPECT_EQ(DenseStrides(Shape{}, 4), Shape{});
}

}  // namespace
}  // namespace linnet::kernels

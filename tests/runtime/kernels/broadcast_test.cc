// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/broadcast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "tests/runtime/kernels/backwards.h"

namespace linnet::kernels {
namespace {

// out = a + 1000 b + 1000000 c, which shows which elements were combined.
void Combine(const BroadcastRow& row, const void*) {
  for (int64_t i = 0; i < row.count; ++i)
    row.output<int64_t>()[i] = row.input<int32_t>(0)[i] + int64_t{1000} * row.input<int16_t>(1)[i] +
                               int64_t{1000000} * row.input<uint8_t>(2)[i];
}

// Offset of output element `index` within an input of shape `in`.
int64_t OffsetOf(const Shape& in, const Shape& out, int64_t index) {
  int64_t offset = 0, stride = 1;
  for (int axis = out.rank() - 1, k = in.rank() - 1; axis >= 0; --axis, --k) {
    const int64_t position = index % out[axis];
    index /= out[axis];
    if (k < 0) continue;
    offset += (in[k] == 1 ? 0 : position) * stride;
    stride *= in[k];
  }
  return offset;
}

Shape RandomInput(const Shape& out, std::mt19937& random) {
  const int drop =
      static_cast<int>(random() % 3) == 0 ? static_cast<int>(random() % (out.rank() + 1)) : 0;
  Shape shape;
  for (int axis = drop; axis < out.rank(); ++axis) shape.Append(random() % 3 == 0 ? 1 : out[axis]);
  return shape;
}

template <typename T>
std::vector<T> Numbers(const Shape& shape) {
  std::vector<T> values(std::max<int64_t>(shape.num_elements(), 1));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i % 127);
  return values;
}

void Check(const Shape& out_shape, const Shape& sa, const Shape& sb, const Shape& sc) {
  const auto a = Numbers<int32_t>(sa);
  const auto b = Numbers<int16_t>(sb);
  const auto c = Numbers<uint8_t>(sc);
  const int64_t count = out_shape.num_elements();
  for (const int threads : {1, 3}) {
    std::vector<int64_t> out(count + 1, -1);
    const BroadcastInput inputs[] = {{sa, a.data(), 4}, {sb, b.data(), 2}, {sc, c.data(), 1}};
    ForEachBroadcastRow(inputs, out_shape, out.data(), 8, Combine, nullptr, Backwards(threads));
    for (int64_t i = 0; i < count; ++i) {
      const int64_t want = a[OffsetOf(sa, out_shape, i)] +
                           int64_t{1000} * b[OffsetOf(sb, out_shape, i)] +
                           int64_t{1000000} * c[OffsetOf(sc, out_shape, i)];
      ASSERT_EQ(out[i], want) << "element " << i << ", threads " << threads;
    }
    ASSERT_EQ(out[count], -1) << "wrote past the end";
  }
}

TEST(Broadcast, AgreesWithIndexArithmeticOnRandomShapes) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Shape out;
    const int rank = static_cast<int>(random() % 9);
    int64_t budget = 40000;
    for (int axis = 0; axis < rank; ++axis) {
      const int64_t dim =
          std::min<int64_t>(budget, random() % 5 == 0 ? random() % 900 : random() % 6);
      out.Append(dim);
      budget /= std::max<int64_t>(dim, 1);
    }
    // The output's extents must come from an input: the first input has them all.
    ASSERT_NO_FATAL_FAILURE(Check(out, out, RandomInput(out, random), RandomInput(out, random)));
    ASSERT_NO_FATAL_FAILURE(Check(out, RandomInput(out, random), RandomInput(out, random), out));
  }
}

TEST(Broadcast, LongStretches) {
  Check({50000}, {50000}, {1}, {});
  Check({3, 30000}, {3, 30000}, {30000}, {3, 1});
  Check({20000, 3}, {20000, 3}, {3}, {20000, 1});
  Check({20000, 1, 3}, {3}, {20000, 1, 1}, {1});
  Check({40, 40, 40}, {40, 1, 40}, {40, 1}, {40, 40, 40});
}

TEST(Broadcast, NoElements) {
  Check({0}, {0}, {1}, {});
  Check({4, 0, 3}, {4, 1, 3}, {0, 1}, {4, 0, 3});
}

TEST(Broadcast, InPlace) {
  const Shape out_shape = {500, 3}, row = {3};
  std::vector<int32_t> a(1500);
  std::iota(a.begin(), a.end(), 0);
  const std::vector<int32_t> before = a, b = {1, 20, 300};
  const BroadcastInput inputs[] = {{out_shape, a.data(), 4}, {row, b.data(), 4}};
  ForEachBroadcastRow(
      inputs, out_shape, a.data(), 4,
      [](const BroadcastRow& r, const void*) {
        for (int64_t i = 0; i < r.count; ++i)
          r.output<int32_t>()[i] = r.input<int32_t>(0)[i] - r.input<int32_t>(1)[i];
      },
      nullptr, Parallel());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], before[i] - b[i % 3]);
}

}  // namespace
}  // namespace linnet::kernels

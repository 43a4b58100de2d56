// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/broadcast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "runtime/ops/select.h"

namespace linnet::vulkan {
namespace {

constexpr DType kF32 = DType::kFloat32;

// An op with inputs of these shapes, which broadcast to `out`.
class Inputs {
 public:
  Inputs(const std::vector<Shape>& shapes, const Shape& out) : output_{kF32, out} {
    for (const Shape& shape : shapes) inputs_.push_back({.type = {kF32, shape}});
  }
  OpInstance op() const {
    return {.kind = OpKind::kSelect, .inputs = inputs_, .outputs = {&output_, 1}};
  }

 private:
  std::vector<InputInfo> inputs_;
  TensorType output_;
};

// Where element (`quad`, `lane`) of the output has its element of input `k`, as a number of a word
// of the input, by the meaning of the shader's push constants.
int64_t PlannedAt(const Broadcast& plan, int k, int64_t quad, int64_t lane) {
  const uint* strides[] = {plan.push.a, plan.push.b, plan.push.c};
  int64_t at = 0;
  for (uint d = 0; d < plan.rank; ++d) {
    at += quad % plan.push.extent[d] * strides[k][d];
    quad /= plan.push.extent[d];
  }
  return at * 4 + ((plan.splat >> k & 1) != 0 ? 0 : lane);
}

// The same by the rules of broadcasting.
int64_t BroadcastAt(const Shape& in, const Shape& out, const std::vector<int64_t>& index) {
  int64_t at = 0;
  for (int axis = 0; axis < in.rank(); ++axis) {
    const int64_t i = index[axis + out.rank() - in.rank()];
    const int64_t extent = axis == in.rank() - 1 ? RowElements(Layout::kRows4, in[axis]) : in[axis];
    at = at * extent + (in[axis] == 1 ? 0 : i);
  }
  return at;
}

void ExpectAddresses(const std::vector<Shape>& shapes, const Shape& out, const Broadcast& plan) {
  const Rows rows = RowsOf({kF32, out});
  ASSERT_EQ(plan.push.quads, rows.count * rows.quads);
  std::vector<int64_t> index(std::max(out.rank(), 1), 0);
  for (int64_t row = 0; row < rows.count; ++row) {
    int64_t rest = row;
    for (int axis = out.rank() - 2; axis >= 0; --axis) {
      index[axis] = rest % out[axis];
      rest /= out[axis];
    }
    for (int64_t column = 0; column < rows.columns; ++column) {
      if (out.rank() > 0) index[out.rank() - 1] = column;
      for (size_t k = 0; k < shapes.size(); ++k)
        ASSERT_EQ(PlannedAt(plan, static_cast<int>(k), row * rows.quads + column / 4, column % 4),
                  BroadcastAt(shapes[k], out, index))
            << "input " << k << ", row " << row << ", column " << column;
    }
  }
}

struct Case {
  const char* name;
  std::vector<Shape> shapes;
  Shape out;
  uint rank, splat;
};

// Names the parameter in gtest's messages.
void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class BroadcastCases : public testing::TestWithParam<Case> {};

TEST_P(BroadcastCases, NamesTheElementsInFewDimensions) {
  const Case& test = GetParam();
  const Inputs inputs(test.shapes, test.out);
  Broadcast plan;
  ASSERT_EQ(PlanBroadcast(inputs.op(), &plan), nullptr);
  EXPECT_EQ(plan.rank, test.rank);
  EXPECT_EQ(plan.splat, test.splat);
  ExpectAddresses(test.shapes, test.out, plan);
}

INSTANTIATE_TEST_SUITE_P(
    , BroadcastCases,
    testing::Values(Case{"scalars", {{}, {}}, {}, 1, 0},
                    Case{"same", {{2, 3, 5}, {2, 3, 5}}, {2, 3, 5}, 1, 0},
                    Case{"scalar_right", {{2, 3, 5}, {}}, {2, 3, 5}, 1, 2},
                    Case{"scalar_left", {{1, 1}, {4, 3}}, {4, 3}, 1, 1},
                    Case{"channels", {{2, 3, 4, 5}, {5}}, {2, 3, 4, 5}, 2, 0},
                    Case{"one_channel", {{2, 3, 1}, {2, 1, 1}}, {2, 3, 1}, 2, 0},
                    Case{"rows", {{4, 6}, {4, 1}}, {4, 6}, 2, 2},
                    Case{"outer_product", {{4, 1}, {1, 6}}, {4, 6}, 2, 1},
                    Case{"squeeze_and_excite", {{2, 3, 4, 8}, {2, 1, 1, 8}}, {2, 3, 4, 8}, 3, 0},
                    Case{"alternating", {{2, 1, 3, 1, 2}, {4, 1, 5, 1}}, {2, 4, 3, 5, 2}, 4, 2},
                    Case{"three_inputs", {{3, 1, 1}, {2, 1}, {5}}, {3, 2, 5}, 3, 3},
                    Case{"ones_between", {{1, 2, 1, 3}, {2, 1, 3}}, {1, 2, 1, 3}, 1, 0}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(BroadcastTest, RefusesMoreThanSixDimensions) {
  const Shape a = {2, 1, 2, 1, 2, 1, 5}, b = {1, 2, 1, 2, 1, 2, 1};
  const Inputs inputs({a, b}, {2, 2, 2, 2, 2, 2, 5});
  EXPECT_STREQ(WhyNotBroadcast(inputs.op()), "more than 6 dimensions that cannot be merged");
  // A row of one quad is no dimension.
  const Inputs six({{2, 1, 2, 1, 2, 1, 4}, b}, {2, 2, 2, 2, 2, 2, 4});
  EXPECT_EQ(WhyNotBroadcast(six.op()), nullptr);
}

}  // namespace
}  // namespace linnet::vulkan

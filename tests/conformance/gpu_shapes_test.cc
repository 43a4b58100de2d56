// SPDX-License-Identifier: Apache-2.0
// Shapes for which a GPU's threads compute more than one quad each, or share sums: the cases of
// golden/ are too small for that. The expected values are those of the portable kernels, which the
// cases of golden/ compare with TensorFlow.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "runtime/ops/batch_matmul.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/fully_connected.h"
#include "runtime/ops/op_codec.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/resize.h"
#include "runtime/ops/transpose_conv2d.h"
#include "tests/conformance/case_runner.h"
#include "tests/conformance/portable_result.h"

namespace linnet::conformance {
namespace {

// What the inputs are.
enum class Values {
  kNoise,
  // Above 0: what is lost when a term is added to a large sum has the same sign each time.
  kPositive,
  // Products of neighbours are beyond the largest half and cancel each other; the rest is not.
  kCancelling,
};

class ValueMaker {
 public:
  ValueMaker(Values values, uint32_t number) : values_(values), number_(number), random_(number) {}

  // Value `column` of a row, after those before it.
  float Next(int64_t column) {
    std::uniform_real_distribution<float> uniform(values_ == Values::kNoise ? -1.0f : 0.0f, 1.0f);
    if (values_ != Values::kCancelling) return uniform(random_);
    // Whole numbers, which halves hold as they are.
    if (number_ == 0) return 500;
    if (column % 2 == 0) return last_ = 300 + static_cast<float>(random_() % 300);
    return static_cast<float>(random_() % 3) - 1 - last_;
  }

 private:
  const Values values_;
  const uint32_t number_;
  std::mt19937 random_;
  float last_ = 0;
};

// Input `number`.
CaseTensor Filled(Values values, const Shape& shape, uint32_t number, bool constant) {
  CaseTensor tensor = {{DType::kFloat32, shape}, {}, constant};
  ValueMaker maker(values, number);
  tensor.bytes.resize(tensor.type.bytes());
  for (size_t i = 0; i < tensor.bytes.size() / sizeof(float); ++i) {
    const float value = maker.Next(static_cast<int64_t>(i) % shape.back());
    std::memcpy(tensor.bytes.data() + i * sizeof(float), &value, sizeof(float));
  }
  return tensor;
}

// Runs the op on the GPU, with floats in 32 and in 16 bits; all inputs but the first are constants
// if `constants`.
template <typename Attrs>
void Compare(const Attrs& attrs, std::initializer_list<Shape> shapes, bool constants,
             Values values = Values::kNoise) {
  OpCase test;
  test.kind = KindOf<Attrs>::value;
  std::vector<InputInfo> inputs;
  for (const Shape& shape : shapes) {
    const auto index = static_cast<uint32_t>(test.inputs.size());
    test.inputs.push_back(Filled(values, shape, index, constants && index > 0));
  }
  for (const CaseTensor& tensor : test.inputs)
    inputs.push_back({tensor.type, tensor.constant ? tensor.bytes.data() : nullptr});
  OpInstance op = {.kind = test.kind, .attrs = &attrs, .inputs = inputs, .outputs = {}};
  TensorType type[kMaxOpOutputs];
  const Status status = InferTypes(op, type);
  ASSERT_TRUE(status.ok()) << status.what();
  op.outputs = {type, 1};
  if (const char* reason = VulkanRunner().WhyUnsupported(op)) GTEST_SKIP() << reason;
  std::vector<std::vector<uint8_t>> expected;
  ASSERT_EQ(PortableResult(test, op, &expected), "");
  test.outputs.push_back({.type = type[0], .bytes = expected[0]});
  EXPECT_EQ(VulkanRunner().Run(test, op), "") << TypeText(type[0]);
  static int compared = 0;
  if (compared++ % VulkanHalfRunner().stride() != 0) return;
  EXPECT_EQ(VulkanHalfRunner().Run(test, op), "") << TypeText(type[0]) << " in halves";
  if (VulkanNativeHalfRunner().WhyUnsupported(op) != nullptr) return;
  EXPECT_EQ(VulkanNativeHalfRunner().Run(test, op), "") << TypeText(type[0]) << " in native halves";
}

const OutputRange kAboveZero = {.min = 0.25f};  // which padding must not take part in

TEST(GpuShapes, PointwiseConv) {
  const Conv2DAttrs attrs = {.range = kAboveZero};
  Compare(attrs, {{1, 33, 31, 13}, {34, 1, 1, 13}, {34}}, true);    // a row of tiles is not full
  Compare(attrs, {{2, 16, 16, 24}, {286, 1, 1, 24}, {286}}, true);  // in blocks, the last not full
  Compare(attrs, {{1, 7, 7, 100}, {41, 1, 1, 100}, {41}}, true);    // threads share the sums
  Compare(attrs, {{1, 1, 2, 70}, {1000, 1, 1, 70}, {1000}}, true);
}

TEST(GpuShapes, Conv) {
  Conv2DAttrs attrs = {
      .pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1, .range = kAboveZero};
  Compare(attrs, {{1, 40, 39, 10}, {36, 3, 3, 10}, {36}}, true);
  Compare(attrs, {{2, 16, 15, 5}, {274, 3, 3, 5}, {274}}, true);
  Compare(attrs, {{1, 9, 8, 6}, {270, 3, 3, 6}}, true);
  attrs.stride_h = 2, attrs.stride_w = 3, attrs.dilation_h = 3, attrs.dilation_w = 2;
  Compare(attrs, {{1, 64, 75, 7}, {40, 3, 3, 7}, {40}}, true);
}

// Enough channels for Winograd's method, which the runner tries wherever it is an option.
TEST(GpuShapes, ConvInTiles) {
  Conv2DAttrs attrs = {
      .pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1, .range = kAboveZero};
  Compare(attrs, {{1, 32, 29, 18}, {37, 3, 3, 18}, {37}}, true);    // tiles at the edges do not fit
  Compare(attrs, {{3, 9, 14, 70}, {70, 3, 3, 70}, {70}}, true);     // filter in panels, batch
  Compare(attrs, {{1, 118, 117, 16}, {17, 3, 3, 16}, {17}}, true);  // in strips
  attrs = {.range = kAboveZero};
  Compare(attrs, {{2, 21, 24, 17}, {32, 3, 3, 17}}, true);
  attrs = {.pad_top = 3, .pad_bottom = 0, .pad_left = 9, .pad_right = 2, .range = {}};
  Compare(attrs, {{1, 18, 20, 20}, {24, 3, 3, 20}, {24}}, true);  // tiles in the padding alone
}

TEST(GpuShapes, ConvInGroups) {
  Conv2DAttrs attrs = {.pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1, .range = {}};
  for (const auto& [groups, in, out] :
       {std::array{3, 4, 6}, {5, 3, 3}, {6, 1, 5}, {7, 2, 1}, {2, 8, 12}, {16, 1, 1}, {9, 5, 2}}) {
    attrs.groups = groups;
    Compare(attrs, {{1, 32, 29, groups * in}, {groups * out, 3, 3, in}, {groups * out}}, true);
    Compare(attrs, {{1, 4, 5, groups * in}, {groups * out, 2, 3, in}}, true);
  }
}

TEST(GpuShapes, DepthwiseConv) {
  DepthwiseConv2DAttrs attrs = {
      .pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1, .range = kAboveZero};
  Compare(attrs, {{1, 40, 41, 33}, {3, 3, 33}, {33}}, true);
  Compare(attrs, {{1, 33, 32, 9}, {3, 3, 27}, {27}}, true);
  attrs.stride_h = 2, attrs.stride_w = 2;
  Compare(attrs, {{2, 50, 51, 30}, {3, 3, 30}}, true);
}

TEST(GpuShapes, TransposeConv) {
  TransposeConv2DAttrs attrs = {.stride_h = 2,
                                .stride_w = 2,
                                .pad_top = 1,
                                .pad_bottom = 1,
                                .output_h = 64,
                                .output_w = 65,
                                .range = kAboveZero};
  Compare(attrs, {{1, 32, 32, 9}, {42, 3, 3, 9}, {42}}, true);
  attrs.stride_w = 3, attrs.dilation_w = 2;
  attrs.output_w = 71;
  Compare(attrs, {{1, 32, 20, 9}, {42, 3, 7, 9}, {42}}, true);
  attrs.stride_w = 2;  // odd columns meet no tap
  Compare(attrs, {{1, 32, 30, 9}, {42, 3, 7, 9}, {42}}, true);
}

TEST(GpuShapes, FullyConnected) {
  const FullyConnectedAttrs attrs = {.range = kAboveZero};
  Compare(attrs, {{301, 70}, {133, 70}, {133}}, true);
  Compare(attrs, {{5, 257}, {70, 257}, {70}}, true);
  Compare(attrs, {{3, 90}, {1001, 90}}, true);
  Compare(attrs, {{301, 70}, {133, 70}, {133}}, false);
}

TEST(GpuShapes, BatchMatMul) {
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      const BatchMatMulAttrs attrs = {.transpose_a = a, .transpose_b = b};
      Compare(attrs,
              {a ? Shape{2, 3, 33, 70} : Shape{2, 3, 70, 33},
               b ? Shape{2, 3, 74, 33} : Shape{2, 3, 33, 74}},
              false);
    }
  }
  Compare(BatchMatMulAttrs(), {{5, 61, 34}, {34, 70}}, true);
  Compare(BatchMatMulAttrs(), {{2, 1, 3, 1, 17, 18}, {1, 3, 1, 2, 18, 19}}, false);
}

// Sums of more terms than halves can add up, and products that halves cannot hold.
TEST(GpuShapes, HardSumsForHalves) {
  const Conv2DAttrs conv = {
      .pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1, .range = {}};
  const TransposeConv2DAttrs transpose = {.stride_h = 2,
                                          .stride_w = 2,
                                          .pad_top = 1,
                                          .pad_bottom = 1,
                                          .output_h = 16,
                                          .output_w = 17,
                                          .range = {}};
  Conv2DAttrs groups = conv;
  groups.groups = 2, groups.stride_h = 2, groups.stride_w = 3, groups.dilation_h = 3;
  const BatchMatMulAttrs matmul = {.transpose_b = true};
  for (const auto& [values, depth] :
       {std::pair{Values::kPositive, 2 * 520}, {Values::kCancelling, 2 * 17}}) {
    Compare(FullyConnectedAttrs(), {{9, depth}, {38, depth}, {38}}, true, values);
    Compare(FullyConnectedAttrs(), {{9, depth}, {38, depth}, {38}}, false, values);
    Compare(matmul, {{2, 9, depth}, {2, 38, depth}}, false, values);
    Compare(BatchMatMulAttrs{.transpose_a = true, .transpose_b = true},
            {{2, depth, 9}, {2, 38, depth}}, false, values);
    // Too few outputs for Winograd's method, which adds up other numbers.
    Compare(conv, {{1, 6, 7, depth}, {14, 3, 3, depth}, {14}}, true, values);
    Compare(groups, {{2, 9, 13, depth}, {14, 3, 2, depth / 2}}, true, values);
    Compare(transpose, {{1, 8, 8, depth}, {22, 3, 3, depth}, {22}}, true, values);
  }
}

TEST(GpuShapes, Pool) {
  Pool2DAttrs attrs = {
      .window_h = 3, .window_w = 3, .stride_h = 2, .stride_w = 2, .range = kAboveZero};
  for (const auto kind : {schema::PoolKind::Max, schema::PoolKind::Average}) {
    attrs.kind = kind;
    attrs.window_h = 3, attrs.window_w = 3, attrs.pad_top = 1, attrs.pad_left = 2;
    Compare(attrs, {{2, 40, 41, 18}}, false);
    // Threads share a window.
    attrs.window_h = 13, attrs.window_w = 3;
    Compare(attrs, {{2, 14, 9, 30}}, false);
    attrs.window_h = 2, attrs.window_w = 100, attrs.pad_left = 0;
    Compare(attrs, {{1, 3, 110, 35}}, false);
  }
}

TEST(GpuShapes, Resize) {
  for (const auto mode :
       {schema::ResizeMode::Nearest, schema::ResizeMode::Bilinear, schema::ResizeMode::Bicubic}) {
    for (const auto sampling :
         {schema::Sampling::Legacy, schema::Sampling::AlignCorners, schema::Sampling::HalfPixel}) {
      Compare(ResizeAttrs{.mode = mode, .sampling = sampling, .output_h = 143, .output_w = 61},
              {{1, 57, 129, 5}}, false);
    }
  }
}

}  // namespace
}  // namespace linnet::conformance

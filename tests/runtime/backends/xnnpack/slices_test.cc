// SPDX-License-Identifier: Apache-2.0
// How operators are split. The conformance runner tests that the parts give the same bits as the
// whole; these tests use sizes that its cases do not have.
#include "runtime/backends/xnnpack/slices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include "runtime/backends/xnnpack/backend.h"

namespace linnet::xnnpack::xnn {
namespace {

constexpr Range kUnbounded = {-std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::infinity()};

#ifdef LINNET_XNNPACK_2024
constexpr bool kPacks = false;  // per operator
#else
constexpr bool kPacks = true;
#endif

std::vector<float> Noise(size_t count) {
  std::vector<float> values(count + XNN_EXTRA_BYTES / sizeof(float));
  uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1.0f;
  }
  return values;
}

struct Data {
  std::vector<float> input, input2, output;
};

void RunAt(const Params& params, const Offsets& offsets, Data* data) {
  Operator op;
  ASSERT_EQ(Create(params, nullptr, &op), xnn_status_success);
  size_t workspace_bytes = 0;
  ASSERT_EQ(Reshape(params, op, nullptr, &workspace_bytes), xnn_status_success);
  std::vector<float> workspace(workspace_bytes / sizeof(float) + 16);
  const Addresses at = {.input = data->input.data() + offsets.input,
                        .input2 = data->input2.data() + offsets.input2,
                        .output = data->output.data() + offsets.output,
                        .workspace = workspace.data()};
  ASSERT_EQ(Setup(params, op, at, nullptr), xnn_status_success);
  ASSERT_EQ(Run(op, nullptr), xnn_status_success);
  Delete(&op);
}

// Runs the operator whole and in up to nine parts; returns into how many parts it could be split.
int Compare(const Params& params, size_t inputs, size_t inputs2, size_t outputs) {
  EXPECT_TRUE(GetBackend().Initialize().ok());
  Data whole = {Noise(inputs), Noise(inputs2), std::vector<float>(outputs, 7.0f)};
  RunAt(params, {}, &whole);
  int most = 1;
  for (int wanted = 2; wanted <= 9; ++wanted) {
    const Cutting cutting = CuttingOf(params, wanted);
    EXPECT_GE(cutting.parts, 1);
    EXPECT_LE(cutting.parts, wanted);
    Data data = {whole.input, whole.input2, std::vector<float>(outputs, 7.0f)};
    for (int part = 0; part < cutting.parts; ++part) {
      const Part cut = Cut(params, cutting, part);
      RunAt(cut.params, cut.offsets, &data);
    }
    EXPECT_EQ(data.output, whole.output) << wanted << " parts";
    most = std::max(most, cutting.parts);
  }
  return most;
}

// SAME padding at stride 2 is uneven.
int CompareConvolution(Image input, size_t outputs, uint32_t kernel, uint32_t stride,
                       uint32_t dilation, bool depthwise) {
  const size_t channels = input.channels;
  const std::vector<float> filter =
      Noise(size_t{kernel} * kernel * (depthwise ? channels : channels * outputs));
  const std::vector<float> bias = Noise(outputs);
  const uint32_t pads = (kernel - 1) * dilation;
  const Convolution conv = {.window = {.height = kernel,
                                       .width = kernel,
                                       .stride_h = stride,
                                       .stride_w = stride,
                                       .dilation_h = dilation,
                                       .dilation_w = dilation,
                                       .pad_top = pads / 2,
                                       .pad_bottom = pads - pads / 2,
                                       .pad_left = pads / 2,
                                       .pad_right = pads - pads / 2},
                            .input = input,
                            .groups = depthwise ? static_cast<uint32_t>(channels) : 1,
                            .group_input_channels = depthwise ? 1 : channels,
                            .group_output_channels = depthwise ? 1 : outputs,
                            .output_pixel_stride = outputs,
                            .depthwise = depthwise,
                            .filter = filter.data(),
                            .bias = bias.data(),
                            .range = {-2.0f, 2.0f}};
  const size_t height = (input.height - 1) / stride + 1, width = (input.width - 1) / stride + 1;
  return Compare(conv, input.batch * input.height * input.width * channels, 0,
                 input.batch * height * width * outputs);
}

TEST(Slices, ConvolutionByRows) {
  EXPECT_EQ(CompareConvolution({1, 19, 17, 5}, 7, 1, 1, 1, false), 9);
  EXPECT_EQ(CompareConvolution({1, 19, 17, 5}, 7, 3, 1, 1, false), 9);
  EXPECT_EQ(CompareConvolution({1, 20, 18, 5}, 7, 4, 2, 1, false), kPacks ? 5 : 9);
  EXPECT_EQ(CompareConvolution({1, 40, 9, 3}, 40, 5, 1, 2, false), kPacks ? 6 : 9);
}

TEST(Slices, ConvolutionByImages) {
  EXPECT_EQ(CompareConvolution({5, 6, 7, 5}, 7, 3, 1, 1, false), 5);
}

TEST(Slices, ConvolutionWithMoreWeightsThanPixels) {
  EXPECT_EQ(CompareConvolution({1, 4, 4, 40}, 150, 3, 1, 1, false), kPacks ? 9 : 4)
      << "tiles of channels, or rows";
  EXPECT_EQ(CompareConvolution({1, 1, 1, 64}, 47, 1, 1, 1, false), kPacks ? 2 : 1)
      << "the last tile takes what is left over";
}

TEST(Slices, DepthwiseConvolution) {
  EXPECT_EQ(CompareConvolution({1, 23, 11, 37}, 37, 3, 1, 1, true), 9);
  EXPECT_EQ(CompareConvolution({1, 24, 12, 37}, 37, 5, 2, 1, true), 9);
  EXPECT_EQ(CompareConvolution({3, 9, 9, 8}, 8, 3, 1, 2, true), 3);
}

// A window that reaches over the whole image from every row. Rows that see only padding are not
// split.
TEST(Slices, WindowsLargerThanTheImage) {
  EXPECT_EQ(CompareConvolution({1, 3, 5, 4}, 4, 7, 1, 1, true), 3);
  const std::vector<float> filter = Noise(4);
  const Convolution conv = {.window = {.height = 1, .width = 1, .pad_top = 3, .pad_bottom = 3},
                            .input = {1, 2, 4, 4},
                            .groups = 4,
                            .group_input_channels = 1,
                            .group_output_channels = 1,
                            .output_pixel_stride = 4,
                            .depthwise = true,
                            .filter = filter.data(),
                            .bias = nullptr,
                            .range = kUnbounded};
  EXPECT_EQ(Compare(conv, 2 * 4 * 4, 0, 8 * 4 * 4), 2);
  EXPECT_EQ(CuttingOf(conv, 3).parts, 1);
}

// No window reaches the image: none of its rows is under the output.
TEST(Slices, WindowsBesideTheImage) {
  for (const bool depthwise : {false, true}) {
    const std::vector<float> filter = Noise(4);
    const Convolution conv = {.window = {.height = 1, .width = 1, .stride_h = 16, .pad_top = 8},
                              .input = {1, 4, 6, depthwise ? 4u : 1u},
                              .groups = depthwise ? 4u : 1u,
                              .group_input_channels = 1,
                              .group_output_channels = depthwise ? 1u : 4u,
                              .output_pixel_stride = 4,
                              .depthwise = depthwise,
                              .filter = filter.data(),
                              .bias = nullptr,
                              .range = kUnbounded};
    const Part whole = Cut(conv, CuttingOf(conv, 2), 0);
    EXPECT_EQ(std::get<Convolution>(whole.params).input.height, 4);
    EXPECT_EQ(std::get<Convolution>(whole.params).window.pad_top, 8);
    EXPECT_EQ(whole.offsets.input, 0);
  }
}

TEST(Slices, FullyConnected) {
  constexpr int row_parts = 6 / static_cast<int>(kRowTile);
  const std::vector<float> filter = Noise(100 * 33), bias = Noise(100);
  FullyConnected fc = {.batch = 6,
                       .input_channels = 33,
                       .output_channels = 100,
                       .output_pixel_stride = 100,
                       .filter = filter.data(),
                       .bias = bias.data(),
                       .range = kUnbounded};
  EXPECT_EQ(Compare(fc, 6 * 33, 0, 600), kPacks ? 6 : row_parts);
  fc.output_channels = fc.output_pixel_stride = 10;
  EXPECT_EQ(Compare(fc, 6 * 33, 0, 60), row_parts) << "rows";
}

TEST(Slices, Pools) {
  for (const bool average : {false, true}) {
    const Pool pool = {.average = average,
                       .window = {.height = 3,
                                  .width = 3,
                                  .stride_h = 2,
                                  .stride_w = 2,
                                  .pad_top = 1,
                                  .pad_bottom = 1,
                                  .pad_left = 1,
                                  .pad_right = 1},
                       .input = {1, 23, 9, 21},
                       .range = kUnbounded};
    EXPECT_EQ(Compare(pool, 23 * 9 * 21, 0, 12 * 5 * 21), average && !kPacks ? 1 : 9);
    Pool unpadded = pool;
    unpadded.window = {.height = 3, .width = 3, .stride_h = 2, .stride_w = 2};
    EXPECT_EQ(Compare(unpadded, 23 * 9 * 21, 0, 11 * 4 * 21), 9);
  }
}

TEST(Slices, Elements) {
  const Unary sigmoid = {.kind = UnaryKind::kSigmoid, .elements = 1003};
  EXPECT_EQ(Compare(sigmoid, 1003, 0, 1003), 9);
  const Unary few = {.kind = UnaryKind::kAbs, .elements = 127};
  EXPECT_EQ(Compare(few, 127, 0, 127), 1);
}

TEST(Slices, BinaryWithAndWithoutBroadcast) {
  Binary add = {.kind = BinaryKind::kAdd,
                .a = {4, {1, 7, 9, 21}},
                .b = {4, {1, 7, 9, 21}},
                .output_elements = 7 * 9 * 21,
                .bounded = false,
                .range = kUnbounded};
  EXPECT_EQ(Compare(add, 7 * 9 * 21, 7 * 9 * 21, 7 * 9 * 21), 9);
  add.b = {1, {21}};
  EXPECT_EQ(Compare(add, 7 * 9 * 21, 21, 7 * 9 * 21), 7);
  add.b = {3, {7, 1, 1}};
  EXPECT_EQ(Compare(add, 7 * 9 * 21, 7, 7 * 9 * 21), 7);
  std::swap(add.a, add.b);
  EXPECT_EQ(Compare(add, 7, 7 * 9 * 21, 7 * 9 * 21), 7);
  add.a = {2, {5, 1}};
  add.b = {2, {1, 6}};
  add.output_elements = 30;
  EXPECT_EQ(Compare(add, 5, 6, 30), 5);
  add.a = add.b = {0, {}};
  add.output_elements = 1;
  EXPECT_EQ(CuttingOf(add, 9).parts, 1);
}

TEST(Slices, ResizeByChannels) {
  const ResizeBilinear resize = {.input = {2, 5, 7, 70},
                                 .pixel_stride = 70,
                                 .output_height = 9,
                                 .output_width = 11,
                                 .flags = 0};
  EXPECT_EQ(Compare(resize, 2 * 5 * 7 * 70, 0, 2 * 9 * 11 * 70), 4);
}

TEST(Slices, DepthToSpaceByRowsOfAllImages) {
  const DepthToSpace d2s = {.input = {2, 3, 5, 12}, .block = 2};
  EXPECT_EQ(Compare(d2s, 2 * 3 * 5 * 12, 0, 2 * 3 * 5 * 12), 6);
}

TEST(Slices, Deconvolution) {
  const std::vector<float> filter = Noise(50 * 3 * 3 * 9), bias = Noise(50);
  const Deconvolution conv = {
      .window =
          {.height = 3, .width = 3, .stride_h = 2, .stride_w = 2, .pad_top = 1, .pad_left = 1},
      .input = {2, 6, 5, 9},
      .adjustment_h = 0,
      .adjustment_w = 0,
      .output_channels = 50,
      .output_pixel_stride = 50,
      .filter = filter.data(),
      .bias = bias.data(),
      .range = kUnbounded};
  EXPECT_EQ(Compare(conv, 2 * 6 * 5 * 9, 0, 2 * 12 * 10 * 50), kPacks ? 3 : 1);
}

}  // namespace
}  // namespace linnet::xnnpack::xnn

// SPDX-License-Identifier: Apache-2.0
// Which convolutions run by Winograd's method, and in which memory. What they compute is compared
// by tests/conformance.
#include "runtime/backends/vulkan/winograd.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "runtime/backends/vulkan/abi/winograd_in.h"
#include "runtime/backends/vulkan/support.h"
#include "runtime/core/checked.h"
#include "runtime/ops/conv2d.h"

namespace linnet::vulkan {
namespace {

constexpr Layout kFull = Layout::kRows4, kHalf = Layout::kRows4Half;

// A convolution with a constant filter and bias, whose values are not known.
class Conv {
 public:
  Conv(const Shape& in, const Shape& filter, const Conv2DAttrs& attrs) : attrs_(attrs) {
    inputs_[0].type = {DType::kFloat32, in};
    inputs_[1] = {{DType::kFloat32, filter}, nullptr, true};
    inputs_[2] = {{DType::kFloat32, {filter[0]}}, nullptr, true};
    OpInstance op{OpKind::kConv2D, &attrs_, inputs_, {}};
    EXPECT_TRUE(InferTypes(op, &output_).ok());
  }
  OpInstance op() const { return {OpKind::kConv2D, &attrs_, inputs_, {&output_, 1}}; }
  int64_t scratch(Layout layout = kFull) const { return ScratchBytes(op(), layout); }

 private:
  Conv2DAttrs attrs_;
  InputInfo inputs_[3];
  TensorType output_;
};

Conv2DAttrs Same() { return {.pad_top = 1, .pad_bottom = 1, .pad_left = 1, .pad_right = 1}; }

// "SAME", on an image of `side` x `side` pixels.
Conv Square(int64_t side, int64_t in, int64_t out) {
  return Conv({1, side, side, in}, {out, 3, 3, in}, Same());
}

// Pixels of a tile's side; 0: another method.
int TilesOf(const Conv& conv, Layout layout = kFull) {
  const int64_t scratch = conv.scratch(layout);
  if (scratch == 0) return 0;
  Dispatches dispatches(linnet::vulkan::TilesOf(DeviceClass::kOther));
  LowerStep(conv.op(), layout, scratch, dispatches);
  EXPECT_EQ(dispatches[0].shader, Shader::k_winograd_in);
  return static_cast<int>(dispatches[0].constants[0]);
}

TEST(Winograd, TakesWindowsOf3x3OfManyChannels) {
  EXPECT_EQ(TilesOf(Square(28, 16, 16)), 4);
  EXPECT_EQ(TilesOf(Square(28, 15, 16)), 0);
  EXPECT_EQ(TilesOf(Square(28, 16, 15)), 0);
  const Shape in = {1, 28, 28, 32};
  EXPECT_EQ(TilesOf(Conv(in, {32, 3, 3, 32}, {})), 4);
  EXPECT_EQ(TilesOf(Conv(in, {32, 1, 1, 32}, {})), 0);
  EXPECT_EQ(TilesOf(Conv(in, {32, 5, 5, 32}, {})), 0);
  EXPECT_EQ(TilesOf(Conv(in, {32, 3, 1, 32}, {})), 0);
  EXPECT_EQ(TilesOf(Conv(in, {32, 3, 3, 32}, {.stride_h = 2})), 0);
  EXPECT_EQ(TilesOf(Conv(in, {32, 3, 3, 32}, {.stride_w = 2})), 0);
  EXPECT_EQ(TilesOf(Conv(in, {32, 3, 3, 32}, {.dilation_h = 2})), 0);
  EXPECT_EQ(TilesOf(Conv(in, {32, 3, 3, 32}, {.dilation_w = 2})), 0);
  EXPECT_EQ(TilesOf(Conv(in, {32, 3, 3, 16}, {.groups = 2})), 0);
  EXPECT_EQ(Conv({0, 28, 28, 32}, {32, 3, 3, 32}, {}).scratch(), 0) << "no images";
}

TEST(Winograd, TilesFitTheImageAndTheFilter) {
  EXPECT_EQ(TilesOf(Square(2, 64, 64)), 2);
  EXPECT_EQ(TilesOf(Square(1, 64, 64)), 0) << "a quarter of a tile";
  EXPECT_EQ(TilesOf(Conv({1, 3, 30, 64}, {64, 3, 3, 64}, {})), 0) << "one line";
  EXPECT_EQ(TilesOf(Square(4, 64, 64)), 2) << "one large tile";
  EXPECT_EQ(TilesOf(Square(7, 64, 64)), 4);
  // Four times the filter is much for four or sixteen tiles.
  EXPECT_EQ(TilesOf(Square(7, 512, 512)), 2);
  EXPECT_EQ(TilesOf(Square(14, 256, 256)), 2);
  EXPECT_EQ(TilesOf(Square(28, 128, 128)), 4);
  // Filters of 16 bits.
  EXPECT_EQ(TilesOf(Square(28, 128, 128), kHalf), 2);
}

TEST(Winograd, ConstantsHaveTheSizeOfTheirTiles) {
  const Conv conv = Square(28, 30, 18);
  const int64_t weights = int64_t{32} * 20, bias = 256;
  const auto packed = [&](Layout layout, int64_t scratch) {
    return PackedBytes(conv.op(), layout, scratch);
  };
  EXPECT_EQ(packed(kFull, conv.scratch()), AlignUp(36 * weights * 4, 256) + bias);
  EXPECT_EQ(packed(kHalf, conv.scratch(kHalf)), AlignUp(16 * weights * 2, 256) + bias);
  EXPECT_EQ(packed(kFull, 0), AlignUp((9 * weights + 20) * 4, 256));
}

// A plan may offer less than this version of the library wants, nothing, or more.
TEST(Winograd, NeedsAllThatItWants) {
  const Conv conv = Square(28, 32, 32);
  const int64_t wanted = conv.scratch();
  const auto shader = [&](int64_t offered) {
    Dispatches dispatches(linnet::vulkan::TilesOf(DeviceClass::kOther));
    LowerStep(conv.op(), kFull, offered, dispatches);
    return dispatches[0].shader;
  };
  EXPECT_EQ(shader(0), Shader::k_conv2d);
  EXPECT_EQ(shader(wanted - 256), Shader::k_conv2d);
  EXPECT_EQ(shader(wanted), Shader::k_winograd_in);
  EXPECT_EQ(shader(wanted + 1), Shader::k_winograd_in);
  EXPECT_EQ(PackedBytes(conv.op(), kFull, wanted - 256), PackedBytes(conv.op(), kFull, 0));
  EXPECT_EQ(PackedBytes(conv.op(), kFull, wanted + 1), PackedBytes(conv.op(), kFull, wanted));
  EXPECT_LT(PackedBytes(conv.op(), kFull, 0), PackedBytes(conv.op(), kFull, wanted));
}

// Each tile is in one strip, and scratch memory stays small.
TEST(Winograd, WorksInStrips) {
  for (const auto& [conv, strips] : {std::pair{Square(28, 32, 32), 1},
                                     {Square(112, 64, 64), 4},
                                     {Square(224, 64, 64), 10},
                                     {Conv({3, 61, 63, 64}, {64, 3, 3, 64}, Same()), 4}}) {
    const int64_t scratch = conv.scratch();
    EXPECT_GT(scratch, 0);
    EXPECT_LE(scratch, int64_t{16} << 20);
    Dispatches dispatches(linnet::vulkan::TilesOf(DeviceClass::kOther));
    LowerStep(conv.op(), kFull, scratch, dispatches);
    ASSERT_EQ(dispatches.size(), 3 * strips);
    const Shape& out = conv.op().output(0).shape;
    int64_t next = 0;
    for (int i = 0; i < dispatches.size(); i += 3) {
      EXPECT_EQ(dispatches[i].shader, Shader::k_winograd_in);
      EXPECT_EQ(dispatches[i + 1].shader, Shader::k_winograd_product);
      EXPECT_EQ(dispatches[i + 2].shader, Shader::k_winograd_out);
      WinogradInPush push;
      std::memcpy(&push, dispatches[i].push, sizeof(push));
      EXPECT_EQ(push.first, next);
      next += push.tiles;
    }
    EXPECT_EQ(next, out[0] * CeilDiv(out[1], 4) * CeilDiv(out[2], 4));
  }
  EXPECT_EQ(Conv({8, 224, 224, 64}, {64, 3, 3, 64}, Same()).scratch(), 0) << "too much for strips";
}

}  // namespace
}  // namespace linnet::vulkan

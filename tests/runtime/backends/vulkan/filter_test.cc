// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/backends/vulkan/abi/filter.h"
#include "runtime/core/half.h"

namespace linnet::vulkan {
namespace {

float Weight(int64_t output, int64_t tap, int64_t channel) {
  return static_cast<float>(1 + (output * 31 + tap * 7 + channel * 3) % 97);
}
float Bias(int64_t output) { return static_cast<float>(output % 13) - 5.0f; }
float Pixel(int64_t tap, int64_t channel) {
  return static_cast<float>((tap * 5 + channel * 11) % 23) - 11.0f;
}

// The floats of a filter that is packed in halves, which hold all values of these tests.
std::vector<float> PackedAsHalves(const Filter& filter, const std::vector<float>& weights,
                                  const std::vector<float>& bias) {
  std::vector<uint16_t> packed(PackedFilterBytes(filter, Layout::kRows4Half) / 2, 0x7e00);
  PackFilter(filter, weights.data(), bias.data(), Layout::kRows4Half,
             reinterpret_cast<std::byte*>(packed.data()));
  std::vector<float> result;
  for (const uint16_t half : packed) result.push_back(HalfToFloat(half));
  return result;
}

std::vector<float> Packed(const Filter& filter) {
  std::vector<float> weights, bias;
  for (int64_t o = 0; o < filter.outputs; ++o) {
    bias.push_back(Bias(o));
    for (int64_t tap = 0; tap < filter.taps; ++tap)
      for (int64_t i = 0; i < filter.inputs; ++i) weights.push_back(Weight(o, tap, i));
  }
  // Every float must be written.
  std::vector<float> packed(PackedFilterBytes(filter, Layout::kRows4) / sizeof(float), NAN);
  PackFilter(filter, weights.data(), bias.data(), Layout::kRows4,
             reinterpret_cast<std::byte*>(packed.data()));
  EXPECT_EQ(PackedAsHalves(filter, weights, bias), packed);
  return packed;
}

// Where the weight of term `term` for `output` lies, as in shaders/filter.glsl.
int64_t Place(const Filter& filter, int64_t term, int64_t output) {
  const int64_t panel = LINNET_FILTER_PANEL * 4, first = output / panel * panel;
  const int64_t row = std::min(panel, filter.out_quads() * 4 - first);
  return first * filter.terms() + term * row + output - first;
}

// An output as conv2d.comp computes it, from `depth` quads of each tap's pixel.
float FromPacked(const Filter& filter, const std::vector<float>& packed, int64_t output) {
  const int64_t first = filter.FirstQuad(output / 4) * 4;
  EXPECT_GE(first, 0);
  EXPECT_LE(first / 4 + filter.depth, filter.in_quads());
  float sum = packed[filter.terms() * filter.out_quads() * 4 + output];
  for (int64_t tap = 0; tap < filter.taps; ++tap) {
    for (int64_t k = 0; k < filter.depth * 4; ++k) {
      const float pixel = first + k < filter.inputs * filter.groups ? Pixel(tap, first + k) : 0.0f;
      sum += pixel * packed[Place(filter, tap * filter.depth * 4 + k, output)];
    }
  }
  return sum;
}

float FromWeights(const Filter& filter, int64_t output) {
  const int64_t group = output / (filter.outputs / filter.groups);
  float sum = Bias(output);
  for (int64_t tap = 0; tap < filter.taps; ++tap)
    for (int64_t i = 0; i < filter.inputs; ++i)
      sum += Weight(output, tap, i) * Pixel(tap, group * filter.inputs + i);
  return sum;
}

// All values are small integers, so that sums are exact.
void ExpectSameSums(const Filter& filter) {
  const std::vector<float> packed = Packed(filter);
  for (int64_t o = 0; o < filter.out_quads() * 4; ++o) {
    const float want = o < filter.outputs ? FromWeights(filter, o) : 0.0f;
    ASSERT_EQ(FromPacked(filter, packed, o), want)
        << "output " << o << " of " << filter.outputs << ", " << filter.taps << " taps, "
        << filter.inputs << " inputs, " << filter.groups << " groups";
  }
}

TEST(Filter, HasAllSums) {
  for (int64_t outputs = 1; outputs < 200; outputs += 13)
    for (int64_t taps : {1, 2, 9})
      for (int64_t inputs = 1; inputs < 40; inputs += 5)
        ExpectSameSums(MakeFilter(outputs, taps, inputs));
}

TEST(Filter, HasAllSumsOfGroups) {
  for (int64_t groups = 2; groups < 9; ++groups)
    for (int64_t outputs = 1; outputs < 10; ++outputs)
      for (int64_t inputs = 1; inputs < 10; ++inputs)
        ExpectSameSums(MakeFilter(outputs * groups, 2, inputs, groups));
}

TEST(Filter, ReadsOnlyQuadsOfItsGroups) {
  EXPECT_EQ(MakeFilter(32, 9, 1, 32).depth, 1);  // like a depthwise convolution
  EXPECT_EQ(MakeFilter(32, 9, 8, 4).depth, 2);
  EXPECT_EQ(MakeFilter(12, 9, 8, 2).depth, 4);  // the middle quad has outputs of both groups
  EXPECT_EQ(MakeFilter(12, 9, 7).depth, 2);
}

TEST(Filter, WithoutBiasAddsZero) {
  const Filter filter = MakeFilter(5, 1, 3);
  const std::vector<float> weights(15, 1.0f);
  std::vector<float> packed(PackedFilterBytes(filter, Layout::kRows4) / sizeof(float), NAN);
  PackFilter(filter, weights.data(), nullptr, Layout::kRows4,
             reinterpret_cast<std::byte*>(packed.data()));
  for (int i = 0; i < 8; ++i) EXPECT_EQ(packed[4 * 8 + i], 0.0f);
}

TEST(Filter, WindowsThatReachTooFar) {
  EXPECT_TRUE(ReachFits(1000, 3, 2, 1, 1, 1));
  EXPECT_FALSE(ReachFits(1000, 3, 2, INT32_MAX, 1, 1));
  EXPECT_FALSE(ReachFits(1000, 3, INT32_MAX, 1, 1, 1));
  EXPECT_FALSE(ReachFits(1000, 3, 2, 1, INT32_MAX, INT32_MAX));
  EXPECT_FALSE(ReachFits(INT64_MAX, INT64_MAX, 1, INT32_MAX, 0, 0));
}

}  // namespace
}  // namespace linnet::vulkan

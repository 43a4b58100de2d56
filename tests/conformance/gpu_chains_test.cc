// SPDX-License-Identifier: Apache-2.0
// Random chains of steps. A GPU that merges steps has to give the bits of one that does not, with
// floats in 16 bits nearly so, and what the portable kernels give. Skipped without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/conformance/chain_net.h"

namespace linnet::conformance {
namespace {

float Float(const std::vector<uint8_t>& bytes, size_t at) {
  float value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

// The largest difference, relative to the largest element of `expected`, or to 1 if that is less.
double Difference(const std::vector<uint8_t>& actual, const std::vector<uint8_t>& expected) {
  double largest = 1, difference = 0;
  for (size_t at = 0; at < expected.size(); at += sizeof(float)) {
    const double a = Float(actual, at), b = Float(expected, at);
    if (std::isnan(a) && std::isnan(b)) continue;
    if (std::isnan(a) || std::isnan(b)) return INFINITY;
    largest = std::max(largest, std::abs(b));
    difference = std::max(difference, std::abs(a - b));
  }
  return difference / largest;
}

bool SameBits(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  for (size_t at = 0; at < a.size(); at += sizeof(float)) {
    const bool both_nan = std::isnan(Float(a, at)) && std::isnan(Float(b, at));
    if (!both_nan && std::memcmp(&a[at], &b[at], sizeof(float)) != 0) return false;
  }
  return true;
}

#ifdef LINNET_FEW_CHAINS
constexpr uint32_t kNets = 15;
#else
constexpr uint32_t kNets = 100;
#endif

class GpuChains : public testing::Test {
 protected:
  void SetUp() override {
    vulkan::Device* device = nullptr;
    const Status status = vulkan::SharedDevice(&device);
    if (!status.ok()) GTEST_SKIP() << status.what();
  }
};

// Runs a net with and without merged steps, and counts dispatches of both.
void ExpectSameBits(ChainNet net, uint32_t* merged, uint32_t* apart) {
  std::string error;
  const auto with = net.Run(Layout::kRows4, true, merged, &error);
  ASSERT_EQ(error, "") << net.Text();
  const auto without = net.Run(Layout::kRows4, false, apart, &error);
  ASSERT_EQ(error, "") << net.Text();
  for (size_t i = 0; i < with.size(); ++i)
    EXPECT_TRUE(SameBits(with[i], without[i]))
        << "output " << i << ": " << Difference(with[i], without[i]) << "\n"
        << net.Text();
}

TEST_F(GpuChains, GiveTheSameBits) {
  uint32_t merged = 0, apart = 0;
  for (uint32_t seed = 0; seed < kNets; ++seed) {
    SCOPED_TRACE(seed);
    ExpectSameBits(ChainNet(seed, false), &merged, &apart);
  }
  std::printf("%u dispatches instead of %u\n", merged, apart);
  EXPECT_LT(merged, apart * 8 / 10);
}

// With tiles of all sizes, and sums that threads share.
TEST_F(GpuChains, EachFunctionBehindEachProducer) {
  vulkan::Device* device = nullptr;
  ASSERT_TRUE(vulkan::SharedDevice(&device).ok());
  const vulkan::Tiles own = device->tiles();
  uint32_t merged = 0, apart = 0;
  for (const int rows : {1, 8}) {
    device->set_tiles({.product = {rows, std::min(rows, 4)},
                       .depthwise = {std::min(rows, 4), 1},
                       .many_threads = rows == 1 ? int64_t{1} << 40 : 1,
                       .share_sums = true});
    for (int producer = 0; producer < kProducers; ++producer)
      for (const schema::UnaryKind function : kFunctions)
        ExpectSameBits(ChainNet(producer, function), &merged, &apart);
  }
  device->set_tiles(own);
  // All functions but one are merged.
  EXPECT_EQ(apart - merged, 2 * kProducers * (std::size(kFunctions) - 1));
}

TEST_F(GpuChains, GiveWhatTheHostGives) {
  uint32_t merged = 0;
  for (uint32_t seed = 0; seed < kNets; ++seed) {
    ChainNet net(seed + kNets, true);
    const std::vector<std::vector<uint8_t>> expected = net.Expected();
    for (const auto& [layout, most] :
         {std::pair(Layout::kRows4, 5e-6), {Layout::kRows4Half, 5e-3}}) {
      std::string error;
      const auto outputs = net.Run(layout, true, &merged, &error);
      ASSERT_EQ(error, "") << "seed " << seed << "\n" << net.Text();
      for (size_t i = 0; i < outputs.size(); ++i)
        EXPECT_LE(Difference(outputs[i], expected[i]), most)
            << "seed " << seed << ", output " << i << ", " << NameOf(layout) << "\n"
            << net.Text();
    }
  }
}

}  // namespace
}  // namespace linnet::conformance

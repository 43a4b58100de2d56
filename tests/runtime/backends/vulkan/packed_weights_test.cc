// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/packed_weights.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/one_time_commands.h"
#include "runtime/backends/vulkan/support.h"
#include "runtime/ops/clamp.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

// Where a Clamp's only input is a constant of n floats, all of which are `value`.
class Constant {
 public:
  Constant(int64_t n, float value) : values_(n, value) {
    input_ = {.type = {DType::kFloat32, {n}}, .value = values_.data()};
    input_.is_constant = true;
  }
  OpInstance op() const {
    return {.kind = OpKind::kClamp,
            .attrs = &attrs_,
            .inputs = {&input_, 1},
            .outputs = {&input_.type, 1}};
  }
  const std::vector<float>& values() const { return values_; }

 private:
  ClampAttrs attrs_;
  std::vector<float> values_;
  InputInfo input_;
};

std::vector<float> Read(Device& device, const Buffer& from, int64_t offset, int64_t count) {
  Buffer copy;
  std::vector<float> values(count);
  if (count == 0) return values;
  if (!NewBuffer(device, count * 4, Usage::kHost, &copy).ok()) return {};
  if (!CopyNow(device, from, offset, copy, 0, count * 4).ok()) return {};
  if (!Invalidate(device, copy, 0, count * 4).ok()) return {};
  std::memcpy(values.data(), copy.mapped, count * 4);
  FreeBuffer(device, &copy);
  return values;
}

class PackedWeightsTest : public testing::TestWithParam<bool> {};

// Small and large constants in turn: on a discrete device they go through a staging buffer of
// 16 MiB, which is copied when it is full and grows when a constant is larger.
TEST_P(PackedWeightsTest, AllArriveWhereTheyShould) {
  const PFN_vkGetInstanceProcAddr get = WatchedVulkan::Get();
  if (get == nullptr) GTEST_SKIP() << "no Vulkan library";
  WatchedVulkan::Reset({.discrete = GetParam(), .non_coherent = GetParam()});
  Device device;
  if (!device.Open(get, nullptr).ok()) GTEST_SKIP() << "no Vulkan device";
  std::vector<Constant> constants;
  for (const int64_t n : {5, 3 << 20, 2 << 20, 1, 6 << 20, 0, 64, 65})
    constants.emplace_back(n, static_cast<float>(constants.size() + 1));
  int64_t bytes = 0;
  for (const Constant& constant : constants) bytes += PackedBytes(constant.op(), Layout::kRows4, 0);
  DeviceWeights weights(device);
  Region region;
  ASSERT_TRUE(weights.Allocate(bytes).ok());
  std::vector<StepWeights*> packed;
  for (const Constant& constant : constants) {
    StepWeights* step = nullptr;
    ASSERT_TRUE(weights.Pack(constant.op(), Layout::kRows4, 0, region, &step).ok());
    packed.push_back(step);
  }
  StepWeights* none = nullptr;
  EXPECT_EQ(weights.Pack(constants[0].op(), Layout::kRows4, 0, region, &none).code(),
            StatusCode::kInternal);
  ASSERT_TRUE(weights.Finalize().ok());
  EXPECT_GE(weights.device_bytes(), bytes);
  EXPECT_EQ(WatchedVulkan::calls_of("vkCmdCopyBuffer"), GetParam() ? 4 : 0);
  for (size_t i = 0; i < constants.size(); ++i) {
    ASSERT_EQ(packed[i]->num_inputs, 1);
    const int64_t offset = packed[i]->inputs[0];
    EXPECT_EQ(offset % kWindowAlignment, 0);
    if (constants[i].values().empty()) continue;
    const auto count = static_cast<int64_t>(constants[i].values().size());
    EXPECT_TRUE(Read(device, weights.buffer(), offset, count) == constants[i].values()) << i;
    const int64_t padding = (4 - count % 4) % 4;
    EXPECT_EQ(Read(device, weights.buffer(), offset + count * 4, padding),
              std::vector<float>(padding, 0.0f));
  }
  weights.Destroy();
  device.Close();
  EXPECT_EQ(WatchedVulkan::live(), 0);
  EXPECT_STREQ(WatchedVulkan::misuse(), "");
}

INSTANTIATE_TEST_SUITE_P(Devices, PackedWeightsTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Discrete" : "AsItIs"; });

TEST(WhyUnsupported, ChecksThatAllOpsShare) {
  const ClampAttrs attrs;
  const auto why = [&](const TensorType& type, bool constant = false) {
    InputInfo input{.type = type};
    input.is_constant = constant;
    const OpInstance op{
        .kind = OpKind::kClamp, .attrs = &attrs, .inputs = {&input, 1}, .outputs = {&type, 1}};
    const char* reason = WhyUnsupported(op);
    return std::string(reason == nullptr ? "" : reason);
  };
  EXPECT_EQ(why({DType::kFloat32, {1 << 25}}), "");
  EXPECT_EQ(why({DType::kFloat32, {1 << 25}}, true), "");
  EXPECT_EQ(why({DType::kFloat32, {(1 << 25) + 1}}), "a tensor of more than 128 MiB");
  // Rows of one element take the memory of four.
  EXPECT_EQ(why({DType::kFloat32, {(1 << 23) + 1, 1}}), "a tensor of more than 128 MiB");
  EXPECT_EQ(why({DType::kInt64, {1}}), "i64 other than indices and positions");
  EXPECT_EQ(why({DType::kFloat16, {1}}), "only f32, i32, u8 and bool, and i64 as indices");
  const OpInstance unknown{.kind = static_cast<OpKind>(255)};
  EXPECT_STREQ(WhyUnsupported(unknown), "no Vulkan kernel");
}

}  // namespace
}  // namespace linnet::vulkan

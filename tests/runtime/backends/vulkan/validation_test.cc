// SPDX-License-Identifier: Apache-2.0
// The validation layer sees what the other tests rely on it for: faults are planted, and it has to
// complain. Skipped without the layer.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/backends/vulkan/spirv_module.h"
#include "tests/runtime/backends/vulkan/test_segment.h"
#include "tests/runtime/backends/vulkan/validation_layer.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

// Made from planted/neighbours.glsl.
constexpr uint32_t kRight[] = {
#include "tests/planted_shaders/RIGHT.inc"
};
constexpr uint32_t kNoBarrier[] = {
#include "tests/planted_shaders/NO_BARRIER.inc"
};
constexpr uint32_t kReturnsEarly[] = {
#include "tests/planted_shaders/RETURNS_EARLY.inc"
};
constexpr uint32_t kReadsOutside[] = {
#include "tests/planted_shaders/READS_OUTSIDE.inc"
};
constexpr uint32_t kWritesOutside[] = {
#include "tests/planted_shaders/WRITES_OUTSIDE.inc"
};

class ValidationTest : public testing::Test {
 protected:
  // False: skipped.
  bool Open(ValidationLayer::Looks looks) {
    if (WatchedVulkan::Get() == nullptr) return false;
    WatchedVulkan::Reset();
    const PFN_vkGetInstanceProcAddr get = ValidationLayer::Get(looks, WatchedVulkan::Get());
    return get != nullptr && device_.Open(get, nullptr).ok();
  }
  void TearDown() override {
    test_.Destroy();
    device_.Close();
    EXPECT_EQ(WatchedVulkan::live(), 0);
  }

  // Runs two steps, the second over the first one's output. They have an odd number of quads, so
  // that some threads have none.
  void RunTwoSteps() {
    const Shape shape{67, 4};
    const TensorType type{DType::kFloat32, shape};
    std::vector<float> values = Ramp(67 * 4);
    Status status = test_.Open(VulkanBackend(&device_), 1 << 14, 0);
    if (status.ok()) status = test_.segment().AddInput(type, 0);
    if (status.ok()) status = test_.AddClamp(shape, 0, 4096, -3, 3);
    if (status.ok()) status = test_.AddClamp(shape, 4096, 8192, -2, 2);
    if (status.ok()) status = test_.segment().AddOutput(type, 8192);
    if (status.ok()) status = test_.segment().Finish();
    if (status.ok()) status = test_.segment().BindInput(0, values.data());
    if (status.ok()) status = test_.segment().BindOutput(0, values.data());
    if (status.ok()) status = test_.segment().Run();
    EXPECT_TRUE(status.ok()) << status.what();
    test_.Destroy();
  }

  // Does a message contain `words`?
  static bool Complains(const char* words) {
    for (const std::string& message : ValidationLayer::messages())
      if (message.find(words) != std::string::npos) return true;
    return false;
  }
  static std::string Messages() {
    std::string text;
    for (const std::string& message : ValidationLayer::messages()) text += message + "\n";
    return text;
  }

  Device device_;
  TestSegment test_;
};

TEST_F(ValidationTest, BarriersThatAreMissing) {
  if (!Open(ValidationLayer::Looks::kBetweenDispatches)) GTEST_SKIP() << ValidationLayer::kMissing;
  RunTwoSteps();
  EXPECT_EQ(Messages(), "");
  const int64_t barriers = WatchedVulkan::barriers();
  EXPECT_EQ(barriers, 3);
  for (int64_t barrier = 0; barrier < barriers; ++barrier) {
    ValidationLayer::Forget();
    WatchedVulkan::DropBarrier(barrier);
    RunTwoSteps();
    EXPECT_TRUE(Complains("SYNC-HAZARD-READ-AFTER-WRITE")) << "barrier " << barrier << Messages();
  }
}

TEST_F(ValidationTest, FaultsInsideOfShaders) {
  if (!Open(ValidationLayer::Looks::kIntoShaders)) GTEST_SKIP() << ValidationLayer::kMissing;
  if (std::strstr(device_.facts().name, "llvmpipe") == nullptr)
    GTEST_SKIP() << "the layer does not look into shaders on this driver";
  const std::vector<uint32_t> clamp = WordsOf(Shader::k_clamp, ShaderMode::k_f32);
  const struct {
    const char* fault;
    std::span<const uint32_t> words;
    const char* complaint;  // "": none
  } rows[] = {
      {"none", clamp, ""},
      {"none", kRight, ""},
      {"no barrier()", kNoBarrier, "SharedMemoryDataRace"},
      {"some threads return before barrier()", kReturnsEarly, "SharedMemoryDataRace"},
      {"a read", kReadsOutside, "VUID-vkCmdDispatch-storageBuffers-06936"},
      {"a write", kWritesOutside, "VUID-vkCmdDispatch-storageBuffers-06936"},
  };
  for (const auto& row : rows) {
    ValidationLayer::Forget();
    WatchedVulkan::ReplaceShader(clamp, row.words);
    RunTwoSteps();
    if (row.complaint[0] == '\0') {
      EXPECT_EQ(Messages(), "") << row.fault;
    } else {
      EXPECT_TRUE(Complains(row.complaint)) << row.fault << "\n" << Messages();
    }
  }
}

}  // namespace
}  // namespace linnet::vulkan

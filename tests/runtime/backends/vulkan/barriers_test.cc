// SPDX-License-Identifier: Apache-2.0
// Every barrier that the backend finds necessary is: the validation layer complains about the
// commands without it, and about none of the complete ones. Arguments are plans of
// `linnet convert --place vulkan`, for which the same is tried. Skipped without the layer.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/runtime/backends/vulkan/prepared_net.h"
#include "tests/runtime/backends/vulkan/shaped_nets.h"
#include "tests/runtime/backends/vulkan/validation_layer.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

class BarriersTest : public testing::Test {
 public:
  explicit BarriersTest(std::vector<std::byte> plan = {}) : plan_(std::move(plan)) {}

  void TestBody() override { EachIsNecessary(plan_); }

 protected:
  void SetUp() override {
    if (WatchedVulkan::Get() == nullptr) GTEST_SKIP() << ValidationLayer::kMissing;
    WatchedVulkan::Reset();
    const PFN_vkGetInstanceProcAddr get =
        ValidationLayer::Get(ValidationLayer::Looks::kBetweenDispatches, WatchedVulkan::Get());
    if (get == nullptr) GTEST_SKIP() << ValidationLayer::kMissing;
    const Status status = device_.Open(get, nullptr);
    if (!status.ok()) GTEST_SKIP() << status.what();
  }
  void TearDown() override { device_.Close(); }

  // Records the program's commands, which the first run does, without one barrier after the other.
  // The layer looks at them when they are recorded.
  void EachIsNecessary(const std::vector<std::byte>& plan) {
    PreparedNet net(plan, &device_);
    const Status status = net.Prepare();
    ASSERT_TRUE(status.ok()) << status.what() << net.problem();
    Record(net, -1);
    const int64_t barriers = WatchedVulkan::barriers();
    EXPECT_TRUE(ValidationLayer::messages().empty()) << ValidationLayer::messages()[0];
    EXPECT_GT(barriers, 5);
    int64_t unnecessary = 0;
    for (int64_t barrier = 0; barrier < barriers; ++barrier) {
      Record(net, barrier);
      const bool complains = std::ranges::any_of(
          ValidationLayer::messages(),
          [](const std::string& message) { return message.starts_with("SYNC-HAZARD"); });
      if (complains) continue;
      ++unnecessary;
      ADD_FAILURE() << "nothing is wrong without barrier " << barrier << " of " << barriers;
    }
    std::printf("%lld barriers, %lld of them necessary\n", static_cast<long long>(barriers),
                static_cast<long long>(barriers - unnecessary));
  }

  static void Record(const PreparedNet& net, int64_t without) {
    ValidationLayer::Forget();
    WatchedVulkan::DropBarrier(without);
    Region region;
    Diagnostic diagnostic;
    Interpreter session(&region, &net.weights());
    const Status status = session.Create({}, &diagnostic);
    ASSERT_TRUE(status.ok()) << status.what() << diagnostic.text;
    RunOnce(session);
  }

  Device device_;

 private:
  const std::vector<std::byte> plan_;
};

TEST_F(BarriersTest, MobileNetV2Shaped) { EachIsNecessary(PlanFor(MobileNetV2Shaped())); }
TEST_F(BarriersTest, ResNetShaped) { EachIsNecessary(PlanFor(ResNetShaped())); }
TEST_F(BarriersTest, EncoderShaped) { EachIsNecessary(PlanFor(EncoderShaped())); }

// With a barrier between the pieces of a dispatch: each has the windows of all.
TEST_F(BarriersTest, InManyCommandBuffers) {
  device_.set_pace({.buffer_ns = 1, .dispatch_ns = 500});
  EachIsNecessary(PlanFor(MobileNetV2Shaped()));
  EXPECT_GT(WatchedVulkan::calls_of("vkCmdDispatchBase"), 0);
}

std::vector<std::byte> ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  return {data, data + bytes.size()};
}

}  // namespace
}  // namespace linnet::vulkan

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    testing::RegisterTest("BarriersOfPlan", argv[i], nullptr, nullptr, __FILE__, __LINE__,
                          [path = argv[i]]() -> testing::Test* {
                            return new linnet::vulkan::BarriersTest(linnet::vulkan::ReadFile(path));
                          });
  }
  return RUN_ALL_TESTS();
}

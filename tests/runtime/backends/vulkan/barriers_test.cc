// SPDX-License-Identifier: Apache-2.0
// Every barrier that the backend finds necessary is: the validation layer complains about the
// commands without it, and about none of the complete ones. Arguments are plans of
// `linnet convert --place vulkan`, for which the same is tried. Skipped without the layer.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "converter/graph/algorithm.h"
#include "converter/graph/text/text.h"
#include "converter/place/place_graph.h"
#include "runtime/backends/portable/backend.h"
#include "runtime/backends/vulkan/backend.h"
#include "runtime/session/interpreter.h"
#include "runtime/verify/verify_plan.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/backends/vulkan/shaped_nets.h"
#include "tests/runtime/backends/vulkan/validation_layer.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

std::vector<std::byte> PlanOf(const std::string& text) {
  auto graph = converter::ParseGraph(text);
  if (!graph.ok()) {
    ADD_FAILURE() << graph.status().message() << "\n" << text;
    return {};
  }
  converter::FixupSourceAndSinkEdges(graph->get());
  const converter::DeviceSet devices = converter::DevicesOfThisBuild();
  std::vector<std::string> notes;
  auto placed = converter::PlaceGraph({.place = "vulkan"}, devices, graph->get(), &notes);
  if (!placed.ok()) {
    ADD_FAILURE() << placed.status().message();
    return {};
  }
  return VariantsPlan(**graph, placed->partition, devices);
}

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

  void EachIsNecessary(const std::vector<std::byte>& bytes) {
    Region region;
    VerifiedPlan plan;
    Diagnostic diagnostic;
    Status status = VerifyPlan({bytes.data(), bytes.size()}, region, &plan, &diagnostic);
    ASSERT_TRUE(status.ok()) << status.what() << diagnostic.text;
    const VulkanBackend gpu(&device_);
    const Backend* const backends[] = {&gpu, &portable::GetBackend()};
    for (size_t i = 0; i < plan.programs.size(); ++i) {
      if (plan.view.programs[i].variant != Variant::kVulkan) continue;
      PreparedWeights weights(&region);
      status = weights.Prepare(plan.programs[i], plan.view,
                               {bytes.data(), static_cast<int64_t>(bytes.size())}, backends,
                               &diagnostic);
      ASSERT_TRUE(status.ok()) << status.what() << diagnostic.text;
      LeaveOutEach(weights);
    }
  }

  // Records the program's commands without one barrier after the other. The layer looks at them
  // when they are recorded; they need not run.
  void LeaveOutEach(const PreparedWeights& weights) {
    Record(weights, -1);
    const int64_t barriers = WatchedVulkan::barriers();
    EXPECT_TRUE(ValidationLayer::messages().empty()) << ValidationLayer::messages()[0];
    EXPECT_GT(barriers, 5);
    int64_t unnecessary = 0;
    for (int64_t barrier = 0; barrier < barriers; ++barrier) {
      Record(weights, barrier);
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

  static void Record(const PreparedWeights& weights, int64_t without) {
    ValidationLayer::Forget();
    WatchedVulkan::DropBarrier(without);
    Region region;
    Diagnostic diagnostic;
    Interpreter session(&region, &weights);
    const Status status = session.Create({}, &diagnostic);
    ASSERT_TRUE(status.ok()) << status.what() << diagnostic.text;
  }

 private:
  std::vector<std::byte> plan_;
  Device device_;
};

TEST_F(BarriersTest, MobileNetV2Shaped) { EachIsNecessary(PlanOf(MobileNetV2Shaped())); }
TEST_F(BarriersTest, EncoderShaped) { EachIsNecessary(PlanOf(EncoderShaped())); }

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

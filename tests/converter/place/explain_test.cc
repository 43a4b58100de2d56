// SPDX-License-Identifier: Apache-2.0
#include "converter/place/explain.h"

#include <gtest/gtest.h>

#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

// TensorFlow graph row 65: log of the placement
TEST(Explain, Row65OneLinePerStepAndTotals) {
  const auto graph = LinnetGraph(
      "x = arg f32[4] a = Unary(x) {kind: Exp} @\"/device:GPU:0\" s = Softmax(a) out = ret(s)");
  graph->FindNode("a")->set_sources({"a"});
  graph->FindNode("s")->set_sources({"m/exp", "m/sum", "m/div", "m/a", "m/b"});
  const DeviceSet devices = CpuAndGpu();
  DeviceProfile profile;
  profile.measured["cpu"] = {{"a", {1, 100}}, {"s", {2, 7}}};
  profile.measured["vulkan"] = {{"a", {1, 10}}};
  profile.copies[{"cpu", "vulkan"}] =
      profile.copies[{"vulkan", "cpu"}] = {.bytes_per_s = 16e6, .latency_us = 20};
  const CostModel costs(devices, profile);
  const auto placement = Place(*graph, devices, costs, {});
  ASSERT_TRUE(placement.ok()) << placement.status();
  const auto partition = MakePartition(*graph, devices, *placement);
  ASSERT_TRUE(partition.ok()) << partition.status();
  EXPECT_EQ(ExplainPlacement(devices, costs, *placement, *partition,
                             [](const Node& node) { return node.name() == "s" ? "portable" : ""; }),
            R"(  copy x (16 bytes, about 21.0 us): /device:CPU:0 -> /device:GPU:0
a: (Unary): /device:GPU:0  asked for /device:GPU:0
  copy a (16 bytes, about 21.0 us): /device:GPU:0 -> /device:CPU:0
s: (Softmax): /device:CPU:0  vulkan: no lowering; portable; stands for m/exp, m/sum, m/div, m/a, ...
cpu: 1 step, about 3.5 us
vulkan: 1 step, about 10.0 us
2 segments, 2 copies of 32 bytes; a run takes about 55.5 us
)");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/place/cost_model.h"

#include <gtest/gtest.h>

#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

class CostModelTest : public testing::Test {
 protected:
  CostModelTest() : devices_(CpuAndGpu()) {
    profile_.devices["cpu"] = {.flops_per_s = 1e9, .bytes_per_s = 1e9, .launch_us = 2};
    profile_.devices["vulkan"] = {.flops_per_s = 1e10, .bytes_per_s = 1e8, .launch_us = 50};
    profile_.copies[{"cpu", "vulkan"}] = {.bytes_per_s = 1e6, .latency_us = 7};
  }
  double Time(const Graph& graph, const char* node, const char* device) const {
    return CostModel(devices_, profile_).TimeUs(*graph.FindNode(node), devices_.FindKey(device));
  }

  const DeviceSet devices_;
  DeviceProfile profile_;
};

// TensorFlow graph row 66: cost model
TEST_F(CostModelTest, Row66WorkAndBytesFromTypes) {
  const auto graph = LinnetGraph(R"(
    x = arg f32[1,8,8,4]
    conv = Conv2D(x, const f32[4,3,3,4] seed=1) {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1}
    out = ret(conv))");
  const Work work = WorkOf(*graph->FindNode("conv"));
  EXPECT_EQ(work.flops, 2.0 * 64 * 4 * 36);
  EXPECT_EQ(work.bytes, 4.0 * (256 + 144 + 256));
  EXPECT_DOUBLE_EQ(Time(*graph, "conv", "cpu"), 2 + 18.432) << "arithmetic takes longest";
  EXPECT_DOUBLE_EQ(Time(*graph, "conv", "vulkan"), 50 + 26.24) << "memory does";
  EXPECT_EQ(Time(*graph, "x", "cpu"), 0);
  EXPECT_EQ(Time(*graph, "out", "cpu"), 0);
  EXPECT_EQ(Time(*graph, "conv/const_1", "cpu"), 0);
}

TEST_F(CostModelTest, KindsOfOpsHaveTheirRates) {
  const auto graph = LinnetGraph(R"(
    x = arg f32[1,8,8,4]
    conv = Conv2D(x, const f32[4,1,1,4] seed=1)
    depthwise = DepthwiseConv2D(conv, const f32[3,3,4] seed=2) {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1}
    exp = Unary(depthwise) {kind: Exp}
    out = ret(exp))");
  profile_.devices["vulkan"] = {.flops_per_s = 1e9, .bytes_per_s = 1e12};
  const auto time = [&](const char* node) { return Time(*graph, node, "vulkan"); };
  const double conv = time("conv"), depthwise = time("depthwise"), exp = time("exp");
  profile_.devices["vulkan"].depthwise_flops_per_s = 1e8;
  EXPECT_DOUBLE_EQ(time("conv"), conv);
  EXPECT_DOUBLE_EQ(time("depthwise"), 10 * depthwise);
  EXPECT_DOUBLE_EQ(time("exp"), exp);
  profile_.devices["vulkan"].other_flops_per_s = 5e8;
  EXPECT_DOUBLE_EQ(time("conv"), conv);
  EXPECT_DOUBLE_EQ(time("exp"), 2 * exp);
}

TEST_F(CostModelTest, ViewsTakeNothing) {
  const auto graph = LinnetGraph(R"(
    x = arg f32[4]
    view = Reshape(x) {shape: [2, 2]}
    out = ret(view))");
  EXPECT_EQ(Time(*graph, "view", "cpu"), 0);
  EXPECT_EQ(Time(*graph, "view", "vulkan"), 0);
}

// The shapes of a hostile model reach the cost model unchecked.
TEST_F(CostModelTest, HugeTensorsDoNotOverflow) {
  const auto graph = LinnetGraph(R"(
    x = arg f32[1000,1000000000]
    y = Softmax(x)
    out = ret(y))");
  const Work work = WorkOf(*graph->FindNode("y"));
  EXPECT_EQ(work.bytes, 8e12);
  EXPECT_GT(work.flops, 1e12);
  EXPECT_GT(Time(*graph, "y", "cpu"), 2e9);
}

// The initial costs of CostModel::InitFromGraph: 1 us per node, nothing for constants and
// variables, one byte per edge.
// TensorFlow graph row 66: cost model
TEST_F(CostModelTest, Row66TensorFlowOpsBeforeAnythingIsKnown) {
  Graph graph(PlacerOps());
  ASSERT_TRUE(
      ParseGraph("in = tf.TestInput() v = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[2]}"
                 "c = const f32[2] {1, 2} r = tf.TestRelu(in)",
                 &graph)
          .ok());
  EXPECT_EQ(Time(graph, "r", "cpu"), 1);
  EXPECT_EQ(Time(graph, "v", "cpu"), 0);
  EXPECT_EQ(Time(graph, "c", "cpu"), 0);
  EXPECT_EQ(OutputBytes(*graph.FindNode("in"), 1), 1);
  EXPECT_EQ(OutputBytes(*graph.FindNode("c"), 0), 8);
}

// CostModel::CopyTimeEstimate: bytes / (gbps * 125) us + latency_ms * 1000.
// TensorFlow graph row 66: cost model
TEST_F(CostModelTest, Row66Copies) {
  const CostModel costs(devices_, profile_);
  const int cpu = devices_.FindKey("cpu"), gpu = devices_.FindKey("vulkan");
  EXPECT_DOUBLE_EQ(costs.CopyUs(100, cpu, gpu), 7 + 100);
  EXPECT_EQ(costs.CopyUs(100, cpu, cpu), 0);
  const double gbps = 16, latency_ms = 0.25;
  profile_.copies[{"vulkan", "cpu"}] = {.bytes_per_s = gbps * 125e6,
                                        .latency_us = latency_ms * 1000};
  EXPECT_DOUBLE_EQ(costs.CopyUs(64000, gpu, cpu), 64000 / (gbps * 125) + latency_ms * 1000);
}

// TensorFlow graph row 68: times and sizes of each node
TEST_F(CostModelTest, Row68MeasuredTimesAreMeans) {
  const auto graph = LinnetGraph(R"(
    x = arg f32[4]
    a = Unary(x) {kind: Exp}
    b = Unary(a) {kind: Exp}
    out = ret(b))");
  graph->FindNode("b")->set_sources({"model/exp", "model/other"});
  profile_.measured["cpu"]["a"] = {.count = 4, .total_us = 30};
  profile_.measured["cpu"]["model/exp"] = {.count = 2, .total_us = 5};
  EXPECT_DOUBLE_EQ(Time(*graph, "a", "cpu"), 7.5);
  EXPECT_DOUBLE_EQ(Time(*graph, "b", "cpu"), 2.5);
  EXPECT_GT(Time(*graph, "a", "vulkan"), 50) << "measured on another device";
}

}  // namespace
}  // namespace linnet::converter

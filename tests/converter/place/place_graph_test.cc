// SPDX-License-Identifier: Apache-2.0
#include "converter/place/place_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fmt/format.h"
#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PlaceGraphTest : public testing::Test {
 protected:
  PlaceGraphTest()
      : graph_(LinnetGraph(R"(
          x = arg f32[4]
          a = Unary(x) {kind: Exp} @"/job:w/device:GPU:0"
          s = Softmax(a)
          b = Unary(s) {kind: Neg}
          out = ret(b))")) {}

  std::string Place(const DeviceSet& devices) {
    notes_.clear();
    const auto placed = PlaceGraph(request_, devices, graph_.get(), &notes_);
    return placed.ok() ? "" : std::string(placed.status().message());
  }
  std::string On(const char* name) const { return graph_->FindNode(name)->assigned_device(); }

  std::unique_ptr<Graph> graph_;
  PlaceRequest request_;
  std::vector<std::string> notes_;
};

TEST_F(PlaceGraphTest, AutoDoesWhatTheModelAsks) {
  ASSERT_EQ(Place(CpuAndGpu()), "");
  EXPECT_EQ(On("a"), "/device:GPU:0");
  EXPECT_EQ(On("s"), "/device:CPU:0");
  EXPECT_EQ(On("b"), "/device:CPU:0") << "not worth another device";
  EXPECT_EQ(On("out"), "/device:CPU:0");
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("job, replica and task")));
}

TEST_F(PlaceGraphTest, EverythingThatCanGoesWhereItIsTold) {
  request_.place = "vulkan";
  ASSERT_EQ(Place(CpuAndGpu()), "");
  EXPECT_EQ(On("a"), "/device:GPU:0");
  EXPECT_EQ(On("s"), "/device:CPU:0") << "the GPU has no Softmax";
  EXPECT_EQ(On("b"), "/device:GPU:0");
  EXPECT_EQ(On("x"), "/device:CPU:0");
}

TEST_F(PlaceGraphTest, TheCommandLineComesBeforeTheModel) {
  request_.place = "cpu";
  ASSERT_EQ(Place(CpuAndGpu()), "");
  EXPECT_EQ(On("a"), "/device:CPU:0");
  EXPECT_THAT(notes_, ElementsAre());
}

TEST_F(PlaceGraphTest, SingleNodesComeBeforeAll) {
  graph_->FindNode("b")->set_sources({"model/neg", "model/more"});
  request_.place = "cpu";
  request_.nodes = {{"model/more", "vulkan"}};
  ASSERT_EQ(Place(CpuAndGpu()), "");
  EXPECT_EQ(On("a"), "/device:CPU:0");
  EXPECT_EQ(On("b"), "/device:GPU:0");
}

TEST_F(PlaceGraphTest, EveryProblemWithItsWayOut) {
  request_.nodes = {
      {"s", "vulkan"}, {"nobody", "cpu"}, {"a", "tpu"}, {"b", "cpu"}, {"b", "vulkan"}};
  const std::string message = Place(CpuAndGpu());
  EXPECT_THAT(message, HasSubstr("Softmax 's': vulkan cannot run it: no lowering; leave out "
                                 "--place-node s=vulkan"));
  EXPECT_THAT(message, HasSubstr("'nobody': no step of the plan comes from a node of this name"));
  EXPECT_THAT(message, HasSubstr("there is no device 'tpu'; known are cpu, vulkan"));
  EXPECT_THAT(message, HasSubstr("'b': it is placed on /device:CPU:0 and on /device:GPU:0"));
  EXPECT_THAT(message, HasSubstr("4 problems"));
}

// Writes the text of nets.
struct NetText {
  std::string text;
  int size, channels, nodes = 0;  // of the last node, which is square

  NetText(int size, int channels)
      : text(fmt::format("n0 = arg f32[1,{0},{0},{1}]\n", size, channels)),
        size(size),
        channels(channels) {}
  void Conv(int kernel, int stride, int to) {
    Add(fmt::format("Conv2D(n{}, const f32[{},{},{},{}] seed=1)", nodes, to, kernel, kernel,
                    channels),
        kernel, stride);
    channels = to;
  }
  void Depthwise(int stride) {
    Add(fmt::format("DepthwiseConv2D(n{}, const f32[3,3,{}] seed=1)", nodes, channels), 3, stride);
  }
  void Add(const std::string& op, int kernel, int stride) {
    const int before = (kernel - 1) / 2, after = kernel - 1 - before;
    text += fmt::format(
        "n{} = {} {{stride_h: {}, stride_w: {}, pad_top: {}, pad_bottom: {}, pad_left: {}, "
        "pad_right: {}}}\n",
        ++nodes, op, stride, stride, before, after, before, after);
    size = (size - 1) / stride + 1;
  }
  std::unique_ptr<Graph> Build() const {
    return LinnetGraph(text + fmt::format("out = ret(n{})", nodes));
  }
};

// Of the convolutions of MobileNetV2: 0.3 GMAC.
NetText MobileNetV2() {
  NetText net(224, 3);
  net.Conv(3, 2, 32);
  struct Row {
    int expand, channels, repeats, stride;
  };
  for (const Row& row : {Row{1, 16, 1, 1}, Row{6, 24, 2, 2}, Row{6, 32, 3, 2}, Row{6, 64, 4, 2},
                         Row{6, 96, 3, 1}, Row{6, 160, 3, 2}, Row{6, 320, 1, 1}})
    for (int i = 0; i < row.repeats; ++i) {
      if (row.expand > 1) net.Conv(1, 1, row.expand * net.channels);
      net.Depthwise(i == 0 ? row.stride : 1);
      net.Conv(1, 1, row.channels);
    }
  net.Conv(1, 1, 1280);
  return net;
}

// Of those of ResNet50: 3.8 GMAC.
NetText ResNet50() {
  NetText net(224, 3);
  net.Conv(7, 2, 64);
  net.Add(fmt::format("DepthwiseConv2D(n{}, const f32[3,3,64] seed=1)", net.nodes), 3, 2);
  const int repeats[] = {3, 4, 6, 3};
  for (int stage = 0; stage < 4; ++stage)
    for (int i = 0; i < repeats[stage]; ++i) {
      net.Conv(1, 1, 64 << stage);
      net.Conv(3, i == 0 && stage > 0 ? 2 : 1, 64 << stage);
      net.Conv(1, 1, 256 << stage);
    }
  return net;
}

// Without a profile of the device: phones' CPUs are faster in MobileNets.
TEST(BuiltInProfile, KeepsMobileNetsOnTheCpu) {
  for (const auto& [net, device] :
       {std::pair(MobileNetV2(), "/device:CPU:0"), std::pair(ResNet50(), "/device:GPU:0")}) {
    const auto graph = net.Build();
    std::vector<std::string> notes;
    const auto placed = PlaceGraph({}, CpuAndGpu(), graph.get(), &notes);
    ASSERT_TRUE(placed.ok()) << placed.status();
    for (int i = 1; i <= net.nodes; ++i)
      EXPECT_EQ(graph->FindNode(fmt::format("n{}", i))->assigned_device(), device);
    EXPECT_EQ(WantsDeviceProgram({}, CpuAndGpu(), *placed), *(device + 8) == 'G');
  }
}

TEST_F(PlaceGraphTest, DevicesThatAreNamedGetAProgram) {
  PlacedGraph on_host;  // without a single step
  EXPECT_TRUE(WantsDeviceProgram({.place = "vulkan"}, CpuAndGpu(), on_host));
  EXPECT_FALSE(WantsDeviceProgram({.place = "auto"}, CpuAndGpu(), on_host));
  EXPECT_FALSE(WantsDeviceProgram({.place = "cpu"}, CpuAndGpu(), on_host));
  request_ = {.place = "cpu", .nodes = {{"b", "vulkan"}}};
  const auto placed = PlaceGraph(request_, CpuAndGpu(), graph_.get(), &notes_);
  ASSERT_TRUE(placed.ok()) << placed.status();
  EXPECT_TRUE(WantsDeviceProgram(request_, CpuAndGpu(), *placed));
}

TEST_F(PlaceGraphTest, WhatTheBuildLacksIsIgnored) {
  const DeviceSet devices = DevicesOfThisBuild();
  std::vector<Device> cpu;
  for (const Device& device : devices.all())
    if (device.is_host) cpu.push_back(device);
  request_.place = "vulkan";
  request_.nodes = {{"b", "vulkan"}};
  ASSERT_EQ(Place(DeviceSet(cpu)), "");
  for (const char* name : {"a", "s", "b"}) EXPECT_EQ(On(name), "/device:CPU:0") << name;
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("--place vulkan: this build has no vulkan backend"),
                                  HasSubstr("--place-node b=vulkan: this build has no"),
                                  HasSubstr("'a' for /job:w/device:GPU:0"),
                                  HasSubstr("job, replica and task")));
}

TEST_F(PlaceGraphTest, ThisBuildPlacesOnVulkan) {
  const DeviceSet devices = DevicesOfThisBuild();
  const int vulkan = devices.FindKey("vulkan");
  ASSERT_GE(vulkan, 0);
  EXPECT_FALSE(devices[vulkan].is_host);
  EXPECT_EQ(devices[vulkan].layout, linnet::Layout::kRows4);
  const auto graph = LinnetGraph(R"(
    x = arg f32[4] y = arg i64[4]
    a = Clamp(x) {range: {min: 0, max: 6}}
    b = Binary(y, y) {kind: Add}
    r = ret(a) q = ret(b))");
  std::vector<std::string> notes;
  ASSERT_TRUE(PlaceGraph({.place = "vulkan"}, devices, graph.get(), &notes).ok());
  EXPECT_EQ(graph->FindNode("a")->assigned_device(), "/device:GPU:0");
  EXPECT_EQ(graph->FindNode("b")->assigned_device(), "/device:CPU:0") << "no form on the device";
}

TEST_F(PlaceGraphTest, FloatsOfAGpuMayHave16Bits) {
  const DeviceSet single = DevicesOfThisBuild(), half = DevicesOfThisBuild(GpuPrecision::kF16);
  EXPECT_EQ(half[half.FindKey("vulkan")].layout, linnet::Layout::kRows4Half);
  EXPECT_EQ(half[half.FindKey("cpu")].layout, linnet::Layout::kDense);
  const char* text = R"(
    x = arg f32[1,8,8,4] boxes = arg f32[2,4]
    a = Clamp(x) {range: {min: 0, max: 6}}
    crop = CropAndResize(a, boxes, const i32[2] {0, 0}) {crop_h: 4, crop_w: 4}
    r = ret(crop))";
  for (const DeviceSet* devices : {&single, &half}) {
    const auto graph = LinnetGraph(text);
    PlaceRequest request{.place = "vulkan"};
    std::vector<std::string> notes;
    const auto placed = PlaceGraph(request, *devices, graph.get(), &notes);
    ASSERT_TRUE(placed.ok()) << placed.status();
    EXPECT_EQ(graph->FindNode("a")->assigned_device(), "/device:GPU:0");
    EXPECT_EQ(graph->FindNode("crop")->assigned_device(),
              devices == &half ? "/device:CPU:0" : "/device:GPU:0");
    const std::string explanation = ExplainPlacement(*devices, CostModel(*devices, placed->profile),
                                                     placed->placement, placed->partition);
    EXPECT_EQ(explanation.find("vulkan: ") != std::string::npos &&
                  explanation.find(", with floats in 16 bits") != std::string::npos,
              devices == &half)
        << explanation;
  }
}

TEST_F(PlaceGraphTest, AProfileDecides) {
  const auto path = std::filesystem::temp_directory_path() / "linnet_place_graph_profile.json";
  const std::string slow = R"({"count": 1, "total_us": 900000})";
  std::ofstream(path) << R"({"devices": {"cpu": {"nodes": {"b": )" << slow << "}}}}";
  request_.profile = path;
  ASSERT_EQ(Place(CpuAndGpu()), "");
  EXPECT_EQ(On("b"), "/device:GPU:0");
  std::ofstream(path) << "nonsense";
  EXPECT_THAT(Place(CpuAndGpu()),
              HasSubstr("--device-profile " + path.string() + ": not a device profile"));
  std::filesystem::remove(path);
  EXPECT_THAT(Place(CpuAndGpu()), HasSubstr("cannot read"));
}

}  // namespace
}  // namespace linnet::converter

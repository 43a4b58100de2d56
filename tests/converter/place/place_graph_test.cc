// SPDX-License-Identifier: Apache-2.0
#include "converter/place/place_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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

TEST_F(PlaceGraphTest, ThisBuildHasNoVulkan) {
  request_.place = "vulkan";
  request_.nodes = {{"b", "vulkan"}};
  ASSERT_EQ(Place(DevicesOfThisBuild()), "");
  for (const char* name : {"a", "s", "b"}) EXPECT_EQ(On(name), "/device:CPU:0") << name;
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("--place vulkan: this build has no vulkan backend"),
                                  HasSubstr("--place-node b=vulkan: this build has no"),
                                  HasSubstr("'a' for /job:w/device:GPU:0"),
                                  HasSubstr("job, replica and task")));
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

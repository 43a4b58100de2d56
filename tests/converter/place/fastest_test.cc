// SPDX-License-Identifier: Apache-2.0
// Rows 66 and 67: the cost model chooses where constraints leave a choice.
#include <gtest/gtest.h>

#include <random>

#include "converter/place/placer.h"
#include "fmt/format.h"
#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

class FastestTest : public testing::Test {
 protected:
  FastestTest() : devices_(CpuAndGpu()) {
    for (const char* device : {"cpu", "vulkan"}) profile_.measured[device];
    SetCopies(20);
  }
  // The time of a copy in microseconds, whatever it copies.
  void SetCopies(double us) {
    profile_.copies[{"cpu", "vulkan"}] =
        profile_.copies[{"vulkan", "cpu"}] = {.bytes_per_s = 1e30, .latency_us = us};
  }
  void Takes(const std::string& node, double cpu_us, double gpu_us) {
    profile_.measured["cpu"][node] = {1, cpu_us};
    profile_.measured["vulkan"][node] = {1, gpu_us};
  }
  void Place(const std::string& text) {
    graph_ = LinnetGraph(text);
    const CostModel costs(devices_, profile_);
    absl::StatusOr<Placement> placement = converter::Place(*graph_, devices_, costs, options_);
    ASSERT_TRUE(placement.ok()) << placement.status();
    placement_ = *std::move(placement);
  }
  // "cpu gpu": keys of the devices of nodes
  std::string On(std::initializer_list<const char*> names) const {
    std::string keys;
    for (const char* name : names)
      keys += (keys.empty() ? "" : " ") +
              devices_[placement_.rows[graph_->FindNode(name)->id()].device].key;
    return keys;
  }

  const DeviceSet devices_;
  DeviceProfile profile_;
  PlacerOptions options_;
  std::unique_ptr<Graph> graph_;
  Placement placement_;
};

constexpr char kChain[] = R"(
  x = arg f32[4]
  a = Unary(x) {kind: Exp}
  b = Unary(a) {kind: Exp}
  out = ret(b))";

TEST_F(FastestTest, GoesWhereItSavesMoreThanTheCopies) {
  Takes("a", 100, 10);
  Takes("b", 100, 10);
  Place(kChain);
  EXPECT_EQ(On({"x", "a", "b", "out"}), "cpu vulkan vulkan cpu");
  EXPECT_DOUBLE_EQ(placement_.completion_us, 20 + 10 + 10 + 20) << "two copies, two steps";
}

TEST_F(FastestTest, StaysWhereCopiesCostMore) {
  Takes("a", 25, 10);
  Takes("b", 10, 10);
  Place(kChain);
  EXPECT_EQ(On({"a", "b"}), "cpu cpu");
  EXPECT_DOUBLE_EQ(placement_.completion_us, 35);
}

// Placing one node after the other would never pay for the copy.
TEST_F(FastestTest, OneCopyForManyNodes) {
  SetCopies(30);
  Takes("a", 40, 15);
  Takes("b", 40, 1);
  Place(kChain);
  EXPECT_EQ(On({"a", "b"}), "vulkan vulkan");
}

TEST_F(FastestTest, UnsupportedOpsStayOnTheHost) {
  Takes("a", 100, 1);
  Takes("s", 100, 1);
  Place("x = arg f32[4] a = Unary(x) {kind: Exp} s = Softmax(a) out = ret(s)");
  EXPECT_EQ(On({"a", "s"}), "vulkan cpu");
  EXPECT_EQ(placement_.rows[graph_->FindNode("s")->id()].reason, "vulkan: no lowering");
}

// One for each segment: a -> s -> b needs two of the GPU, whatever else runs beside it.
TEST_F(FastestTest, SegmentsAreSubmitted) {
  profile_.devices["vulkan"] = {.flops_per_s = 1, .bytes_per_s = 1, .submit_us = 50};
  Takes("a", 400, 10);
  Takes("s", 1, 1);
  Takes("b", 400, 10);
  Takes("c", 400, 10);
  const char* text =
      "x = arg f32[4] a = Unary(x) {kind: Exp} s = Softmax(a) b = Unary(s) {kind: Neg} "
      "c = Unary(x) {kind: Exp} r = ret(b) q = ret(c)";
  Place(text);
  EXPECT_EQ(On({"a", "s", "b", "c"}), "vulkan cpu vulkan vulkan");
  EXPECT_DOUBLE_EQ(placement_.completion_us, 2 * 50 + 30 + 1 + 5 * 20);
  profile_.devices["vulkan"].submit_us = 500;
  Place(text);
  EXPECT_EQ(On({"a", "s", "b", "c"}), "vulkan cpu cpu vulkan") << "a and c share one";
}

TEST_F(FastestTest, AValueIsCopiedOnce) {
  Takes("a", 100, 10);
  Takes("b", 100, 10);
  Place(
      "x = arg f32[4] a = Unary(x) {kind: Exp} b = Unary(x) {kind: Neg} "
      "c = ret(a) d = ret(b)");
  EXPECT_DOUBLE_EQ(placement_.completion_us, 20 + 10 + 10 + 20 + 20);
}

TEST_F(FastestTest, HostTypesNeedNoCopy) {
  Takes("i", 5, 5);
  Takes("a", 100, 10);
  Place(
      "x = arg f32[4] n = arg i32[4] i = Binary(n, n) {kind: Add} "
      "a = Gather(x, i) out = ret(a)");
  EXPECT_EQ(On({"i", "a"}), "cpu vulkan");
  EXPECT_DOUBLE_EQ(placement_.completion_us, 5 + 20 + 10 + 20) << "x and the result";
}

TEST_F(FastestTest, GroupsGoTogether) {
  Takes("a", 100, 10);
  Takes("s", 1, 1);
  graph_ = LinnetGraph("x = arg f32[4] a = Unary(x) {kind: Exp} s = Softmax(a) out = ret(s)");
  tf::AttrValue group;
  group.mutable_list()->add_s("loc:@a");
  graph_->FindNode("s")->SetAttr("_class", group);
  const CostModel costs(devices_, profile_);
  const auto placement = converter::Place(*graph_, devices_, costs, options_);
  ASSERT_TRUE(placement.ok()) << placement.status();
  placement_ = *placement;
  EXPECT_EQ(On({"a", "s"}), "cpu cpu") << "Softmax keeps its group on the host";
}

TEST_F(FastestTest, SmallSavingsUseNoDevice) {
  Takes("a", 100, 10);
  Takes("b", 100, 10);
  options_.min_saving_us = 141;  // the saving is 140
  Place(kChain);
  EXPECT_EQ(On({"a", "b"}), "cpu cpu");
  options_.min_saving_us = 139;
  Place(kChain);
  EXPECT_EQ(On({"a", "b"}), "vulkan vulkan");
  options_.min_saving_us = 0;
  options_.min_saving_share = 0.71;
  Place(kChain);
  EXPECT_EQ(On({"a", "b"}), "cpu cpu");
}

TEST_F(FastestTest, DevicesAtTheSameTime) {
  SetCopies(1);
  Takes("a", 10, 10);
  Takes("b", 10, 11);
  const char* text =
      "x = arg f32[4] a = Unary(x) {kind: Exp} b = Unary(x) {kind: Neg} c = ret(a) d = ret(b)";
  Place(text);
  EXPECT_EQ(On({"a", "b"}), "cpu cpu") << "one after the other";
  options_.overlap = true;
  Place(text);
  EXPECT_EQ(On({"a", "b"}), "cpu vulkan");
  EXPECT_LT(placement_.completion_us, 20);
}

// A random graph of unary and binary steps with random times.
std::string RandomGraph(std::mt19937* random, int steps) {
  std::string text = "n0 = arg f32[4]\n";
  const auto before = [&](int i) { return (*random)() % static_cast<unsigned>(i); };
  for (int i = 1; i <= steps; ++i) {
    if ((*random)() % 3 == 0)
      text += fmt::format("n{} = Softmax(n{})\n", i, before(i));
    else
      text += fmt::format("n{} = Binary(n{}, n{}) {{kind: Add}}\n", i, before(i), before(i));
  }
  return text + fmt::format("out = ret(n{})\n", steps);
}

TEST_F(FastestTest, NeverWorseThanTheHostAloneAndTheSameEachTime) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    profile_.measured["cpu"].clear();
    profile_.measured["vulkan"].clear();
    SetCopies(random() % 50);
    double host_us = 0;
    const int steps = 1 + static_cast<int>(random() % 20);
    for (int i = 1; i <= steps; ++i) {
      const double cpu_us = random() % 40;
      host_us += cpu_us;
      Takes(fmt::format("n{}", i), cpu_us, random() % 40);
    }
    const std::string text = RandomGraph(&random, steps);
    Place(text);
    EXPECT_LE(placement_.completion_us, host_us) << text;
    std::vector<int> devices;
    for (const Node* node : graph_->op_nodes()) {
      const int device = placement_.rows[node->id()].device;
      devices.push_back(device);
      EXPECT_EQ(devices_[device].why_unsupported(*node), "") << node->name();
      for (const Edge* edge : node->in_edges())
        if (edge->src->IsOp()) {
          EXPECT_LE(placement_.rows[edge->src->id()].finish_us,
                    placement_.rows[node->id()].start_us);
        }
    }
    Place(text);
    size_t i = 0;
    for (const Node* node : graph_->op_nodes())
      EXPECT_EQ(placement_.rows[node->id()].device, devices[i++]);
  }
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/place/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "fmt/format.h"
#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;

// The device of each node is given.
class PartitionTest : public testing::Test {
 protected:
  PartitionTest() : devices_(CpuAndGpu()) {}

  void Build(const std::string& text, const std::set<std::string>& on_gpu) {
    std::map<std::string, std::string> keys;
    for (const std::string& name : on_gpu) keys[name] = "vulkan";
    BuildOn(text, keys);
  }
  // by node; all other nodes are on the host
  void BuildOn(const std::string& text, const std::map<std::string, std::string>& keys) {
    graph_ = LinnetGraph(text);
    placement_.rows.assign(graph_->num_node_ids(), {});
    for (const Node* node : graph_->op_nodes()) {
      const auto it = keys.find(node->name());
      placement_.rows[node->id()].device =
          devices_.FindKey(it == keys.end() ? std::string("cpu") : it->second);
    }
  }
  void AddControlEdge(const std::string& from, const std::string& to) {
    graph_->AddControlEdge(graph_->FindNode(from), graph_->FindNode(to));
  }
  void Cut() {
    absl::StatusOr<Partition> partition = MakePartition(*graph_, devices_, placement_);
    ASSERT_TRUE(partition.ok()) << partition.status();
    partition_ = *std::move(partition);
  }
  // "cpu: a b"
  std::vector<std::string> Segments() const {
    std::vector<std::string> texts;
    for (const Segment& segment : partition_.segments) {
      texts.push_back(devices_[segment.device].key + ":");
      for (const Node* node : segment.nodes) texts.back() += " " + node->name();
    }
    return texts;
  }
  // "x cpu>vulkan before 0, 16 bytes"
  std::vector<std::string> Copies() const {
    std::vector<std::string> texts;
    for (const Copy& copy : partition_.copies)
      texts.push_back(
          fmt::format("{} {}>{} before {}, {} bytes", TensorName(copy.node->name(), copy.output),
                      devices_[copy.from].key, devices_[copy.to].key, copy.before, copy.bytes));
    return texts;
  }

  DeviceSet devices_;
  std::unique_ptr<Graph> graph_;
  Placement placement_;
  Partition partition_;
};

// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69OneDeviceIsOneSegment) {
  Build("x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) out = ret(b)", {});
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("cpu: a b"));
  EXPECT_THAT(Copies(), ElementsAre());
}

// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69CopiesAtTheBorders) {
  Build(
      "x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(a) c = Unary(b) {kind: Neg} "
      "out = ret(c)",
      {"a", "c"});
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("vulkan: a", "cpu: b", "vulkan: c"));
  EXPECT_THAT(Copies(),
              ElementsAre("x cpu>vulkan before 0, 16 bytes", "a vulkan>cpu before 1, 16 bytes",
                          "b cpu>vulkan before 2, 16 bytes", "c vulkan>cpu before 3, 16 bytes"));
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceData_MultiUse, where
// one Send serves several readers
//
// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69OneCopyForEachDestination) {
  Build(
      "x = arg f32[4] t = TopK(x) {k: 2} a = Unary(t) {kind: Exp} b = Unary(t) {kind: Neg} "
      "c = Unary(t:1) {kind: Neg} out = ret(a) two = ret(b) three = ret(c) four = ret(a)",
      {"a", "b"});
  Cut();
  EXPECT_THAT(Copies(),
              ElementsAre("t cpu>vulkan before 1, 8 bytes", "a vulkan>cpu before 2, 8 bytes",
                          "b vulkan>cpu before 2, 8 bytes"));
}

// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69ConstantsAreNotCopied) {
  Build("x = arg f32[4] a = Binary(x, const f32[4] {1, 2, 3, 4}) {kind: Add} out = ret(a)", {"a"});
  Cut();
  EXPECT_THAT(Copies(),
              ElementsAre("x cpu>vulkan before 0, 16 bytes", "a vulkan>cpu before 1, 16 bytes"));
}

// TensorFlow graph row 64: what must be in host memory
TEST_F(PartitionTest, Row64HostTypesAreNotCopied) {
  Build("x = arg f32[4] n = arg i32[2] a = Gather(x, n) out = ret(a)", {"a"});
  Cut();
  EXPECT_THAT(Copies(),
              ElementsAre("x cpu>vulkan before 0, 16 bytes", "a vulkan>cpu before 1, 8 bytes"));
}

TEST_F(PartitionTest, StepsOfADeviceAreTakenTogether) {
  Build(
      "x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(x) c = Unary(a) {kind: Neg} "
      "d = Softmax(b) e = Binary(c, d) {kind: Add} out = ret(e)",
      {"a", "c", "e"});
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("vulkan: a c", "cpu: b d", "vulkan: e"));
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceControl; here no
// dummy value travels.
//
// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69ControlEdgesOrder) {
  Build("x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(x) out = ret(a) two = ret(b)", {"b"});
  AddControlEdge("b", "a");
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("vulkan: b", "cpu: a"));
  EXPECT_THAT(Copies(),
              ElementsAre("x cpu>vulkan before 0, 16 bytes", "b vulkan>cpu before 2, 16 bytes"));
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceControl_MultiUse
//
// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69ControlEdgesToSeveralNodes) {
  Build(
      "x = arg f32[4] a = Softmax(x) b = Unary(x) {kind: Exp} c = Unary(x) {kind: Neg} "
      "d = Unary(x) {kind: Abs} one = ret(a) two = ret(b) three = ret(c) four = ret(d)",
      {"b", "c", "d"});
  AddControlEdge("a", "b");
  AddControlEdge("a", "c");
  Cut();
  // d waits for nothing, and only x and the results are copied.
  EXPECT_THAT(Segments(), ElementsAre("cpu: a", "vulkan: b c d"));
  EXPECT_THAT(Copies(),
              ElementsAre("x cpu>vulkan before 1, 16 bytes", "b vulkan>cpu before 2, 16 bytes",
                          "c vulkan>cpu before 2, 16 bytes", "d vulkan>cpu before 2, 16 bytes"));
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDevice_DataControl, where
// the control edge has a Send of its own
//
// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69DataAndControlOfOneNode) {
  Build(
      "x = arg f32[4] y = arg f32[4] a = Softmax(x) b = Binary(a, y) {kind: Add} "
      "c = Unary(y) {kind: Neg} d = Binary(a, c) {kind: Mul} one = ret(b) two = ret(d)",
      {"b", "c", "d"});
  AddControlEdge("a", "c");
  AddControlEdge("a", "b");
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("cpu: a", "vulkan: b c d"));
  EXPECT_THAT(Copies(),
              ElementsAre("a cpu>vulkan before 1, 16 bytes", "y cpu>vulkan before 1, 16 bytes",
                          "b vulkan>cpu before 2, 16 bytes", "d vulkan>cpu before 2, 16 bytes"));
}

TEST_F(PartitionTest, ControlEdgesAcrossOpenSegments) {
  // Without control edges: "vulkan: a c" and "cpu: b d".
  Build(
      "x = arg f32[4] a = Unary(x) {kind: Exp} b = Softmax(x) c = Unary(x) {kind: Neg} "
      "d = Softmax(x) one = ret(a) two = ret(b) three = ret(c) four = ret(d)",
      {"a", "c"});
  AddControlEdge("a", "b");
  AddControlEdge("b", "c");
  AddControlEdge("c", "d");
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("vulkan: a", "cpu: b", "vulkan: c", "cpu: d"));
  EXPECT_THAT(Copies(),
              ElementsAre("x cpu>vulkan before 0, 16 bytes", "a vulkan>cpu before 4, 16 bytes",
                          "c vulkan>cpu before 4, 16 bytes"));
  AddControlEdge("d", "a");
  EXPECT_EQ(std::string(MakePartition(*graph_, devices_, placement_).status().message()),
            "the graph has a cycle");
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceData_MultiUse, one
// node that reads a value twice, and readers in several segments
//
// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69AValueStaysWhereItWasCopied) {
  Build(
      "x = arg f32[4] a = Softmax(x) b = Binary(a, a) {kind: Add} c = Softmax(b) "
      "d = Binary(c, a) {kind: Add} e = Binary(d, b) {kind: Mul} out = ret(e) also = ret(b)",
      {"b", "d", "e"});
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("cpu: a", "vulkan: b", "cpu: c", "vulkan: d e"));
  EXPECT_THAT(Copies(),
              ElementsAre("a cpu>vulkan before 1, 16 bytes", "b vulkan>cpu before 2, 16 bytes",
                          "c cpu>vulkan before 3, 16 bytes", "e vulkan>cpu before 4, 16 bytes"));
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.CrossDeviceData_MultiUse, with
// a Send for each of several devices
//
// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69OneValueOnSeveralDevices) {
  std::vector<Device> devices;
  for (int id = 0; id < 2; ++id) {
    Device gpu;
    gpu.name = {.type = "GPU", .id = id};
    gpu.key = fmt::format("gpu{}", id);
    gpu.host_dtypes = {DType::kInt32};
    devices.push_back(gpu);
  }
  Device cpu;
  cpu.name = {.type = "CPU", .id = 0};
  cpu.key = "cpu";
  cpu.is_host = true;
  devices.push_back(cpu);
  devices_ = DeviceSet(std::move(devices));
  BuildOn(
      "x = arg f32[4] t = TopK(x) {k: 2} a = Unary(t) {kind: Exp} b = Unary(t) {kind: Neg} "
      "c = Unary(t) {kind: Abs} d = Binary(b, a) {kind: Add} e = Gather(x, t:1) out = ret(d) "
      "two = ret(c) three = ret(e)",
      {{"a", "gpu0"}, {"b", "gpu1"}, {"c", "gpu1"}, {"d", "gpu1"}, {"e", "gpu0"}});
  Cut();
  EXPECT_THAT(Segments(), ElementsAre("cpu: t", "gpu0: a e", "gpu1: b c d"));
  // One Send from the device of t to each of the two others; t:1 is int32 and is sent to neither.
  EXPECT_THAT(Copies(), ElementsAre("t cpu>gpu0 before 1, 8 bytes", "x cpu>gpu0 before 1, 16 bytes",
                                    "t cpu>gpu1 before 2, 8 bytes", "a gpu0>gpu1 before 2, 8 bytes",
                                    "d gpu1>cpu before 3, 8 bytes", "c gpu1>cpu before 3, 8 bytes",
                                    "e gpu0>cpu before 3, 8 bytes"));
}

// tensorflow/core/graph/graph_partition_test.cc: GraphPartitionTest.PartitionIncompleteGraph
//
// TensorFlow graph row 69: partition
TEST_F(PartitionTest, Row69IncompleteGraph) {
  Build("x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(a)", {});
  for (const Edge* edge : graph_->edges())
    if (edge->dst->name() == "a" && !edge->IsControlEdge()) graph_->RemoveEdge(edge);
  const auto partition = MakePartition(*graph_, devices_, placement_);
  EXPECT_EQ(partition.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(partition.status().message()), "Incomplete graph, missing 1 inputs for a");
}

// Every step appears once and after the steps that it reads; neighbouring segments differ in
// device; exactly the necessary copies exist, after the step that makes the value and before its
// first reader.
void Check(const Graph& graph, const Placement& placement, const Partition& partition) {
  std::map<const Node*, int> segment_of, position;
  for (size_t i = 0; i < partition.segments.size(); ++i) {
    const Segment& segment = partition.segments[i];
    EXPECT_FALSE(segment.nodes.empty());
    if (i > 0) {
      EXPECT_NE(segment.device, partition.segments[i - 1].device);
    }
    for (const Node* node : segment.nodes) {
      EXPECT_EQ(placement.rows[node->id()].device, segment.device);
      EXPECT_TRUE(segment_of.emplace(node, i).second);
      position[node] = static_cast<int>(position.size());
    }
  }
  std::map<std::tuple<const Node*, int, int>, int> needed,
      made;  // value and destination -> position
  for (const Node* node : graph.op_nodes()) {
    EXPECT_EQ(segment_of.contains(node), node->node_class() == NodeClass::kOp);
    for (const Edge* edge : node->in_edges()) {
      if (!edge->src->IsOp()) continue;
      if (position.contains(edge->src) && position.contains(node)) {
        EXPECT_LT(position[edge->src], position[node]);
      }
      const int from = placement.rows[edge->src->id()].device;
      const int to = placement.rows[node->id()].device;
      if (from == to) continue;
      const int when = segment_of.contains(node) ? segment_of[node]
                                                 : static_cast<int>(partition.segments.size());
      const auto [it, added] = needed.emplace(std::tuple(edge->src, edge->src_output, to), when);
      if (!added) it->second = std::min(it->second, when);
    }
  }
  for (const Copy& copy : partition.copies) {
    EXPECT_NE(copy.from, copy.to);
    EXPECT_TRUE(made.emplace(std::tuple(copy.node, copy.output, copy.to), copy.before).second);
    if (segment_of.contains(copy.node)) {
      EXPECT_GT(copy.before, segment_of[copy.node]);
    }
  }
  EXPECT_EQ(made, needed);
}

TEST_F(PartitionTest, HoldsForRandomGraphs) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const int steps = 1 + static_cast<int>(random() % 25);
    std::string text = "n0 = arg f32[4]\n";
    std::set<std::string> on_gpu;
    for (int i = 1; i <= steps; ++i) {
      text += fmt::format("n{} = Binary(n{}, n{}) {{kind: Add}}\n", i, random() % i, random() % i);
      if (random() % 2 == 0) on_gpu.insert(fmt::format("n{}", i));
    }
    Build(text + fmt::format("out = ret(n{}) also = ret(n{})", steps, steps / 2), on_gpu);
    Cut();
    Check(*graph_, placement_, partition_);
  }
}

}  // namespace
}  // namespace linnet::converter

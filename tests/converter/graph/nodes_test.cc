// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "converter/graph/algorithm.h"
#include "converter/graph/graph.h"
#include "converter/graph/graph_def.h"
#include "converter/graph/node_class.h"
#include "converter/graph/tensorflow/function_library.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

class NodesTest : public TestOpsGraph {};

// tensorflow/core/graph/graph_test.cc: GraphTest.NodeIteration
// TensorFlow graph row 5: counts and iteration leave gaps out
TEST_F(NodesTest, IterationSkipsGaps) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "NoOp");
  Node* c = Add("C", "OneInput");
  graph_.RemoveNode(b);
  Add("D", "NoOp");
  graph_.AddEdge(a, 0, c, 0);
  graph_.RemoveNode(c);
  const std::set<std::string> want = {"_SOURCE", "_SINK", "A", "D"};
  std::set<std::string> by_id;
  for (int id = 0; id < graph_.num_node_ids(); ++id)
    if (const Node* node = graph_.FindNodeId(id); node != nullptr) by_id.insert(node->name());
  EXPECT_EQ(by_id, want);
  std::set<std::string> ops;
  for (const Node* node : graph_.op_nodes()) ops.insert(node->name());
  EXPECT_EQ(ops, (std::set<std::string>{"A", "D"}));
  EXPECT_EQ(graph_.num_nodes(), 4);
  EXPECT_EQ(graph_.num_op_nodes(), 2);
  EXPECT_EQ(graph_.num_node_ids(), 6);
}

// tensorflow/core/graph/graph_test.cc: GraphTest.Type
TEST_F(NodesTest, ANodeIsSourceSinkOrOp) {
  const Node* op = Add("A", "NoOp");
  for (const Node* node :
       {static_cast<const Node*>(graph_.source()), static_cast<const Node*>(graph_.sink()), op})
    EXPECT_EQ(node->IsSource() + node->IsSink() + node->IsOp(), 1) << node->name();
  EXPECT_TRUE(graph_.source()->IsSource());
  EXPECT_TRUE(graph_.sink()->IsSink());
  EXPECT_TRUE(op->IsOp());
}

// tensorflow/core/graph/graph_test.cc: GraphTest.BuildNodeNameIndex
// TensorFlow graph row 20: nodes by name
TEST_F(NodesTest, EveryNodeIsFoundByName) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneInputTwoOutputs");
  EXPECT_EQ(graph_.FindNode("_SOURCE"), graph_.source());
  EXPECT_EQ(graph_.FindNode("_SINK"), graph_.sink());
  EXPECT_EQ(graph_.FindNode("A"), a);
  EXPECT_EQ(graph_.FindNode("B"), b);
  EXPECT_EQ(graph_.FindNode("C"), nullptr);
}

// TensorFlow graph row 3: AddNode
TEST_F(NodesTest, TypesComeFromAttributesAndEdgesDoNot) {
  tf::NodeDef def = Def("x", "Identity", {"nowhere"});
  EXPECT_EQ(Message(graph_.AddNode(def).status()),
            "No attr named 'T' in NodeDef: {{node x}}");  // nothing was added
  EXPECT_EQ(graph_.num_op_nodes(), 0);
  (*def.mutable_attr())["T"].set_type(tf::DT_HALF);
  const Node* x = *graph_.AddNode(def);
  EXPECT_EQ(x->tf_input_types()[0], tf::DT_HALF);
  EXPECT_EQ(x->tf_output_types()[0], tf::DT_HALF);
  EXPECT_TRUE(x->in_edges().empty());
  EXPECT_NE((*graph_.AddNode(def))->id(), x->id());  // import checks names, not the graph
}

// TensorFlow graph row 18: device names
TEST_F(NodesTest, DevicesAreInternedAndTheAssignedOneWins) {
  EXPECT_EQ(graph_.InternDeviceName(""), 0);
  const int cpu = graph_.InternDeviceName("/device:CPU:0");
  EXPECT_EQ(graph_.InternDeviceName("/device:GPU:0"), cpu + 1);
  EXPECT_EQ(graph_.InternDeviceName("/device:CPU:0"), cpu);
  EXPECT_EQ(graph_.device_name(cpu), "/device:CPU:0");
  tf::NodeDef def = Def("x", "NoOp");
  def.set_device("/job:worker/cpu:0");
  Node* x = *graph_.AddNode(def);
  EXPECT_EQ(x->requested_device(), "/job:worker/cpu:0");
  EXPECT_EQ(x->assigned_device(), "");
  graph_.set_assigned_device(x, "/device:CPU:0");
  EXPECT_EQ(x->requested_device(), "/job:worker/cpu:0");
  EXPECT_EQ(ToNodeDef(*x).device(), "/device:CPU:0");
}

// TensorFlow graph row 19: IsValidOutputTensor, IsValidInputTensor
TEST_F(NodesTest, TensorsOfANode) {
  const Node* n = Add("N", "OneInputTwoOutputs");
  EXPECT_TRUE(graph_.IsValidOutputTensor(n, 1).ok());
  EXPECT_TRUE(graph_.IsValidInputTensor(n, 0).ok());
  absl::Status s = graph_.IsValidOutputTensor(n, 2);
  EXPECT_EQ(s.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(Message(s),
            "Node 'N' (type: 'OneInputTwoOutputs', num of outputs: 2) does not have output 2");
  s = graph_.IsValidInputTensor(n, 1);
  EXPECT_EQ(s.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(Message(s),
            "Node 'N' (type: 'OneInputTwoOutputs', num of inputs: 1) does not have input 1");
  EXPECT_EQ(Message(graph_.IsValidOutputTensor(nullptr, 0)), "Node is null");
}

// TensorFlow graph row 14: node classes
TEST_F(NodesTest, ClassesByOpName) {
  const struct {
    NodeClass node_class;
    std::vector<std::string> ops;
  } kClasses[] = {
      {NodeClass::kSwitch, {"Switch", "RefSwitch", "_SwitchN"}},
      {NodeClass::kMerge, {"Merge", "RefMerge", "_XlaMerge"}},
      {NodeClass::kEnter, {"Enter", "RefEnter"}},
      {NodeClass::kExit, {"Exit", "RefExit"}},
      {NodeClass::kNextIteration, {"NextIteration", "RefNextIteration"}},
      {NodeClass::kLoopCond, {"LoopCond"}},
      {NodeClass::kControlTrigger, {"ControlTrigger"}},
      {NodeClass::kSend, {"_Send", "_HostSend"}},
      {NodeClass::kRecv, {"_Recv", "_HostRecv"}},
      {NodeClass::kConstant, {"Const", "HostConst"}},
      {NodeClass::kVariable, {"Variable", "VariableV2"}},
      {NodeClass::kIdentity, {"Identity", "RefIdentity"}},
      {NodeClass::kMetadata, {"Size", "Shape", "Rank"}},
      {NodeClass::kFakeParam, {"FakeParam"}},
      {NodeClass::kPartitionedCall, {"PartitionedCall", "StatefulPartitionedCall"}},
      {NodeClass::kSymbolicGradient, {"SymbolicGradient"}},
      {NodeClass::kTfIf, {"If", "StatelessIf"}},
      {NodeClass::kTfWhile, {"While", "StatelessWhile"}},
      {NodeClass::kCase, {"Case", "StatelessCase"}},
      {NodeClass::kArg, {"_Arg", "_DeviceArg"}},
      {NodeClass::kRetval, {"_Retval", "_DeviceRetval"}},
      {NodeClass::kOther, {"Reshape", "ShapeN", "Conv2D", "TestMul"}},
  };
  for (const auto& [node_class, ops] : kClasses)
    for (const std::string& op : ops) EXPECT_EQ(NodeClassOf(op), node_class) << op;
}

// tensorflow/core/common_runtime/graph_constructor_test.cc: GraphConstructorTest.CopyGraph
// TensorFlow graph row 7: Copy
TEST_F(NodesTest, CopiesKeepVersions) {
  graph_.versions().set_producer(kGraphDefVersion - 1);
  graph_.versions().set_min_consumer(kGraphDefVersion - 2);
  graph_.versions().add_bad_consumers(kGraphDefVersion + 17);
  Graph copy(TestOps());
  copy.CopyFrom(graph_);
  EXPECT_EQ(copy.versions().producer(), kGraphDefVersion - 1);
  EXPECT_EQ(copy.versions().min_consumer(), kGraphDefVersion - 2);
  ASSERT_EQ(copy.versions().bad_consumers_size(), 1);
  EXPECT_EQ(copy.versions().bad_consumers(0), kGraphDefVersion + 17);
}

// TensorFlow graph row 1: functions need consumers that know them
TEST_F(NodesTest, FunctionsRaiseTheOldestConsumer) {
  EXPECT_EQ(graph_.versions().producer(), kGraphDefVersion);
  EXPECT_EQ(ToGraphDef(graph_).versions().min_consumer(), 0);
  tf::FunctionDef function;
  function.mutable_signature()->set_name("F");
  ASSERT_TRUE(graph_.functions().Add(function).ok());
  EXPECT_EQ(ToGraphDef(graph_).versions().min_consumer(), 12);
  graph_.versions().set_min_consumer(20);
  EXPECT_EQ(ToGraphDef(graph_).versions().min_consumer(), 20);
}

}  // namespace
}  // namespace linnet::converter

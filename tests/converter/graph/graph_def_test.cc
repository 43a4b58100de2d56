// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/graph_def.h"

#include <gtest/gtest.h>

#include "converter/graph/algorithm.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

// TensorFlow graph row 21: ToGraphDef
TEST(ToGraphDef, InputsBySlotThenControlsByName) {
  Graph graph(TestOps());
  Node* z = *graph.AddNode(Def("z", "OneOutput"));
  Node* a = *graph.AddNode(Def("a", "TestInput"));
  Node* mul = *graph.AddNode(Def("mul", "TestMul"));
  graph.AddControlEdge(z, mul);
  graph.AddControlEdge(a, mul);
  graph.AddEdge(a, 1, mul, 1);
  graph.AddEdge(z, 0, mul, 0);
  FixupSourceAndSinkEdges(&graph);
  const tf::GraphDef def = ToGraphDef(graph);
  ASSERT_EQ(def.node_size(), 3);
  const std::vector<std::string> inputs(def.node(2).input().begin(), def.node(2).input().end());
  EXPECT_EQ(inputs, (std::vector<std::string>{"z", "a:1", "^a", "^z"}));
  EXPECT_EQ(def.versions().producer(), graph.versions().producer());
}

TEST(ToGraphDef, MissingEdgesDevicesAndConstants) {
  Graph graph(TestOps());
  Node* mul = *graph.AddNode(Def("mul", "TestMul"));
  mul->set_requested_device("/cpu:0");
  EXPECT_EQ(ToNodeDef(*mul).input(0), "");
  EXPECT_EQ(ToNodeDef(*mul).device(), "/cpu:0");
  graph.set_assigned_device(mul, "/device:GPU:0");
  EXPECT_EQ(ToNodeDef(*mul).device(), "/device:GPU:0");
  Node* c = graph.AddConstant("c", Constant::Of<float>({2}, {1, 2}));
  const tf::TensorProto tensor = ToNodeDef(*c).attr().at("value").tensor();
  EXPECT_EQ(tensor.tensor_content().size(), 8u);
  EXPECT_EQ(tensor.dtype(), tf::DT_FLOAT);
  EXPECT_EQ(ToNodeDef(*c).attr().at("dtype").type(), tf::DT_FLOAT);
}

}  // namespace
}  // namespace linnet::converter

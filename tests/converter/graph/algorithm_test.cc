// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/algorithm.h"

#include <gtest/gtest.h>

#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "fmt/format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

std::string Names(const std::vector<Node*>& nodes) {
  std::string names;
  for (const Node* node : nodes) names += (names.empty() ? "" : " ") + node->name();
  return names;
}

// TensorFlow graph row 16: what is ready may run, the smallest id first
TEST(TopologicalOrder, SmallestIdFirstAmongReadyNodes) {
  Graph graph(TestOps());
  Node* mul = *graph.AddNode(Def("mul", "TestMul"));
  Node* b = *graph.AddNode(Def("b", "OneOutput"));
  Node* a = *graph.AddNode(Def("a", "OneOutput"));
  Node* last = *graph.AddNode(Def("last", "ABC"));
  graph.AddEdge(a, 0, mul, 0);
  graph.AddEdge(b, 0, mul, 1);
  graph.AddControlEdge(a, last);
  EXPECT_EQ(Names(TopologicalOrder(graph)), "b a mul last");
}

// tensorflow/core/graph/algorithm_test.cc: AlgorithmTest.ReversePostOrder
TEST(TopologicalOrder, ProducersAndControlsComeFirst) {
  auto graph = ParseGraph(
      "t3 = tf.TestMul(W2, input:1)\nt2 = tf.TestMul(W1, input:1, ^t1)\n"
      "t1 = tf.TestMul(W1, input:1)\ninput = tf.TestInput(^W1)\nW2 = tf.TestParams()\n"
      "W1 = tf.TestParams()",
      TestOps());
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(Names(TopologicalOrder(**graph)), "W2 W1 input t3 t1 t2");
}

// The order must not depend on where nodes lie in memory.
// tensorflow/core/graph/algorithm_test.cc: AlgorithmTest.ReversePostOrderStable
TEST(TopologicalOrder, IsTheSameEveryTime) {
  for (int others = 0; others < 100; ++others) {
    Graph graph(TestOps());
    Node* w = *graph.AddNode(Def("W1", "TestParams"));
    Node* input = *graph.AddNode(Def("input", "TestInput"));
    graph.AddControlEdge(w, input);
    const auto add = [&](const std::string& name) {
      Node* mul = *graph.AddNode(Def(name, "TestMul"));
      graph.AddEdge(w, 0, mul, 0);
      graph.AddEdge(input, 1, mul, 1);
    };
    add("t2");
    for (int i = 0; i < others; ++i) add(fmt::format("internal{}", i));
    add("t3");
    const std::string names = Names(TopologicalOrder(graph));
    EXPECT_TRUE(names.starts_with("W1 input t2")) << names;
    EXPECT_TRUE(names.ends_with(" t3")) << names;
  }
}

// An edge that closes a cycle: TensorFlow's callers filter it out, ours find nodes missing.
// tensorflow/core/graph/validate_test.cc: ValidateGraphHasNoCycleTest.CycleFails
TEST(TopologicalOrder, WhatIsOnACycleIsMissing) {
  Graph graph(TestOps());
  Node* a = *graph.AddNode(Def("A", "OneOutput"));
  Node* b = *graph.AddNode(Def("B", "TestMul"));
  graph.AddEdge(a, 0, b, 0);
  graph.AddEdge(b, 0, b, 1);
  EXPECT_EQ(Names(TopologicalOrder(graph)), "A");
  EXPECT_EQ(Message(VerifyGraph(graph)), "TestMul 'B': is on, or behind, a cycle of 1 nodes");
}

TEST(TopologicalOrder, LoopsEndAtTheirBackEdgeAndOtherCyclesAreLeftOut) {
  auto loop = ParseGraph(
      "z = const i32[] 0\ne = tf.Enter(z) {frame_name: \"f\"}\nm = tf.Merge(e, n)\nn = "
      "tf.NextIteration(m)");
  ASSERT_TRUE(loop.ok()) << loop.status();
  EXPECT_EQ(Names(TopologicalOrder(**loop)), "z e m n");
  auto cycle = ParseGraph("a = tf.Identity(b) {T: float}\nb = tf.Identity(a)\nc = tf.NoOp()");
  ASSERT_TRUE(cycle.ok()) << cycle.status();
  EXPECT_EQ(Names(TopologicalOrder(**cycle)), "c");
}

TEST(TopologicalOrder, IsNewAfterEachChange) {
  Graph graph(TestOps());
  Node* sum = *graph.AddNode(Def("sum", "TestMul"));
  Node* a = *graph.AddNode(Def("a", "OneOutput"));
  EXPECT_EQ(Names(TopologicalOrder(graph)), "sum a");
  graph.AddEdge(a, 0, sum, 0);
  EXPECT_EQ(Names(TopologicalOrder(graph)), "a sum");
  Node* b = *graph.AddNode(Def("b", "OneOutput"));
  EXPECT_EQ(Names(TopologicalOrder(graph)), "a sum b");
  const Edge* edge = graph.AddEdge(b, 0, sum, 1);
  EXPECT_EQ(Names(TopologicalOrder(graph)), "a b sum");
  graph.RemoveEdge(edge);
  EXPECT_EQ(Names(TopologicalOrder(graph)), "a sum b");
  graph.RemoveNode(a);
  EXPECT_EQ(Names(TopologicalOrder(graph)), "sum b");
}

// TensorFlow graph row 33: FixupSourceAndSinkEdges
TEST(FixupSourceAndSinkEdges, OnlyWhereThereAreNone) {
  Graph graph(TestOps());
  Node* a = *graph.AddNode(Def("a", "OneOutput"));
  Node* b = *graph.AddNode(Def("b", "OneInput"));
  graph.AddEdge(a, 0, b, 0);
  EXPECT_TRUE(FixupSourceAndSinkEdges(&graph));
  EXPECT_EQ(graph.num_edges(), 4);
  EXPECT_EQ(a->in_edges().front()->src, graph.source());
  EXPECT_EQ(b->out_edges().front()->dst, graph.sink());
  EXPECT_FALSE(FixupSourceAndSinkEdges(&graph));
}

// tensorflow/python/framework/graph_util_test.py: GraphUtilTest.testExtractSubGraph
TEST(PruneForReverseReachability, FollowsControlEdgesAndLoops) {
  auto graph = ParseGraph(
      "n1 = tf.TestRelu(n5)\nn2 = tf.TestRelu(n1)\nn3 = tf.NoOp(^n2)\nn4 = tf.NoOp()\n"
      "n5 = tf.TestRelu(n1)",
      TestOps());
  ASSERT_TRUE(graph.ok()) << graph.status();
  Node* const roots[] = {(*graph)->FindNode("n3")};
  EXPECT_TRUE(PruneForReverseReachability(graph->get(), roots));
  EXPECT_EQ(Names((*graph)->op_nodes()), "n1 n2 n3 n5");
}

// TensorFlow graph row 25: a subgraph by what is reachable
// TensorFlow graph row 53: reverse reachability
TEST(PruneForReverseReachability, KeepsWhatTheRootsNeed) {
  auto graph = ParseGraph(
      "x = arg f32[1]\nunused = arg f32[1]\nk = tf.NoOp()\na = Unary(x, ^k) {kind: Abs}\n"
      "b = Unary(x) {kind: Abs}\nr = ret(a)");
  ASSERT_TRUE(graph.ok()) << graph.status();
  Node* const roots[] = {(*graph)->FindNode("r")};
  EXPECT_TRUE(PruneForReverseReachability(graph->get(), roots));
  EXPECT_EQ(Names(TopologicalOrder(**graph)), "x unused k a r");
  EXPECT_FALSE(PruneForReverseReachability(graph->get(), roots));
  EXPECT_TRUE(PruneForReverseReachability(graph->get(), roots, /*keep_args=*/false));
  EXPECT_EQ((*graph)->FindNode("unused"), nullptr);
}

}  // namespace
}  // namespace linnet::converter

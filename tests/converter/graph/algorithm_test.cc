// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/algorithm.h"

#include <gtest/gtest.h>

#include "converter/graph/text.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

std::string Names(const std::vector<Node*>& nodes) {
  std::string names;
  for (const Node* node : nodes) names += (names.empty() ? "" : " ") + node->name();
  return names;
}

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

TEST(TopologicalOrder, AnotherOneAfterEachChange) {
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

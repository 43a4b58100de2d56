// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "converter/graph/graph.h"
#include "converter/graph/graph_def.h"
#include "fmt/format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

class EdgesTest : public TestOpsGraph {
 protected:
  // "from>to" for each edge of the graph, sorted, by node ids.
  std::string Ids() const {
    std::vector<std::string> edges;
    for (const Edge* edge : graph_.edges())
      edges.push_back(fmt::format("{}>{}", edge->src->id(), edge->dst->id()));
    std::sort(edges.begin(), edges.end());
    std::string text;
    for (const std::string& edge : edges) text += (text.empty() ? "" : " ") + edge;
    return text;
  }
  static std::string Neighbours(const Node& node) {
    std::vector<std::string> in, out;
    for (const Edge* edge : node.in_edges()) in.push_back(edge->src->name());
    for (const Edge* edge : node.out_edges()) out.push_back(edge->dst->name());
    std::sort(in.begin(), in.end());
    std::sort(out.begin(), out.end());
    std::string text;
    for (const std::string& name : in) text += name + " ";
    text += "->";
    for (const std::string& name : out) text += " " + name;
    return text;
  }
  static std::vector<std::string> Inputs(const Node& node) {
    const tf::NodeDef def = ToNodeDef(node);
    return {def.input().begin(), def.input().end()};
  }
  using Strings = std::vector<std::string>;
};

// tensorflow/core/graph/graph_test.cc: GraphTest.InNodesAndOutNodes
// TensorFlow graph row 6: RemoveNode takes its edges along
TEST_F(EdgesTest, NodesKnowTheirNeighbours) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "NoOp");
  Node* c = Add("C", "OneInput");
  graph_.RemoveNode(b);
  Node* d = Add("D", "NoOp");
  const Edge* from_source = graph_.AddControlEdge(graph_.source(), a);
  graph_.AddControlEdge(a, graph_.sink());
  graph_.AddEdge(a, 0, c, 0);
  graph_.AddControlEdge(c, graph_.sink());
  EXPECT_EQ(Neighbours(*a), "_SOURCE -> C _SINK");
  EXPECT_EQ(Neighbours(*c), "A -> _SINK");
  EXPECT_EQ(Neighbours(*d), "->");
  EXPECT_EQ(Neighbours(*graph_.source()), "-> A _SINK");
  EXPECT_EQ(Neighbours(*graph_.sink()), "A C _SOURCE ->");

  graph_.RemoveEdge(from_source);
  EXPECT_EQ(Neighbours(*a), "-> C _SINK");
  EXPECT_EQ(Neighbours(*graph_.source()), "-> _SINK");
  graph_.RemoveNode(c);
  EXPECT_EQ(Neighbours(*a), "-> _SINK");
  EXPECT_EQ(Neighbours(*graph_.sink()), "A _SOURCE ->");
  EXPECT_EQ(graph_.num_node_ids(), 6);
  EXPECT_EQ(graph_.num_edge_ids(), 5);
  EXPECT_EQ(graph_.num_edges(), 2);
}

// tensorflow/core/graph/graph_test.cc: GraphTest.NodeByIndex
// TensorFlow graph row 13: inputs by slot
TEST_F(EdgesTest, InputsBySlot) {
  Node* a = Add("A", "OneOutput");
  Node* c = Add("C", "OneInput");
  graph_.AddEdge(a, 0, c, 0);
  EXPECT_EQ(*c->input_node(0), a);
  const Edge* edge = *c->input_edge(0);
  EXPECT_EQ(edge->src, a);
  EXPECT_EQ(edge->dst, c);
  EXPECT_EQ(edge->src_output, 0);
  EXPECT_EQ(edge->dst_input, 0);

  Node* t = Add("T", "TwoInputsOneOutput");
  graph_.AddEdge(a, 0, t, 0);
  graph_.AddEdge(t, 0, t, 1);  // a node may read itself while a loop is being built
  EXPECT_EQ(*t->input_node(0), a);
  EXPECT_EQ(*t->input_node(1), t);
  EXPECT_EQ((*t->input_edge(1))->dst_input, 1);
  EXPECT_EQ(c->input_node(1).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(c->input_node(-1).status().code(), absl::StatusCode::kOutOfRange);

  graph_.RemoveNode(a);
  EXPECT_EQ(c->input_node(0).status().code(), absl::StatusCode::kInvalidArgument);
  const Edge* first = graph_.AddEdge(Add("A_new", "OneOutput"), 0, c, 0);
  Node* b_new = Add("B_new", "OneOutput");
  const Edge* second = graph_.AddEdge(b_new, 0, c, 0);
  graph_.RemoveEdge(first);
  EXPECT_EQ(*c->input_edge(0), second);
  EXPECT_EQ(c->input(0), (Output{b_new, 0}));
}

// tensorflow/core/graph/graph_test.cc: GraphTest.EdgeIteration
// TensorFlow graph row 8: AddEdge
// TensorFlow graph row 15: Edge
TEST_F(EdgesTest, EdgesOfTheGraph) {
  EXPECT_EQ(Ids(), "0>1");
  Node* a = Add("A", "OneInputTwoOutputs");
  Node* b = Add("B", "OneInput");
  EXPECT_EQ(Ids(), "0>1");
  const Edge* data = graph_.AddEdge(a, 1, b, 0);
  EXPECT_EQ(Ids(), "0>1 2>3");
  EXPECT_EQ(data->id, 1);
  EXPECT_EQ(data->src_output, 1);
  EXPECT_FALSE(data->IsControlEdge());
  const Edge* control = graph_.AddControlEdge(graph_.source(), a);
  EXPECT_EQ(control->src_output, kControlSlot);
  EXPECT_EQ(control->dst_input, kControlSlot);
  graph_.AddControlEdge(b, graph_.sink());
  EXPECT_EQ(Ids(), "0>1 0>2 2>3 3>1");
  graph_.AddEdge(a, 1, a, 0);
  EXPECT_EQ(Ids(), "0>1 0>2 2>2 2>3 3>1");
  EXPECT_EQ(graph_.num_edges(), 5);
}

// tensorflow/core/graph/graph_test.cc: GraphTest.AddControlEdge
// TensorFlow graph row 9: AddControlEdge
TEST_F(EdgesTest, ControlEdgesAreInputsOfTheNodeDef) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneInputTwoOutputs");
  Node* c = Add("C", "NoOp");
  graph_.AddEdge(a, 0, b, 0);
  const Edge* edge = graph_.AddControlEdge(c, a);
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->src, c);
  EXPECT_EQ(edge->dst, a);
  EXPECT_EQ(Inputs(*a), Strings{"^C"});

  EXPECT_NE(graph_.AddControlEdge(a, b), nullptr);  // parallel to a data edge
  EXPECT_EQ(Inputs(*b), (Strings{"A", "^A"}));
  EXPECT_EQ(graph_.AddControlEdge(a, b), nullptr);
  EXPECT_EQ(Inputs(*b), (Strings{"A", "^A"}));
  EXPECT_NE(graph_.AddControlEdge(graph_.source(), b), nullptr);
  EXPECT_EQ(Inputs(*b), (Strings{"A", "^A"}));
  EXPECT_EQ(graph_.AddControlEdge(graph_.source(), b), nullptr);
}

// Only callers that remove them later may add a duplicate; a NodeDef names each control input once.
TEST_F(EdgesTest, DuplicateControlEdgesAreOneInput) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "NoOp");
  graph_.AddControlEdge(a, b);
  EXPECT_NE(graph_.AddControlEdge(a, b, /*allow_duplicates=*/true), nullptr);
  EXPECT_EQ(b->in_edges().size(), 2u);
  EXPECT_EQ(Inputs(*b), Strings{"^A"});
}

// tensorflow/core/graph/graph_test.cc: GraphTest.RemoveControlEdge
// TensorFlow graph row 10: RemoveControlEdge
TEST_F(EdgesTest, RemovedControlEdgesAreNoInputs) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneInputTwoOutputs");
  Node* c = Add("C", "NoOp");
  graph_.AddEdge(a, 0, b, 0);
  const Edge* c_to_a = graph_.AddControlEdge(c, a);
  const Edge* a_to_b = graph_.AddControlEdge(a, b);
  graph_.RemoveControlEdge(c_to_a);
  EXPECT_EQ(Inputs(*a), Strings{});
  EXPECT_EQ(Inputs(*b), (Strings{"A", "^A"}));
  graph_.RemoveControlEdge(a_to_b);
  EXPECT_EQ(Inputs(*b), Strings{"A"});
  const Edge* again = graph_.AddControlEdge(c, a);
  ASSERT_NE(again, nullptr);
  graph_.RemoveControlEdge(again);
  EXPECT_EQ(Inputs(*a), Strings{});
}

// tensorflow/core/graph/edgeset_test.cc: EdgeSetTest.Ops
// tensorflow/core/graph/edgeset_test.cc: EdgeSetTest.Exists
TEST_F(EdgesTest, AnyOfManyEdgesMayBeRemoved) {
  for (const int count : {1, 2, 3, 4, 10}) {
    for (int gone = 0; gone < count; ++gone) {
      Graph graph(TestOps());
      Node* hub = *graph.AddNode(Def("hub", "NoOp"));
      std::vector<const Edge*> edges;
      for (int i = 0; i < count; ++i)
        edges.push_back(
            graph.AddControlEdge(*graph.AddNode(Def(fmt::format("n{}", i), "NoOp")), hub));
      ASSERT_EQ(hub->in_edges().size(), static_cast<size_t>(count));
      graph.RemoveEdge(edges[static_cast<size_t>(gone)]);
      std::vector<std::string> left;
      for (const Edge* edge : hub->in_edges()) left.push_back(edge->src->name());
      std::sort(left.begin(), left.end());
      std::vector<std::string> want;
      for (int i = 0; i < count; ++i)
        if (i != gone) want.push_back(fmt::format("n{}", i));
      EXPECT_EQ(left, want) << count << " without " << gone;
    }
  }
}

}  // namespace
}  // namespace linnet::converter

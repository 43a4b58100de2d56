// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/graph.h"

#include <gtest/gtest.h>

#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/function_library.h"
#include "runtime/ops/all_attrs.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

class GraphTest : public TestOpsGraph {};

// tensorflow/core/graph/graph_test.cc: GraphTest.Constructor
// TensorFlow graph row 1: a new graph
TEST_F(GraphTest, NewGraphHasSourceAndSink) {
  EXPECT_EQ(graph_.source()->id(), 0);
  EXPECT_EQ(graph_.sink()->id(), 1);
  EXPECT_EQ(graph_.source()->name(), "_SOURCE");
  EXPECT_EQ(graph_.sink()->op_name(), "NoOp");
  EXPECT_EQ(graph_.num_nodes(), 2);
  EXPECT_EQ(graph_.num_op_nodes(), 0);
  ASSERT_EQ(graph_.num_edges(), 1);
  EXPECT_TRUE(graph_.edges()[0]->IsControlEdge());
  EXPECT_EQ(graph_.device_name(0), "");
}

// TensorFlow graph row 2: unknown ops
TEST_F(GraphTest, UnknownOp) {
  const absl::StatusOr<Node*> node = graph_.AddNode(Def("x", "NoSuchOp"));
  EXPECT_EQ(node.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(Message(node.status()).find("Op type not registered 'NoSuchOp' in binary running on "),
            std::string::npos);
  EXPECT_EQ(graph_.num_op_nodes(), 0);
}

// tensorflow/core/graph/graph_test.cc: GraphTest.RemoveThenAdd
// TensorFlow graph row 4: ids only grow
TEST_F(GraphTest, IdsGrowAndGapsStay) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneInput");
  EXPECT_EQ(a->id(), 2);
  EXPECT_EQ(b->id(), 3);
  graph_.AddEdge(a, 0, b, 0);
  graph_.RemoveNode(a);
  EXPECT_EQ(graph_.num_nodes(), 3);
  EXPECT_EQ(graph_.num_node_ids(), 4);
  EXPECT_EQ(graph_.FindNodeId(2), nullptr);
  EXPECT_EQ(graph_.num_edges(), 1);
  EXPECT_EQ(graph_.num_edge_ids(), 2);
  EXPECT_TRUE(b->in_edges().empty());
  EXPECT_EQ(Add("C", "OneOutput")->id(), 4);
  EXPECT_EQ(graph_.op_nodes().size(), 2u);
}

TEST_F(GraphTest, NamesNeedNotBeUniqueAndTheLastOneIsFound) {
  Add("dup", "OneOutput");
  Node* second = Add("dup", "OneOutput");
  EXPECT_EQ(graph_.FindNode("dup"), second);
  graph_.RemoveNode(second);
  EXPECT_EQ(graph_.FindNode("dup")->id(), 2);
  EXPECT_EQ(graph_.FindNode("none"), nullptr);
}

// tensorflow/core/graph/graph_test.cc: GraphTest.NewName
// TensorFlow graph row 17: NewName
// TensorFlow graph row 41: unique names
TEST_F(GraphTest, UniqueNames) {
  Add("a", "OneOutput");
  EXPECT_EQ(graph_.UniqueName("b"), "b");
  EXPECT_EQ(graph_.UniqueName("a"), "a/_1");
  EXPECT_EQ(graph_.UniqueName("a"), "a/_1");
  Node* b = Add("a/_1", "OneOutput");
  EXPECT_EQ(graph_.UniqueName("a"), "a/_2");
  EXPECT_EQ(graph_.NewName("a"), "a/_0");
  EXPECT_EQ(graph_.NewName("b"), "b/_1");
  graph_.Rename(b, "c");
  EXPECT_EQ(graph_.FindNode("c"), b);
  EXPECT_EQ(graph_.FindNode("a/_1"), nullptr);
}

TEST_F(GraphTest, ControlEdges) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneInput");
  const Edge* edge = graph_.AddControlEdge(a, b);
  ASSERT_NE(edge, nullptr);
  EXPECT_TRUE(edge->IsControlEdge());
  EXPECT_EQ(graph_.AddControlEdge(a, b), nullptr);
  EXPECT_NE(graph_.AddControlEdge(a, b, /*allow_duplicates=*/true), nullptr);
  EXPECT_NE(graph_.AddEdge(a, 0, b, 0), nullptr);  // parallel to a data edge is fine
  EXPECT_EQ(b->in_edges().size(), 3u);
  graph_.RemoveControlEdge(edge);
  EXPECT_EQ(b->in_edges().size(), 2u);
}

// Every reader's name, in the order of Uses.
std::string Readers(const Node* node) {
  std::string names;
  for (const Edge* edge : node->Uses()) names += edge->dst->name();
  return names;
}

TEST_F(GraphTest, UsesKeepTheirOrderAfterRemovals) {
  Node* a = Add("A", "OneOutput");
  std::vector<Node*> readers;
  for (const char* name : {"b", "c", "d", "e", "f"}) {
    readers.push_back(Add(name, "OneInput"));
    graph_.AddEdge(a, 0, readers.back(), 0);
  }
  EXPECT_EQ(Readers(a), "bcdef");
  graph_.RemoveNode(readers[2]);
  EXPECT_EQ(Readers(a), "bcef");
  graph_.RemoveNode(readers[0]);
  graph_.RemoveNode(readers[4]);
  EXPECT_EQ(Readers(a), "ce");
  EXPECT_EQ(a->out_edges().size(), 2u);
  graph_.RemoveEdge(a->out_edges().front());
  graph_.AddEdge(a, 0, readers[1], 0);
  EXPECT_EQ(Readers(a), "ec");
  graph_.RemoveNode(readers[3]);
  graph_.RemoveNode(readers[1]);
  EXPECT_TRUE(a->out_edges().empty());
}

TEST_F(GraphTest, SecondEdgeOnASlotMovesUp) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneOutput");
  Node* sum = Add("S", "TwoInputsOneOutput");
  const Edge* first = graph_.AddEdge(a, 0, sum, 0);
  graph_.AddEdge(a, 0, sum, 1);
  const Edge* second = graph_.AddEdge(b, 0, sum, 0);
  graph_.RemoveEdge(first);
  EXPECT_EQ(sum->input(0), (Output{b, 0}));
  const Edge* third = graph_.AddEdge(a, 0, sum, 0);
  graph_.RemoveEdge(third);
  EXPECT_EQ(sum->input(0), (Output{b, 0}));
  graph_.RemoveEdge(second);
  EXPECT_FALSE(sum->input(0));
  EXPECT_EQ(sum->input(1), (Output{a, 0}));
}

// tensorflow/core/graph/graph_test.cc: GraphTest.InputEdges
TEST_F(GraphTest, InputEdges) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "TwoInputsOneOutput");
  graph_.AddEdge(a, 0, b, 0);
  EXPECT_EQ(*b->input_node(0), a);
  EXPECT_EQ(Message(b->input_edge(1).status()), "Missing edge input number: 1");
  EXPECT_EQ(b->input_edge(1).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(b->input_edge(2).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(b->input_node(-1).status().code(), absl::StatusCode::kOutOfRange);
  graph_.AddEdge(a, 0, b, 0);
  EXPECT_EQ(b->input_edge(0).status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(Message(b->input_edge(0).status()), "Duplicate edge input number: 0");
  EXPECT_FALSE(b->input(1));
}

// tensorflow/core/graph/graph_test.cc: GraphTest.UpdateEdge
// TensorFlow graph row 11: UpdateEdge
TEST_F(GraphTest, UpdateEdge) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneInputTwoOutputs");
  Node* c = Add("C", "TwoInputsOneOutput");
  Node* d = Add("D", "OneInput");
  graph_.AddEdge(a, 0, b, 0);
  graph_.AddEdge(a, 0, c, 0);
  graph_.AddEdge(b, 0, d, 0);
  EXPECT_TRUE(graph_.UpdateEdge(a, 0, d, 0).ok());
  EXPECT_EQ(d->input(0), (Output{a, 0}));
  EXPECT_EQ(b->NumUses(0), 0);
  EXPECT_TRUE(graph_.UpdateEdge(b, 1, d, 0).ok());
  EXPECT_EQ(b->NumUses(1), 1);
  absl::Status s = graph_.UpdateEdge(a, 1, d, 0);
  EXPECT_EQ(s.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(Message(s), "Node 'A' (type: 'OneOutput', num of outputs: 1) does not have output 1");
  s = graph_.UpdateEdge(c, 0, a, 0);
  EXPECT_EQ(s.code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(Message(s), "Node 'A' (type: 'OneOutput', num of inputs: 0) does not have input 0");
  s = graph_.UpdateEdge(a, 0, c, 1);
  EXPECT_EQ(s.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Message(s), "Couldn't find edge to {{node C}}");
}

// tensorflow/core/graph/graph_test.cc: GraphTest.IsValidNode
// TensorFlow graph row 19: IsValidNode
TEST_F(GraphTest, IsValidNode) {
  Graph other(TestOps());
  EXPECT_EQ(Message(graph_.IsValidNode(nullptr)), "Node is null");
  Add("A", "OneOutput");
  Node* b1 = *other.AddNode(Def("B1", "OneOutput"));
  EXPECT_EQ(
      Message(graph_.IsValidNode(b1)),
      "Node with id 2 is different from the passed in node. Does it belong to a different graph?");
  Node* b2 = *other.AddNode(Def("B2", "OneOutput"));
  EXPECT_EQ(Message(graph_.IsValidNode(b2)), "node id 3 is >= than number of nodes in graph 3");
  EXPECT_TRUE(other.IsValidNode(b2).ok());
}

// tensorflow/core/graph/graph_test.cc: GraphTest.AddAttr
// TensorFlow graph row 7: CopyNode
TEST_F(GraphTest, CopyNodeSharesUntilAWrite) {
  Node* a = Add("A", "TestDefaultAttr");
  Node* b = graph_.CopyNode(a);
  EXPECT_EQ(b->name(), "A");
  EXPECT_EQ(b->cost_id(), a->id());
  tf::AttrValue value;
  value.set_i(1);
  b->SetAttr("default_int", value);
  EXPECT_EQ(a->FindAttr("default_int"), nullptr);
  EXPECT_EQ(b->FindAttr("default_int")->i(), 1);
  b->ClearAttr("default_int");
  EXPECT_EQ(b->FindAttr("default_int"), nullptr);
}

TEST_F(GraphTest, CopyFromCompactsIds) {
  Node* a = Add("A", "OneOutput");
  graph_.RemoveNode(Add("gone", "OneOutput"));
  Node* b = Add("B", "OneInput");
  graph_.AddEdge(a, 0, b, 0);
  graph_.set_assigned_device(b, "/device:CPU:0");
  graph_.versions().set_producer(7);
  FixupSourceAndSinkEdges(&graph_);
  Graph copy(TestOps());
  copy.CopyFrom(graph_);
  EXPECT_EQ(copy.num_node_ids(), 4);
  EXPECT_EQ(copy.FindNode("B")->id(), 3);
  EXPECT_EQ(copy.FindNode("B")->input(0).node, copy.FindNode("A"));
  EXPECT_EQ(copy.FindNode("B")->assigned_device(), "/device:CPU:0");
  EXPECT_EQ(copy.num_edges(), graph_.num_edges());
  EXPECT_EQ(copy.versions().producer(), 7);
}

TEST_F(GraphTest, ReplaceNodeMovesUsesAndControls) {
  Node* a = Add("A", "OneOutput");
  Node* identity = Add("I", "OneInputTwoOutputs");
  Node* user = Add("U", "TwoInputsOneOutput");
  Node* later = Add("L", "ABC");
  graph_.AddEdge(a, 0, identity, 0);
  graph_.AddEdge(identity, 0, user, 0);
  graph_.AddEdge(identity, 1, user, 1);
  graph_.AddControlEdge(identity, later);
  const Output to[] = {{a, 0}, {a, 0}};
  graph_.ReplaceNode(identity, to);
  EXPECT_EQ(user->input(0), (Output{a, 0}));
  EXPECT_EQ(user->input(1), (Output{a, 0}));
  ASSERT_EQ(later->in_edges().size(), 1u);
  EXPECT_EQ(later->in_edges().front()->src, a);
  EXPECT_EQ(graph_.FindNode("I"), nullptr);
}

TEST_F(GraphTest, ReplaceNodeByNothingPassesItsControlsOn) {
  Node* before = Add("B", "ABC");
  Node* noop = Add("N", "NoOp");
  Node* after = Add("A", "ABC");
  graph_.AddControlEdge(before, noop);
  graph_.AddControlEdge(noop, after);
  graph_.ReplaceNode(noop, {});
  ASSERT_EQ(after->in_edges().size(), 1u);
  EXPECT_EQ(after->in_edges().front()->src, before);
}

TEST_F(GraphTest, LinnetOpsInferTheirTypes) {
  Node* x = graph_.AddArg("x", 0, {DType::kFloat32, {1, 4}});
  absl::StatusOr<Node*> y = graph_.AddOp("y", UnaryAttrs{.kind = schema::UnaryKind::Abs}, {{x, 0}});
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_TRUE((*y)->Is<UnaryAttrs>());
  EXPECT_EQ((*y)->op_name(), "Unary");
  EXPECT_EQ((*y)->type(), (TensorType{DType::kFloat32, {1, 4}}));
  EXPECT_EQ((*y)->Describe(), "Unary 'y'");
  x->set_type(0, {DType::kFloat32, {2, 2}});
  EXPECT_TRUE(graph_.InferNode(*y).ok());
  EXPECT_EQ((*y)->type().shape, (Shape{2, 2}));
  Node* unknown = graph_.AddArg("u", 1, {});
  const absl::Status s =
      graph_.AddOp("z", UnaryAttrs{.kind = schema::UnaryKind::Abs}, {{unknown, 0}}).status();
  EXPECT_EQ(Message(s), "Unary 'z': the type of input 0 ('u') is not known");
  EXPECT_EQ(graph_.FindNode("z"), nullptr);
}

// Types that the shape rule does not look at, but for which a plan would be refused.
TEST_F(GraphTest, LinnetOpsTakeOnlyAttributesThatPlansMayHave) {
  Node* x = graph_.AddArg("x", 0, {DType::kFloat32, {2, 2}});
  EXPECT_EQ(Message(graph_.AddOp("y", TransposeAttrs{.perm = {1, 1}}, {{x, 0}}).status()),
            "Transpose 'y': Transpose: perm must be a permutation");
  ASSERT_TRUE(graph_.AddOp("z", TransposeAttrs{.perm = {1, 0}}, {{x, 0}}).ok());
}

TEST_F(GraphTest, TurnIntoConstantKeepsControlEdges) {
  Node* x = graph_.AddArg("x", 0, {DType::kFloat32, {2}});
  Node* before = Add("B", "ABC");
  Node* y = *graph_.AddOp("y", UnaryAttrs{.kind = schema::UnaryKind::Abs}, {{x, 0}});
  graph_.AddControlEdge(before, y);
  graph_.AddRetval("r", 0, {y, 0});
  graph_.TurnIntoConstant(y, Constant::Of<float>({2}, {1, 2}));
  EXPECT_TRUE(y->IsConstant());
  EXPECT_EQ(y->num_inputs(), 0);
  EXPECT_EQ(y->in_edges().size(), 1u);
  EXPECT_EQ(y->NumUses(), 1);
  EXPECT_EQ(y->tf_output_types()[0], tf::DT_FLOAT);
}

TEST_F(GraphTest, SourcesAreAUnionInOrder) {
  Node* a = Add("A", "OneOutput");
  Node* b = Add("B", "OneOutput");
  a->set_sources({"x", "y"});
  b->set_sources({"y", "z"});
  a->AddSources(*b);
  EXPECT_EQ(a->sources(), (std::vector<std::string>{"x", "y", "z"}));
}

TEST_F(GraphTest, NodeClasses) {
  EXPECT_EQ(Add("a", "NoOp")->node_class(), NodeClass::kNoOp);
  tf::NodeDef shape = Def("s", "Shape");
  (*shape.mutable_attr())["T"].set_type(tf::DT_FLOAT);
  (*shape.mutable_attr())["out_type"].set_type(tf::DT_INT32);
  EXPECT_EQ((*graph_.AddNode(shape))->node_class(), NodeClass::kMetadata);
  tf::FunctionDef f;
  f.mutable_signature()->set_name("F");
  ASSERT_TRUE(graph_.functions().Add(f).ok());
  EXPECT_EQ(Add("f", "F")->node_class(), NodeClass::kFunctionCall);
}

}  // namespace
}  // namespace linnet::converter

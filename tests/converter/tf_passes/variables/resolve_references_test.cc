// SPDX-License-Identifier: Apache-2.0
// What the pass does to the graph; state_references_test.cc runs the results.
#include <algorithm>

#include "converter/pass/passes.h"
#include "gmock/gmock.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

constexpr char kVariable[] = R"(
    x = arg f32[2]
    p = arg 1 bool[]
    v = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[2]})";

int Count(const Graph& graph, std::string_view op) {
  return static_cast<int>(std::ranges::count_if(
      graph.op_nodes(), [&](const Node* node) { return node->op_name() == op; }));
}

// The graph after the pass; a second run of the pass must change nothing.
std::unique_ptr<Graph> Resolve(const std::string& nodes) {
  std::unique_ptr<Graph> graph = Parse(kVariable + nodes);
  const absl::StatusOr<int> changes = ResolveReferences(*graph, PassContext());
  EXPECT_TRUE(changes.ok()) << changes.status();
  EXPECT_EQ(*ResolveReferences(*graph, PassContext()), 0);
  return graph;
}

TEST(ResolveReferences, ReadOnlyVariablesAreUnchanged) {
  const auto graph = Resolve(R"(
    y = tf.Neg(v)
    out = ret(y))");
  EXPECT_EQ(Count(*graph, "VariableV2"), 1);
  EXPECT_EQ(Count(*graph, "VarHandleOp"), 0);
}

TEST(ResolveReferences, AssignmentsGoThroughAHandle) {
  const auto graph = Resolve(R"(
    a = tf.Assign(v, x)
    b = tf.AssignAdd(v, x, ^a)
    c = tf.AssignSub(v, x, ^b)
    y = tf.Neg(v, ^c)
    out = ret(y))");
  EXPECT_EQ(Count(*graph, "VariableV2"), 0);
  EXPECT_EQ(Count(*graph, "VarHandleOp"), 1);
  EXPECT_EQ(Count(*graph, "AssignVariableOp"), 1);
  EXPECT_EQ(Count(*graph, "AssignAddVariableOp"), 1);
  EXPECT_EQ(Count(*graph, "AssignSubVariableOp"), 1);
  // Nodes that read the reference now read the value, after everything that it waited for.
  const Node* read = graph->FindNode("y")->input(0).node;
  EXPECT_EQ(read->op_name(), "ReadVariableOp");
  EXPECT_TRUE(std::ranges::any_of(read->in_edges(), [](const Edge* edge) {
    return edge->IsControlEdge() && edge->src->op_name() == "AssignSubVariableOp";
  }));
}

TEST(ResolveReferences, SwitchesOfReferencesPassHandlesOn) {
  const auto graph = Resolve(R"(
    a = tf.Assign(v, x)
    s = tf.RefSwitch(v, p, ^a)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n)
    out = ret(m))");
  EXPECT_EQ(Count(*graph, "RefSwitch"), 0);
  EXPECT_EQ(Count(*graph, "Switch"), 1);
}

TEST(ResolveReferences, OtherChangesAreRefused) {
  const auto graph = Parse(std::string(kVariable) + R"(
    s = tf.ScatterUpdate(v, const i32[1] {0}, const f32[1] {1})
    out = ret(s))");
  const absl::Status status = ResolveReferences(*graph, PassContext()).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("ScatterUpdate"));
}

}  // namespace
}  // namespace linnet::converter

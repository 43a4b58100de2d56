// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/session_state.h"
#include "converter/pass/passes.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(CopyFetchedState, OutputsAreNotTheStateItself) {
  const std::unique_ptr<Graph> graph = Parse(R"(
    x = arg f32[2]
    out = ret(x))");
  Node* a = AddState(graph.get(), "a", {DType::kFloat32, {2}});
  AddNextState(graph.get(), "b", {a, 0});
  AddNextState(graph.get(), "a", {graph->FindNode("x"), 0});
  AddState(graph.get(), "b", {DType::kFloat32, {2}});
  EXPECT_EQ(*CopyFetchedState(*graph, PassContext()), 1);
  EXPECT_EQ(*CopyFetchedState(*graph, PassContext()), 0);
}

TEST(CopyFetchedState, OtherOutputsStay) {
  const std::unique_ptr<Graph> graph = Parse(R"(
    x = arg f32[2]
    y = Unary(x) {kind: Neg}
    out = ret(y)
    out2 = ret 1(x))");
  AddState(graph.get(), "a", {DType::kFloat32, {2}});
  AddNextState(graph.get(), "a", {graph->FindNode("y"), 0});
  const int nodes = graph->num_op_nodes();
  EXPECT_EQ(*CopyFetchedState(*graph, PassContext()), 0);
  EXPECT_EQ(graph->num_op_nodes(), nodes);
}

}  // namespace
}  // namespace linnet::converter

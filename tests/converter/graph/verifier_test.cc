// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/text/text.h"
#include "runtime/ops/all_attrs.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

class VerifierTest : public testing::Test {
 protected:
  void SetUp() override {
    auto graph = ParseGraph(
        "x = arg f32[2,3]\ny = Unary(x) {kind: Abs}\nk = const f32[2] {1, 2}\nr = ret(y)");
    ASSERT_TRUE(graph.ok()) << graph.status();
    graph_ = *std::move(graph);
    ASSERT_TRUE(VerifyGraph(*graph_).ok()) << VerifyGraph(*graph_);
  }
  void ExpectBroken(std::string_view part) {
    EXPECT_EQ(VerifyGraph(*graph_).code(), absl::StatusCode::kInternal);
    EXPECT_THAT(Message(VerifyGraph(*graph_)), HasSubstr(std::string(part)));
  }
  std::unique_ptr<Graph> graph_;
};

TEST_F(VerifierTest, Types) {
  graph_->FindNode("x")->set_type(0, {DType::kFloat32, {5}});
  ExpectBroken("Unary 'y': the type of output 0 is not what its rule says");
}

TEST_F(VerifierTest, Rule) {
  graph_->FindNode("y")->mutable_attrs<UnaryAttrs>().kind = schema::UnaryKind::LogicalNot;
  ExpectBroken("Unary 'y': ");
}

TEST_F(VerifierTest, MissingInput) {
  graph_->RemoveEdge(graph_->FindNode("y")->in_edges().front());
  ExpectBroken("Unary 'y': input 0 has 0 edges, want 1");
}

TEST_F(VerifierTest, TwoEdgesOnOneSlot) {
  graph_->AddEdge(graph_->FindNode("k"), 0, graph_->FindNode("y"), 0);
  ExpectBroken("Unary 'y': input 0 has 2 edges, want 1");
}

TEST_F(VerifierTest, NoSuchOutput) {
  graph_->RemoveEdge(graph_->FindNode("r")->in_edges().front());
  graph_->AddEdge(graph_->FindNode("y"), 3, graph_->FindNode("r"), 0);
  ExpectBroken("_Retval 'r': reads output 3 of 'y', which has 1");
}

TEST_F(VerifierTest, Names) {
  graph_->AddConstant("y", Constant::Of<float>({1}, {1}));
  ExpectBroken("Const 'y': the name is not unique");
}

TEST_F(VerifierTest, Cycle) {
  graph_->RemoveEdge(graph_->FindNode("y")->in_edges().front());
  graph_->AddEdge(graph_->FindNode("y"), 0, graph_->FindNode("y"), 0);
  ExpectBroken("Unary 'y': is on, or behind, a cycle of 2 nodes");
}

TEST_F(VerifierTest, ConstantBytes) {
  Constant value = Constant::Of<float>({2}, {1, 2});
  value.type.shape = {3};
  graph_->FindNode("k")->set_constant(value);
  ExpectBroken("Const 'k': the value has 8 bytes, want 12");
}

}  // namespace
}  // namespace linnet::converter

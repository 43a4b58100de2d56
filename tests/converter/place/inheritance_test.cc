// SPDX-License-Identifier: Apache-2.0
// The devices that the model asks for must be kept until placement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/algorithm.h"
#include "converter/graph/placement_wish.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/pipeline.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;

std::unique_ptr<Graph> Converted(const std::string& text,
                                 const std::map<std::string, std::string>& groups = {}) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  for (const auto& [name, group] : groups) {
    tf::AttrValue value;
    value.mutable_list()->add_s("loc:@" + group);
    (*graph)->FindNode(name)->SetAttr("_class", value);
  }
  FixupSourceAndSinkEdges(graph->get());
  const absl::Status status = RunPipeline(**graph, PassContext(), nullptr);
  EXPECT_TRUE(status.ok()) << status;
  return *std::move(graph);
}

TEST(Inheritance, WhatLegalizeEmitsIsWhereItsNodeWas) {
  const auto graph = Converted(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[2,4]}
    soft = tf.Softplus(x) @"/job:w/device:GPU:1"
    out = tf.Softmax(soft))",
                               {{"soft", "x"}});
  int ops = 0;
  for (const Node* node : graph->op_nodes()) {
    if (node->node_class() != NodeClass::kOp || node->name() == "out") continue;
    ++ops;
    EXPECT_EQ(node->requested_device(), "/job:w/device:GPU:1") << node->name();
    EXPECT_THAT(WishOf(*node).groups, ElementsAre("x")) << node->name();
  }
  EXPECT_GE(ops, 1);
  EXPECT_EQ(graph->FindNode("out")->requested_device(), "");
}

TEST(Inheritance, FusedNodesKeepTheConvolutionsDevice) {
  const auto graph = Converted(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[1,4,4,1]}
    w = const f32[3,3,1,2] seed=1
    b = const f32[2] {1, 2}
    conv = tf.Conv2D(x, w) {padding: "SAME", strides: [1, 1, 1, 1]} @"/device:GPU:0"
    bias = tf.BiasAdd(conv, b) @"/device:CPU:0"
    relu = tf.Relu(bias))",
                               {{"relu", "w"}});
  const Node* fused = graph->FindNode("relu");
  ASSERT_NE(fused, nullptr);
  ASSERT_EQ(fused->op_name(), "Conv2D");
  EXPECT_EQ(fused->requested_device(), "/device:GPU:0");
  EXPECT_THAT(WishOf(*fused).groups, ElementsAre("w"));
}

TEST(Inheritance, ANewOpTakesTheLastOnesDevice) {
  const auto graph = Converted(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[1,4]}
    gate = tf.Sigmoid(x) @"/device:CPU:0"
    swish = tf.Mul(x, gate) @"/device:GPU:0"
    out = tf.Softmax(swish))");
  const Node* fused = graph->FindNode("swish");
  ASSERT_NE(fused, nullptr);
  ASSERT_EQ(fused->op_name(), "Unary");
  EXPECT_EQ(fused->requested_device(), "/device:GPU:0");
}

TEST(Inheritance, GroupsComeTogetherOnce) {
  Graph graph(OpRegistry::Global());
  Node* a = graph.AddArg("a", 0, {DType::kFloat32, {1}});
  Inherit({"/cpu:0", {"x", "y"}}, a);
  Inherit({"/gpu:0", {"y", "z"}}, a);
  EXPECT_EQ(a->requested_device(), "/cpu:0");
  EXPECT_THAT(WishOf(*a).groups, ElementsAre("x", "y", "z"));
}

}  // namespace
}  // namespace linnet::converter

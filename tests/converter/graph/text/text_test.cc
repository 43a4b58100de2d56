// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/verifier.h"
#include "runtime/ops/all_attrs.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

std::unique_ptr<Graph> Parsed(std::string_view text) {
  auto graph = ParseGraph(text, TestOps());
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(TestOps());
}

void ExpectRoundTrip(std::string_view text) {
  const auto graph = Parsed(text);
  EXPECT_EQ(PrintGraph(*graph), text);
  EXPECT_TRUE(VerifyGraph(*graph).ok()) << VerifyGraph(*graph);
}

void ExpectError(std::string_view text, std::string_view part) {
  const auto graph = ParseGraph(text, TestOps());
  ASSERT_FALSE(graph.ok()) << text;
  EXPECT_THAT(Message(graph.status()), HasSubstr(std::string(part)));
}

TEST(Text, RegionsOfLoopsAndBranches) {
  ExpectRoundTrip(
      "n = arg i32[]\n"
      "p = arg bool[]\n"
      "x = arg f32[3]\n"
      "loop = While(n, x, p) [\n"
      "  n = arg i32[]\n"
      "  c = const i32[] 0\n"
      "  more = Compare(n, c) {kind: Greater} : bool[]\n"
      "  goes_on = ret(more)\n"
      "] [\n"
      "  n = arg i32[]\n"
      "  x = arg f32[3]\n"
      "  p = arg bool[]\n"
      "  choice = If(p, x) [\n"
      "    x = arg f32[3]\n"
      "    minus = Unary(x) {kind: Neg} : f32[3]\n"
      "    r = ret(minus)\n"
      "  ] [\n"
      "    x = arg f32[3]\n"
      "    r = ret(x)\n"
      "  ] : f32[3]\n"
      "  ret0 = ret(n)\n"
      "  ret1 = ret(choice)\n"
      "] : i32[], f32[3]\n"
      "y = ret(loop:1)\n");
}

TEST(Text, RegionsMustFitTheirNode) {
  const std::string condition = "[ p = const bool[] 1 r = ret(p) ]";
  ExpectError("x = arg f32[]\nloop = While(x) " + condition,
              "the number of its regions is 1, want 2");
  ExpectError("x = arg f32[]\nloop = While(x) " + condition + " [ x = arg i32[] r = ret(x) ]",
              "argument 0 of a region is input 0 of the node, but the node has no such input, or "
              "the types differ");
  ExpectError("x = arg f32[]\nloop = While(x) " + condition + " [ c = const i32[] 1 r = ret(c) ]",
              "input 0 of the node and result 0 of its body are values of the same loop variable, "
              "but have different types");
  ExpectError(
      "x = arg f32[]\nloop = While(x) " + condition + " [ x = arg f32[] r = ret(x) s = ret(x) ]",
      "its second region, the body, must have a result for each loop variable: at least 1 and at "
      "most 1, the number of inputs, but it has 2");
  ExpectError(
      "x = arg f32[]\nloop = While(x) [ x = arg f32[] r = ret(x) ] [ x = arg f32[] r = ret(x) ]",
      "its first region, the condition, must have one result, a bool scalar");
  ExpectError(
      "x = arg f32[]\nb = If(x, x) [ x = arg f32[] r = ret(x) ] [ x = arg f32[] r = ret(x) ]",
      "its input 0, which says which region runs, must be a bool scalar");
  ExpectError(
      "p = arg bool[]\nb = If(p) [ c = const f32[] 1 r = ret(c) ] [ c = const i32[] 1 r = ret(c) ]",
      "its two regions, then and else, must have results of the same number and types");
}

TEST(Text, LinnetOps) {
  ExpectRoundTrip(
      "x = arg f32[1,8,8,3]\n"
      "w = const f32[4,3,3,3] fill=0.5\n"
      "b = const f32[4] {1, -2.5, 3, 1e-12}\n"
      "c = Conv2D(x, w, b) {stride_h: 2, stride_w: 2, range: {min: 0, max: inf}} : f32[1,3,3,4]\n"
      "s = Unary(c) {kind: LeakyRelu, alpha: 0.2} : f32[1,3,3,4]\n"
      "axes = Reduce(s) {kind: Mean, axes: [1, 2]} : f32[1,4]\n"
      "p = TopK(axes) {k: 2} : f32[1,2], i32[1,2]\n"
      "out = ret(p)\n"
      "indices = ret(p:1)\n");
}

TEST(Text, ScalarsBoolsHalvesAndEncodedConstants) {
  ExpectRoundTrip(
      "a = const i32[] 7\n"
      "b = const bool[2] {true, false}\n"
      "c = const f16[3] {1, 0.5, -65504}\n"
      "d = const i64[0] {}\n"
      "e = const f32[2] encoding=Float16 {0.5, 2}\n"
      "f = const f32[3] encoding=AffineU8 scale=0.1 min=-1 {0, 10, 255}\n"
      "g = const f64[1] {0.1}\n"
      "h = const f32[3] {nan, inf, -inf}\n");
}

TEST(Text, SeededConstantsAreDeterministicAndShowAsHash) {
  const auto a = Parsed("w = const f32[5,5] seed=3\nv = const f32[5,5] seed=4");
  const auto b = Parsed("w = const f32[5,5] seed=3");
  EXPECT_TRUE(a->FindNode("w")->constant().SameAs(b->FindNode("w")->constant()));
  EXPECT_FALSE(a->FindNode("w")->constant().SameAs(a->FindNode("v")->constant()));
  EXPECT_THAT(PrintNode(*a->FindNode("w")), HasSubstr("w = const f32[5,5] hash="));
  for (const float f : a->FindNode("w")->constant().as<float>()) EXPECT_TRUE(f >= -1 && f < 1);
  const auto c = Parsed("w = const f32[100] seed=3 min=0.5 max=0.75");
  for (const float f : c->FindNode("w")->constant().as<float>())
    EXPECT_TRUE(f >= 0.5f && f < 0.75f);
}

TEST(Text, ConstantsMayBeWrittenWhereTheyAreUsed) {
  const auto graph =
      Parsed("x = arg f32[2]\ny = Binary(x, const f32[2] {1, 2}) {kind: Add}\nout = ret(y)");
  EXPECT_EQ(PrintGraph(*graph),
            "x = arg f32[2]\n"
            "y/const_1 = const f32[2] {1, 2}\n"
            "y = Binary(x, y/const_1) {kind: Add} : f32[2]\n"
            "out = ret(y)\n");
}

// TensorFlow graph row 34: builders of nodes
TEST(Text, TensorFlowOpsInferTypesAndDefaults) {
  ExpectRoundTrip(
      "x = tf.Placeholder() {dtype: DT_FLOAT, shape: shape[1,8,8,3]}\n"
      "w = const f32[3,3,3,4] fill=1\n"
      "c = tf.Conv2D(x, w) {padding: \"SAME\", strides: [1, 2, 2, 1]}\n"
      "i = tf.IdentityN(c, x, ^w)\n"
      "s = tf.Split(i, c) {num_split: 2}\n"
      "n = tf.NoOp(^c, ^x) {_mine: [1, 2], _name: \"a\\\"b\", _type: DT_INT32}\n");
  // The first input of Split is int32. The text parser does not check this; import checks types.
}

TEST(Text, AttributesOfNodesWithAnUnknownRank) {
  ExpectRoundTrip("x = tf.Placeholder() {dtype: DT_INT64}\n");
  const auto graph = Parsed("x = tf.Placeholder() {dtype: int64, shape: [?,2]}\n");
  EXPECT_EQ(graph->FindNode("x")->FindAttr("shape")->shape().dim(0).size(), -1);
  EXPECT_EQ(graph->FindNode("x")->FindAttr("dtype")->type(), tf::DT_INT64);
}

TEST(Text, LoopsReadNodesThatComeLater) {
  ExpectRoundTrip(
      "zero = const i32[] 0\n"
      "enter = tf.Enter(zero) {frame_name: \"f\"}\n"
      "merge = tf.Merge(enter, next)\n"
      "limit = const i32[] 10 (^merge)\n"
      "less = tf.Less(merge, limit)\n"
      "cond = tf.LoopCond(less)\n"
      "switch = tf.Switch(merge, cond)\n"
      "exit = tf.Exit(switch)\n"
      "next = tf.NextIteration(switch:1)\n");
}

TEST(Text, ArgumentsKeepTheirIndexAndNamesMayBeQuoted) {
  ExpectRoundTrip(
      "b = arg 1 f32[]\n"
      "a = arg 0 ?\n"
      "\"odd name\" = ret 1(b)\n"
      "a/b-c.d_1 = ret 0(a)\n");
}

TEST(Text, StringsMayHoldAnyByte) {
  ExpectRoundTrip(
      "\"a\\\"b\\\\\\001\" = tf.NoOp() {_s: \"\\000\\377\\\"7\"} @\"x\\012\"\n"
      "c = tf.NoOp(^\"a\\\"b\\\\\\001\")\n");
}

TEST(Text, DevicesAndSources) {
  ExpectRoundTrip("x = const f32[1] {1} @\"/device:GPU:0\"\n");
  const auto graph = Parsed("x = const f32[1] {1}  # a comment\n");
  graph->FindNode("x")->set_sources({"a", "b"});
  EXPECT_EQ(PrintGraph(*graph, {.sources = true}), "x = const f32[1] {1}  # a, b\n");
}

TEST(Text, Errors) {
  ExpectError("x = arg f32[1\ny = arg f32[1]", "line 1: want ','");
  ExpectError("x = arg f33[1]", "'f33' is no element type");
  ExpectError("x = arg f32[1]\n\nx = arg f32[2]", "line 3: there are two nodes 'x'");
  ExpectError("y = Unary(x) {kind: Abs}", "there is no node 'x' before this line");
  ExpectError("x = arg f32[1]\ny = Relu(x)",
              "'Relu' is no Linnet op (TensorFlow's are written tf.Relu)");
  ExpectError("x = arg f32[1]\ny = tf.NoSuch(x)", "Op type not registered 'NoSuch'");
  ExpectError("x = arg f32[1]\ny = Unary(x) {kind: Abs} : f32[2]",
              "output 0 of 'y' is f32[1], the text says f32[2]");
  ExpectError("x = arg f32[1]\ny = Unary(x) {kin: Abs}", "kin");
  ExpectError("x = arg f32[1]\ny = Unary(x:1) {kind: Abs}", "'x' has 1 outputs, no output 1");
  ExpectError("w = const f32[2] {1}", "got 1 values, want 2");
  ExpectError("w = const i32[1] {1.5}", "'1.5' is no i32");
  ExpectError("w = const f32[1] hash=1", "hash= shows that the values are not in the text");
  ExpectError("x = arg f32[1,1,1,1,1,1,1,1,1]", "rank");
  ExpectError("x = const f32[99999999999,99999999999] fill=0", "impossible");
  ExpectError("x =", "want an op, got 'end of text'");
}

}  // namespace
}  // namespace linnet::converter

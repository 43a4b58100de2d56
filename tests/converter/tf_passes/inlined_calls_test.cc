// SPDX-License-Identifier: Apache-2.0
// TensorFlow's own test functions and graphs, inlined.
#include "converter/graph/algorithm.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/text/text.h"
#include "converter/pass/passes.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

constexpr char kFunctions[] = R"(
  function {
    signature { name: "XTimesTwo" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "two" op: "Const" attr { key: "dtype" value { type: DT_INT64 } }
               attr { key: "value" value { tensor { dtype: DT_INT64 tensor_shape {} int64_val: 2 } } } }
    node_def { name: "scale" op: "Cast" input: "two:output:0" attr { key: "SrcT" value { type: DT_INT64 } }
               attr { key: "DstT" value { type: DT_FLOAT } } }
    node_def { name: "y" op: "Mul" input: "x" input: "scale:y:0" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "y:z:0" } }
  function {
    signature { name: "XTimesFour" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "x2" op: "XTimesTwo" input: "x" } node_def { name: "y" op: "XTimesTwo" input: "x2:y:0" }
    ret { key: "y" value: "y:y:0" } }
  function {
    signature { name: "WXPlusB" input_arg { name: "w" type: DT_FLOAT } input_arg { name: "x" type: DT_FLOAT }
                input_arg { name: "b" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "mm" op: "MatMul" input: "w" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "y" op: "Add" input: "mm:product:0" input: "b" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "y:z:0" } }
  function {
    signature { name: "AddAndMul" input_arg { name: "i" type: DT_FLOAT } output_arg { name: "o" type: DT_FLOAT }
                control_output: "must_execute" }
    node_def { name: "add" op: "Add" input: "i" input: "i" attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "ret" op: "Mul" input: "i" input: "i" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "o" value: "ret:z:0" } control_ret { key: "must_execute" value: "add" } }
  function {
    signature { name: "Store" input_arg { name: "v" type: DT_RESOURCE } input_arg { name: "x" type: DT_FLOAT }
                is_stateful: true control_output: "set" }
    node_def { name: "set" op: "AssignVariableOp" input: "v" input: "x"
               attr { key: "dtype" value { type: DT_FLOAT } } }
    control_ret { key: "set" value: "set" } }
  function {
    signature { name: "Loop" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "enter" op: "Enter" input: "x" attr { key: "T" value { type: DT_FLOAT } }
               attr { key: "frame_name" value { s: "frame" } } }
    node_def { name: "exit" op: "Exit" input: "enter:output:0" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "exit:output:0" } })";

// The graph with these functions, after its calls are inlined.
std::unique_ptr<Graph> Inlined(std::string_view text, const PassContext& context = {}) {
  auto graph = std::make_unique<Graph>(OpRegistry::Global());
  tf::FunctionDefLibrary library;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kFunctions, &library));
  EXPECT_TRUE(graph->functions().AddLibrary(library).ok());
  const absl::Status parsed = ParseGraph(text, graph.get());
  EXPECT_TRUE(parsed.ok()) << parsed;
  FixupSourceAndSinkEdges(graph.get());
  const absl::StatusOr<int> calls = InlineFunctions(*graph, context);
  EXPECT_TRUE(calls.ok()) << calls.status();
  return graph;
}

void ExpectGraph(Graph& graph, std::string_view want) {
  EXPECT_EQ(Canonical(graph), Canonical(*Parse(want)));
}

void Apply(PassFunction pass, Graph& graph) {
  const absl::StatusOr<int> changes = pass(graph, {});
  EXPECT_TRUE(changes.ok()) << changes.status();
}

// tensorflow/core/common_runtime/function_test.cc: FunctionLibraryRuntimeTest.ExpandInlineFunctions
TEST(InlinedCalls, FunctionsOfFunctions) {
  const auto graph = Inlined("x = arg f32[4] c = tf.XTimesFour(x) out = ret(c)");
  for (const char* name : {"c/x2/two", "c/x2/scale", "c/x2/y", "c/y/two", "c/y/scale", "c/y/y"})
    EXPECT_NE(graph->FindNode(name), nullptr) << name;
  EXPECT_EQ(graph->FindNode("c"), nullptr);
  ExpectGraph(*graph, R"(
    x = arg f32[4]
    i = tf.Identity(x)
    i2 = tf.Identity(i)
    two = const i64[] 2
    scale = tf.Cast(two) {DstT: DT_FLOAT}
    y = tf.Mul(i2, scale)
    o2 = tf.Identity(y)
    i3 = tf.Identity(o2)
    two2 = const i64[] 2
    scale2 = tf.Cast(two2) {DstT: DT_FLOAT}
    y2 = tf.Mul(i3, scale2)
    o3 = tf.Identity(y2)
    o = tf.Identity(o3)
    out = ret(o))");
}

// tensorflow/core/common_runtime/function_test.cc: FunctionLibraryRuntimeTest.OptimizeGraph
TEST(InlinedCalls, AreFoldedAndMerged) {
  const auto graph =
      Inlined("x = arg f32[4] a = tf.XTimesFour(x) b = tf.XTimesFour(a) out = ret(b)");
  for (const PassFunction pass : {DropNoOps, Legalize, EliminateCommonSubexpressions})
    Apply(pass, *graph);
  ExpectGraph(*graph, R"(
    x = arg f32[4]
    two = const f32[] 2
    a = Binary(x, two) {kind: Mul}
    b = Binary(a, two) {kind: Mul}
    c = Binary(b, two) {kind: Mul}
    d = Binary(c, two) {kind: Mul}
    out = ret(d))");
}

// tensorflow/core/common_runtime/function_test.cc: FunctionLibraryRuntimeTest.XTimesTwo
// tensorflow/core/common_runtime/function_test.cc: FunctionLibraryRuntimeTest.XTimesN
// tensorflow/core/common_runtime/function_test.cc: FunctionTest.WXPlusB
TEST(InlinedCalls, Compute) {
  const struct {
    const char *call, *result;
  } kCases[] = {
      {"y = tf.XTimesTwo(const f32[4] {1, 2, 3, 4})", "const f32[4] {2, 4, 6, 8}"},
      {"y = tf.XTimesFour(const f32[4] {1, 2, 3, 4})", "const f32[4] {4, 8, 12, 16}"},
      {"y = tf.WXPlusB(const f32[2,2] {1, 2, 3, 4}, const f32[2,2] {1, 3, 2, 4}, const f32[2] "
       "{0.5, "
       "2.5})",
       "const f32[2,2] {5.5, 13.5, 11.5, 27.5}"},
  };
  for (const auto& [call, result] : kCases) {
    const auto graph = Inlined(std::string(call) + " out = ret(y)");
    for (const PassFunction pass : {DropNoOps, Legalize}) Apply(pass, *graph);
    ExpectGraph(*graph, "k = " + std::string(result) + " out = ret(k)");
  }
}

// The caller's control inputs delay the call's inputs, and constants and calls of the body.
// tensorflow/core/common_runtime/function_test.cc:
// FunctionLibraryRuntimeTest.ExpandInlineFunctionsWithInputControlEdges
TEST(InlinedCalls, WaitForWhatTheCallerWaitedFor) {
  const auto graph = Inlined("a = arg f32[2] c = tf.NoOp() b = tf.XTimesTwo(a, ^c) out = ret(b)");
  ExpectGraph(*graph, R"(
    a = arg f32[2]
    c = tf.NoOp()
    start = tf.NoOp(^c)
    i = tf.Identity(a, ^start)
    two = const i64[] 2 (^start)
    scale = tf.Cast(two) {DstT: DT_FLOAT}
    y = tf.Mul(i, scale)
    o = tf.Identity(y)
    out = ret(o))");
}

// Is there a path from one node to the other?
bool IsBefore(const Node* first, const Node* last) {
  for (const Edge* edge : last->in_edges())
    if (edge->src == first || IsBefore(first, edge->src)) return true;
  return false;
}

// An effect of the second call must not run before one of the first.
TEST(InlinedCalls, EffectsFollowEachOtherAsTheCallsDo) {
  const auto graph = Inlined(R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2]}
    a = tf.Store(v, x)
    b = tf.Store(v, x, ^a)
    out = ret(x, ^b))");
  ASSERT_NE(graph->FindNode("a/set"), nullptr);
  ASSERT_NE(graph->FindNode("b/set"), nullptr);
  EXPECT_TRUE(IsBefore(graph->FindNode("a/set"), graph->FindNode("b/set")));
}

// A call of a function as an op is done when its results are there and its control_ret has run.
// tensorflow/core/common_runtime/function_test.cc:
// FunctionLibraryRuntimeTest.ExpandInlineFunctionsWithOutputControlEdges
// tensorflow/core/common_runtime/function_test.cc:
// FunctionLibraryRuntimeTest.DoNotPruneControlOutputsFromBody
TEST(InlinedCalls, WhatWaitsForTheCaller) {
  const auto graph = Inlined("a = arg f32[2] b = tf.AddAndMul(a) c = tf.NoOp(^b) out = ret(b, ^c)");
  ASSERT_NE(graph->FindNode("b/add"), nullptr);
  EXPECT_TRUE(IsBefore(graph->FindNode("b/add"), graph->FindNode("c")));
  EXPECT_TRUE(IsBefore(graph->FindNode("b/ret"), graph->FindNode("c")));
  EXPECT_FALSE(IsBefore(graph->FindNode("b/add"), graph->FindNode("b/ret")));
}

// tensorflow/core/common_runtime/function_test.cc:
// FunctionLibraryRuntimeTest.ExpandInlineFunctionsAndKeepCallerNode
TEST(InlinedCalls, AFetchedCallerStays) {
  PassContext context;
  context.fetches = {"b"};
  const auto graph = Inlined("a = arg f32[2] b = tf.AddAndMul(a)", context);
  const Node* b = graph->FindNode("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->op_name(), "IdentityN");
  EXPECT_EQ(b->input(0).node->name().substr(0, 14), "Func/b/output/");
  EXPECT_EQ(b->input(0).node->input(0).node->name(), "b/ret");
}

// tensorflow/core/framework/node_def_util_test.cc: AddPrefixAndSuffixToNode.Enter
TEST(InlinedCalls, FramesAreTheCallers) {
  const auto graph = Inlined("x = arg f32[2] c = tf.Loop(x) out = ret(c)");
  const Node* enter = graph->FindNode("c/enter");
  ASSERT_NE(enter, nullptr);
  EXPECT_EQ(enter->FindAttr("frame_name")->s(), "c/frame");
}

}  // namespace
}  // namespace linnet::converter

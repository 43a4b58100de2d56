// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "converter/graph/text/text.h"
#include "converter/pass/passes.h"
#include "gmock/gmock.h"
#include "tests/converter/graph/test_ops.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

// Two weights, and a product with two readers.
constexpr char kNet[] = R"(
    W1 = tf.TestParams()
    W2 = tf.TestParams()
    input = tf.TestInput()
    t1 = tf.TestMul(W1, input:1)
    t2 = tf.TestMul(W2, t1)
    t3_a = tf.TestRelu(t2)
    t3_b = tf.TestRelu(t2))";

constexpr char kChain[] = R"(
    a = tf.TestParams()
    b = tf.TestRelu(a)
    c = tf.TestRelu(b)
    d = tf.TestRelu(c)
    e = tf.TestRelu(d)
    f = tf.TestRelu(e))";

// The remaining graph, or a test failure; the inputs are scalars.
std::unique_ptr<Graph> Pruned(std::string_view text, const std::vector<std::string>& feeds,
                              std::vector<std::string> fetches, std::string* error = nullptr) {
  auto graph = ParseGraph(text, TestOps());
  EXPECT_TRUE(graph.ok()) << graph.status();
  PassContext context;
  for (const std::string& feed : feeds) context.feeds.push_back({feed, std::vector<int64_t>{}});
  context.fetches = std::move(fetches);
  const absl::StatusOr<int> changes = Prune(**graph, context);
  if (error != nullptr)
    *error = Message(changes.status());
  else
    EXPECT_TRUE(changes.ok()) << changes.status();
  return *std::move(graph);
}

std::string Names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node* node : graph.op_nodes()) names.push_back(node->name());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

// TensorFlow's targets are outputs here, because a plan computes nothing else.
TEST(PartialExecution, WhatIsLeft) {
  const struct {
    std::vector<std::string> feeds, fetches;
    const char* nodes;
  } kCases[] = {
      // tensorflow/core/graph/subgraph_test.cc: SubgraphTest.Targets1
      {{}, {"t1"}, "W1 _retval_t1_0_0 input t1"},
      // tensorflow/core/graph/subgraph_test.cc: SubgraphTest.Targets2
      {{}, {"t2", "t3_a"}, "W1 W2 _retval_t2_0_0 _retval_t3_a_0_1 input t1 t2 t3_a"},
      // tensorflow/core/graph/subgraph_test.cc: SubgraphTest.FedOutputs1_FunctionConvention
      {{"input:1"}, {"t2"}, "W1 W2 _arg_input_1_0 _retval_t2_0_0 t1 t2"},
      // An input that nothing reads stays, because the signature has it.
      // tensorflow/core/graph/subgraph_test.cc: SubgraphTest.FedOutputs2_FunctionConvention
      {{"input:1", "t1", "W2"}, {"t2"}, "_arg_W2_0_2 _arg_input_1_0 _arg_t1_0_1 _retval_t2_0_0 t2"},
      // tensorflow/core/graph/subgraph_test.cc: SubgraphTest.FetchOutputs1_FunctionConvention
      {{},
       {"W2", "input:1", "t1", "t2"},
       "W1 W2 _retval_W2_0_0 _retval_input_1_1 _retval_t1_0_2 _retval_t2_0_3 input t1 t2"},
      // tensorflow/core/graph/subgraph_test.cc: SubgraphTest.FetchOutputs2_FunctionConvention
      {{}, {"t3_a"}, "W1 W2 _retval_t3_a_0_0 input t1 t2 t3_a"},
  };
  for (const auto& [feeds, fetches, nodes] : kCases)
    EXPECT_EQ(Names(*Pruned(kNet, feeds, fetches)), nodes);
}

// tensorflow/core/graph/subgraph_test.cc: SubgraphTest.ChainOfFools
// TensorFlow graph row 51: any tensor may be fed or fetched
TEST(PartialExecution, AChainIsCutAndTapped) {
  EXPECT_EQ(PrintGraph(*Pruned(kChain, {"c:0"}, {"b:0", "e:0"})), R"(a = tf.TestParams()
b = tf.TestRelu(a)
_retval_b_0_0 = ret(b)
_arg_c_0_0 = arg f32[]
d = tf.TestRelu(_arg_c_0_0)
e = tf.TestRelu(d)
_retval_e_0_1 = ret(e)
)");
}

// tensorflow/core/graph/subgraph_test.cc: SubgraphTest.FedRefNode_FunctionConvention
TEST(PartialExecution, AFedReferenceIsAValue) {
  const auto graph =
      Pruned("W1 = tf.TestRefOut() W2 = tf.TestParams() t1 = tf.TestMul(W2, W1)", {"W1:0"}, {"t1"});
  EXPECT_EQ(Names(*graph), "W2 _arg_W1_0_0 _retval_t1_0_0 t1");
  EXPECT_EQ(graph->FindNode("_arg_W1_0_0")->tf_output_types()[0], tf::DT_FLOAT);
}

// TensorFlow graph row 52: control edges of what is fed
TEST(PartialExecution, WhatIsFedMayStillHaveToRun) {
  const auto graph =
      Pruned("a = tf.TestParams() b = tf.TestRelu(a) c = tf.TestRelu(b) d = tf.TestRelu(c, ^b)",
             {"b"}, {"d"});
  EXPECT_EQ(Names(*graph), "_arg_b_0_0 _retval_d_0_0 a b c d");
  EXPECT_EQ(graph->FindNode("c")->input(0).node->name(), "_arg_b_0_0");
}

// tensorflow/core/graph/subgraph_test.cc: SubgraphTest.Errors
TEST(PartialExecution, Errors) {
  const struct {
    std::vector<std::string> feeds, fetches;
    const char* error;
  } kCases[] = {
      {{"c:0"}, {"b:0", "c:0"}, "c is both fed and fetched."},
      {{"foo:0"}, {"c:0"}, "FeedInputs: unable to find feed output foo:0"},
      {{}, {"foo:0"}, "FetchOutputs node foo:0: not found"},
  };
  for (const auto& [feeds, fetches, want] : kCases) {
    std::string error;
    Pruned(kChain, feeds, fetches, &error);
    EXPECT_EQ(error, want);
  }
  std::string error;
  Pruned("n = tf.NoOp()", {}, {}, &error);
  EXPECT_THAT(error, HasSubstr("at least one target"));
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
// Which random ops are merged, which continue from run to run, and which are refused. Their values
// are tested by tests/conformance/tf/{random,random_runs}.json.
#include "runtime/ops/random.h"
#include "converter/graph/session_state.h"
#include "converter/graph/text/text.h"
#include "converter/pass/passes.h"
#include "gmock/gmock.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Graph> Optimized(std::string_view text) {
  std::unique_ptr<Graph> graph = Parse(text);
  for (const PassFunction pass : {Legalize, FoldConstants, EliminateCommonSubexpressions}) {
    const absl::StatusOr<int> result = pass(*graph, {});
    EXPECT_TRUE(result.ok()) << result.status();
  }
  return graph;
}

int CountRandom(const Graph& graph) {
  int count = 0;
  for (const Node* node : graph.op_nodes()) count += node->Is<RandomAttrs>() ? 1 : 0;
  return count;
}

std::vector<std::string> States(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node* node : graph.op_nodes())
    if (node->node_class() == NodeClass::kArg && IsState(*node)) {
      EXPECT_EQ(StartOf(*node), StateStart::kZeros);
      names.push_back(StateName(*node));
    }
  return names;
}

TEST(Random, OfConstantSeedsIsAConstant) {
  const auto graph = Optimized(R"(
    a = tf.StatelessRandomUniform(const i32[1] {3}, const i32[2] {1, 2}) {dtype: DT_FLOAT, T: DT_INT32, Tseed: DT_INT32}
    out = ret(a))");
  EXPECT_EQ(CountRandom(*graph), 0);
  EXPECT_TRUE(States(*graph).empty());
}

TEST(Random, OfOneSeedIsComputedOnce) {
  const auto graph = Optimized(R"(
    seed = arg i32[2]
    a = tf.StatelessRandomNormal(const i32[1] {3}, seed) {dtype: DT_FLOAT, T: DT_INT32, Tseed: DT_INT32}
    b = tf.StatelessRandomNormal(const i32[1] {3}, seed) {dtype: DT_FLOAT, T: DT_INT32, Tseed: DT_INT32}
    out = ret(a)
    out2 = ret(b))");
  EXPECT_EQ(CountRandom(*graph), 2)
      << PrintGraph(*graph);  // the seed's Random op, and that of the numbers
}

TEST(Random, StatefulOpsNeverMerge) {
  const auto graph = Optimized(R"(
    a = tf.RandomUniform(const i32[1] {3}) {dtype: DT_FLOAT, T: DT_INT32, seed: 1, seed2: 2}
    b = tf.RandomUniform(const i32[1] {3}) {dtype: DT_FLOAT, T: DT_INT32, seed: 1, seed2: 2}
    out = ret(a)
    out2 = ret(b))");
  EXPECT_EQ(CountRandom(*graph), 2) << PrintGraph(*graph);
  EXPECT_THAT(States(*graph), testing::UnorderedElementsAre("a/generator", "b/generator"));
}

TEST(Random, WithoutSeedsTheNameIsTheSeed) {
  constexpr char kText[] = R"(
    a = tf.RandomUniform(const i32[1] {3}) {dtype: DT_FLOAT, T: DT_INT32}
    b = tf.RandomUniform(const i32[1] {3}) {dtype: DT_FLOAT, T: DT_INT32}
    out = ret(a)
    out2 = ret(b))";
  const auto graph = Optimized(kText);
  EXPECT_EQ(PrintGraph(*graph), PrintGraph(*Optimized(kText)));
  const Node *a = graph->FindNode("a"), *b = graph->FindNode("b");
  ASSERT_TRUE(a != nullptr && b != nullptr);
  ASSERT_TRUE(a->input(0).node->IsConstant() && b->input(0).node->IsConstant());
  EXPECT_NE(a->input(0).node->constant().ToInt64(), b->input(0).node->constant().ToInt64());
}

TEST(Random, AnUnusedOneKeepsNoState) {
  const auto graph = Optimized(R"(
    x = arg f32[3]
    a = tf.RandomUniform(const i32[1] {3}) {dtype: DT_FLOAT, T: DT_INT32, seed: 1}
    out = ret(x))");
  EXPECT_TRUE(States(*graph).empty());
}

TEST(Random, RefusesWhatItCannotDraw) {
  EXPECT_THAT(ErrorOf(Legalize, R"(
    a = tf.StatelessRandomUniformFullInt(const i32[1] {3}, const i32[2] {1, 2}) {dtype: DT_UINT32, T: DT_INT32, Tseed: DT_INT32}
    out = ret(a))"),
              HasSubstr("it draws uint32 numbers, which Linnet does not have"));
  EXPECT_THAT(ErrorOf(Legalize, R"(
    g = tf.StatelessRandomGetKeyCounter(const i32[2] {1, 2}) {Tseed: DT_INT32}
    a = tf.StatelessRandomUniformV2(const i32[1] {3}, g, g:1, const i32[] 2) {dtype: DT_FLOAT, Tshape: DT_INT32}
    out = ret(a))"),
              HasSubstr("its algorithm is ThreeFry"));
  EXPECT_THAT(ErrorOf(Legalize, R"(
    g = tf.StatelessRandomGetKeyCounter(const i32[2] {1, 2}) {Tseed: DT_INT32}
    a = tf.StatelessRandomUniformV2(const i32[1] {3}, g, g:1, const i32[] 7) {dtype: DT_FLOAT, Tshape: DT_INT32}
    out = ret(a))"),
              HasSubstr("'alg' (input 3) is 7"));
  EXPECT_THAT(ErrorOf(Legalize, R"(
    a = tf.StatelessRandomUniform(const i32[1] {3}, const i32[3] {1, 2, 3}) {dtype: DT_FLOAT, T: DT_INT32, Tseed: DT_INT32}
    out = ret(a))"),
              HasSubstr("'seed' (input 1) has shape [3], want [2]"));
  EXPECT_THAT(ErrorOf(Legalize, R"(
    shape = arg i32[2]
    a = tf.RandomUniform(shape) {dtype: DT_FLOAT, T: DT_INT32, seed: 1}
    out = ret(a))"),
              HasSubstr("'shape' (input 0) is computed from fed data"));
  EXPECT_THAT(ErrorOf(Legalize, R"(
    logits = arg f32[2,0]
    a = tf.Multinomial(logits, const i32[] 3) {T: DT_FLOAT, output_dtype: DT_INT64, seed: 1}
    out = ret(a))"),
              HasSubstr("has no classes"));
}

TEST(Random, KeysAreNoResults) {
  EXPECT_THAT(ErrorOf(Legalize, R"(
    seed = arg i32[2]
    g = tf.StatelessRandomGetKeyCounter(seed) {Tseed: DT_INT32}
    out = ret(g))"),
              HasSubstr("uint64 numbers can be used inside a model, but not be its outputs"));
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pipeline.h"

#include <set>

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// Runs the whole pipeline and compares with `want`.
void ExpectConverted(std::string_view tf_graph, std::string_view want) {
  const auto graph = Parse(tf_graph), expected = Parse(want);
  const absl::Status status = RunPipeline(*graph, {});
  ASSERT_TRUE(status.ok()) << status.message().data();
  EXPECT_EQ(Canonical(*graph), Canonical(*expected));
}

// The example of the article that started the project.
TEST(Pipeline, SeedExample) {
  ExpectConverted(R"(
    a = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    c = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    s = tf.Add(a, c)
    t = tf.Add(c, a)
    u = tf.Mul(s, const f32[] 12)
    v = tf.Mul(t, const f32[] 2)
    y = tf.Add(u, v))",
                  R"(
    a = arg f32[2]
    c = arg f32[2]
    s = Binary(a, c) {kind: Add}
    y = Binary(s, const f32[] 14) {kind: Mul}
    out = ret(y))");
}

// Keras 3's batch norm and hard swish around a convolution.
// TensorFlow graph row 80: arithmetic, remapping
TEST(Pipeline, ConvolutionWithEverything) {
  ExpectConverted(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [?,4,4,1]}
    p = tf.Pad(x, const i32[4,2] {0, 0, 0, 1, 0, 1, 0, 0})
    w = const f32[1,1,1,2] {1, 2}
    r = tf.Identity(w)
    c = tf.Conv2D(p, r) {strides: [1, 2, 2, 1], padding: "VALID"}
    var = tf.AddV2(const f32[2] {0.75, 3.75}, const f32[] 0.25)
    inv = tf.Rsqrt(var)
    gain = tf.Mul(inv, const f32[2] {2, 4})
    m = tf.Mul(c, gain)
    mg = tf.Mul(const f32[2] {1, 2}, gain)
    shift = tf.Sub(const f32[2] {1, 1}, mg)
    n = tf.AddV2(m, shift)
    k = tf.Relu6(n)
    y = tf.Identity(k))",
                  R"(
    x = arg f32[1,4,4,1]
    c = Conv2D(x, const f32[2,1,1,1] {2, 4}, const f32[2] {-1, -3}) {stride_h: 2, stride_w: 2, pad_bottom: 1, pad_right: 1, range: {min: 0, max: 6}}
    out = ret(c))");
}

// Everything is NCHW, with a residual: only the Transposes at both ends remain.
// TensorFlow graph row 80: layout
TEST(Pipeline, ChannelsFirst) {
  ExpectConverted(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [1,2,4,4]}
    c = tf.Conv2D(x, const f32[1,1,2,2] {1, 2, 3, 4}) {strides: [1, 1, 1, 1], padding: "SAME", data_format: "NCHW"}
    m = tf.Mul(c, const f32[1,2,1,1] {2, 4})
    b = tf.BiasAdd(m, const f32[2] {5, 6}) {data_format: "NCHW"}
    r = tf.Relu(b)
    d = tf.Conv2D(r, const f32[1,1,2,2] {1, 0, 0, 1}) {strides: [1, 1, 1, 1], padding: "SAME", data_format: "NCHW"}
    s = tf.AddV2(d, r)
    p = tf.MaxPool(s) {ksize: [1, 1, 2, 2], strides: [1, 1, 2, 2], padding: "VALID", data_format: "NCHW"})",
                  R"(
    x = arg f32[1,2,4,4]
    t = Transpose(x) {perm: [0, 2, 3, 1]}
    r = Conv2D(t, const f32[2,1,1,2] {2, 6, 8, 16}, const f32[2] {5, 6}) {range: {min: 0, max: inf}}
    d = Conv2D(r, const f32[2,1,1,2] {1, 0, 0, 1})
    s = Binary(d, r) {kind: Add}
    p = Pool2D(s) {kind: Max, window_h: 2, window_w: 2, stride_h: 2, stride_w: 2}
    u = Transpose(p) {perm: [0, 3, 1, 2]}
    out = ret(u))");
}

// TensorFlow graph row 70: rounds until nothing changes
TEST(Pipeline, IsAFixPoint) {
  const auto graph = Parse(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [1,4,4,3]}
    c = tf.Conv2D(x, const f32[3,3,3,4] seed=1) {strides: [1, 1, 1, 1], padding: "SAME"}
    b = tf.BiasAdd(c, const f32[4] seed=2)
    s = tf.Sigmoid(b)
    m = tf.Mul(b, s)
    p = tf.MaxPool(m) {ksize: [1, 2, 2, 1], strides: [1, 2, 2, 1], padding: "VALID"})");
  ASSERT_TRUE(RunPipeline(*graph, {}).ok());
  for (const Stage& stage : Pipeline()) {
    if (stage.vocabulary != Vocabulary::kLinnet) continue;
    for (const Pass& pass : stage.passes) {
      const absl::StatusOr<int> rewrites = RunPass(pass, *graph, {});
      ASSERT_TRUE(rewrites.ok());
      EXPECT_EQ(*rewrites, 0) << pass.name;
    }
  }
}

TEST(Pipeline, TellsTheObserverOfEveryPass) {
  std::vector<PassRun> runs;
  const auto observer = [&](const PassRun& run, const Graph& after) {
    runs.push_back(run);
    EXPECT_EQ(run.nodes, after.num_op_nodes());
  };
  const auto graph = Parse(R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    y = tf.Relu(x))");
  ASSERT_TRUE(RunPipeline(*graph, {}, observer).ok());
  size_t passes = 0;
  for (const Stage& stage : Pipeline()) passes += stage.passes.size();
  ASSERT_GE(runs.size(), passes);
  EXPECT_EQ(runs[0].pass, "inline_functions");
  EXPECT_EQ(runs[0].rewrites, 0);
  EXPECT_EQ(runs[2].pass, "prune");
  EXPECT_GT(runs[2].rewrites, 0);
  EXPECT_EQ(runs.back().pass, "fuse_attention");
}

TEST(Pipeline, PassesHaveUniqueNamesAndCanBeFound) {
  std::set<std::string_view> names;
  for (const Stage& stage : Pipeline()) {
    for (const Pass& pass : stage.passes) {
      EXPECT_TRUE(names.insert(pass.name).second) << pass.name;
      ASSERT_NE(FindPass(pass.name), nullptr);
      EXPECT_FALSE(pass.summary.empty());
    }
  }
  EXPECT_EQ(FindPass("no_such_pass"), nullptr);
}

}  // namespace
}  // namespace linnet::converter

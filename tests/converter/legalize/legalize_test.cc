// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/legalize.h"

#include "converter/graph/problems.h"
#include "converter/graph/text.h"
#include "tests/converter/passes/pass_test.h"

namespace linnet::converter {
namespace {

std::string ErrorOf(std::string_view text) {
  const std::unique_ptr<Graph> graph = Parse(text);
  const absl::StatusOr<int> result = Legalize(*graph, {});
  return std::string(result.status().message().data(), result.status().message().size());
}

Node* LegalizedNode(Graph& graph, const char* name) {
  const absl::StatusOr<int> result = Legalize(graph, {});
  EXPECT_TRUE(result.ok()) << result.status();
  return graph.FindNode(name);
}

TEST(Legalize, FoldsChainsOfShapesOnTheWay) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[2,3,4]
    s = tf.Shape(x)
    n = tf.StridedSlice(s, const i32[1] {0}, const i32[1] {1}, const i32[1] {1}) {shrink_axis_mask: 1}
    d = tf.Mul(n, const i32[] 3)
    p = tf.Pack(d, const i32[] -1) {N: 2, axis: 0}
    y = tf.Reshape(x, p)
    out = ret(y))",
                  R"(
    x = arg f32[2,3,4]
    y = Reshape(x) {shape: [6, 4]}
    out = ret(y))");
}

TEST(Legalize, IsDoneAfterOneRun) {
  const auto graph = Parse(R"(
    x = arg f32[2]
    y = tf.Relu(x)
    out = ret(y))");
  EXPECT_TRUE(Legalize(*graph, {}).ok());
  EXPECT_EQ(Legalize(*graph, {}).value(), 0);
}

TEST(Legalize, DropsControlEdgesAndWhatOnlyTheyNeeded) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[2]
    n = tf.NoOp(^x)
    q = tf.Svd(x)
    y = tf.Neg(x, ^n, ^q)
    out = ret(y))",
                  R"(
    x = arg f32[2]
    y = Unary(x) {kind: Neg}
    out = ret(y))");
}

TEST(Legalize, TheLastOpTakesTheNodesNameAndAllItsSource) {
  const auto graph = Parse(R"(
    x = arg f32[2,2]
    s = arg f32[2]
    o = arg f32[2]
    m = arg f32[2]
    v = arg f32[2]
    x4 = tf.Reshape(x, const i32[4] {1, 2, 1, 2})
    bn = tf.FusedBatchNormV3(x4, s, o, m, v) {is_training: false, U: DT_FLOAT}
    out = ret(bn))");
  const Node* last = LegalizedNode(*graph, "bn");
  ASSERT_NE(last, nullptr);
  EXPECT_TRUE(last->Is<BinaryAttrs>());
  for (const Node* node : graph->op_nodes()) {
    if (!node->name().starts_with("bn/") || node->IsConstant()) continue;
    EXPECT_EQ(node->sources(), std::vector<std::string>{"bn"}) << node->name();
  }
  EXPECT_EQ(last->sources(), std::vector<std::string>{"bn"});
}

TEST(Legalize, NamesAreGivenEvenIfTheLastStepHasNothingToDo) {
  const auto graph = Parse(R"(
    x = arg f32[2,3]
    y = tf.Cumsum(x, const i32[] 1)
    out = ret(y))");
  const Node* last = LegalizedNode(*graph, "y");
  ASSERT_NE(last, nullptr);
  EXPECT_TRUE(last->Is<BatchMatMulAttrs>());
}

TEST(Legalize, TellsAllProblemsAtOnceAndNoConsequences) {
  const std::string error = ErrorOf(R"(
    x = arg f32[4,4]
    k = arg i32[]
    a = tf.Svd(x)
    b = tf.Neg(a)
    c = tf.Where(x)
    d = tf.OneHot(k, k, const f32[] 1, const f32[] 0)
    e = tf.ExpandDims(d, const i32[] 7)
    f = tf.Squeeze(x) {squeeze_dims: [1]}
    r0 = ret(b)
    r1 = ret(c)
    r2 = ret(e)
    r3 = ret(f))");
  EXPECT_NE(error.find("4 problems:"), std::string::npos) << error;
  EXPECT_NE(error.find("Svd 'a': matrix decompositions"), std::string::npos) << error;
  EXPECT_NE(error.find("Where 'c': its output's extent depends on data"), std::string::npos);
  EXPECT_NE(error.find("OneHot 'd': 'depth' (input 1) is computed from fed data"),
            std::string::npos);
  EXPECT_NE(error.find("Squeeze 'f': cannot squeeze dimension 1 of [4,4]"), std::string::npos);
  EXPECT_EQ(error.find("Neg"), std::string::npos) << error;
  EXPECT_EQ(error.find("ExpandDims"), std::string::npos) << error;
}

TEST(Legalize, SaysWhereToCutBeforeAnOpThatCannotRun) {
  const std::string error = ErrorOf(R"(
    x = arg f32[4]
    a = tf.Neg(x)
    b = tf.Unique(a)
    out = ret(b))");
  EXPECT_NE(error.find("--output a ends the model before it"), std::string::npos) << error;
}

TEST(Legalize, AsksForUnknownInputs) {
  const std::string error = ErrorOf(R"(
    x = arg ?
    a = tf.Neg(x) {T: DT_FLOAT}
    out = ret(a))");
  EXPECT_NE(error.find("--input x="), std::string::npos) << error;
}

TEST(Legalize, HalfComputesInFloatAndIsHalfOutside) {
  ExpectRewritten(Legalize, R"(
    x = arg f16[2]
    y = tf.AddV2(x, const f16[2] {1, 2})
    out = ret(y))",
                  R"(
    x = arg f16[2]
    c = Cast(x) {dtype: 1}
    y = Binary(c, const f32[2] encoding=Float16 {1, 2}) {kind: Add}
    z = Cast(y) {dtype: 2}
    out = ret(z))");
}

TEST(Legalize, DoubleConstantsAreRounded) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[2]
    y = tf.Cast(const f64[2] {1.5, 2}) {DstT: DT_FLOAT}
    z = tf.Mul(x, y)
    out = ret(z))",
                  R"(
    x = arg f32[2]
    z = Binary(x, const f32[2] {1.5, 2}) {kind: Mul}
    out = ret(z))");
}

// 16 MiB out of one number: the plan keeps the number.
TEST(Legalize, LargeFillsStayComputed) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1]
    f = tf.Fill(const i32[2] {2048, 2048}, const f32[] 1)
    y = tf.AddV2(f, x)
    out = ret(y))",
                  R"(
    x = arg f32[1]
    f = BroadcastTo(const f32[] 1) {shape: [2048, 2048]}
    y = Binary(f, x) {kind: Add}
    out = ret(y))");
}

TEST(Legalize, DivisionByAConstantZeroIsLeftToTheDevice) {
  ExpectRewritten(Legalize, R"(
    y = tf.FloorDiv(const i32[] 1, const i32[] 0)
    out = ret(y))",
                  R"(
    y = Binary(const i32[] 1, const i32[] 0) {kind: FloorDiv}
    out = ret(y))");
}

TEST(Legalize, IntegerReluHasNoClamp) {
  ExpectRewritten(Legalize, R"(
    x = arg i32[2]
    y = tf.Relu6(x)
    out = ret(y))",
                  R"(
    x = arg i32[2]
    m = Binary(x, const i32[] 0) {kind: Maximum}
    y = Binary(m, const i32[] 6) {kind: Minimum}
    out = ret(y))");
}

TEST(Legalize, StringsAreNamedAsTheReason) {
  const std::string error = ErrorOf(R"(
    x = arg f32[4]
    a = tf.Cast(x) {DstT: DT_COMPLEX64}
    out = ret(a))");
  EXPECT_NE(error.find("complex64"), std::string::npos) << error;
}

}  // namespace
}  // namespace linnet::converter

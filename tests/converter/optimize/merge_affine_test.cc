// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(MergeAffine, MergesAChain) {
  ExpectRewritten(MergeAffine, R"(
    x = arg f32[1,2,2,2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Sub}
    b = Binary(a, const f32[] 4) {kind: Div}
    c = Unary(b) {kind: Neg}
    d = Binary(const f32[] 1, c) {kind: Sub}
    e = Binary(d, const f32[1,1,1,2] {2, 8}) {kind: Mul}
    out = ret(e))",
                  R"(
    x = arg f32[1,2,2,2]
    m = Binary(x, const f32[2] {0.5, 2}) {kind: Mul}
    e = Binary(m, const f32[2] {1.5, 4}) {kind: Add}
    out = ret(e))");
}

// What Keras 3 leaves of a batch norm: x * inv + (beta - mean * inv), the constants folded already.
TEST(MergeAffine, KeepsMulThenAdd) {
  ExpectUnchanged(MergeAffine, R"(
    x = arg f32[1,2,2,2]
    m = Binary(x, const f32[2] {0.5, 2}) {kind: Mul}
    e = Binary(m, const f32[2] {1.5, 4}) {kind: Add}
    out = ret(e))");
}

TEST(MergeAffine, DropsWhatCancels) {
  ExpectRewritten(MergeAffine, R"(
    x = arg f32[2]
    a = Binary(x, const f32[] 6) {kind: Mul}
    b = Binary(a, const f32[] 6) {kind: Div}
    c = Unary(b) {kind: Exp}
    out = ret(c))",
                  R"(
    x = arg f32[2]
    c = Unary(x) {kind: Exp}
    out = ret(c))");
}

TEST(MergeAffine, StopsAtASecondReaderAndAtARange) {
  ExpectUnchanged(MergeAffine, R"(
    x = arg f32[2]
    a = Binary(x, const f32[] 6) {kind: Mul}
    b = Binary(a, const f32[] 3) {kind: Mul}
    c = Binary(x, const f32[] 6) {kind: Add, range: {min: 0, max: 1}}
    d = Binary(c, const f32[] 3) {kind: Add}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(d))");
}

TEST(MergeAffine, StrictAlgebraOnlyRespells) {
  ExpectRewritten(MergeAffine, R"(
    x = arg f32[2]
    a = Binary(x, const f32[2] {3, 5}) {kind: Sub}
    b = Binary(a, const f32[] 4) {kind: Div}
    c = Binary(b, const f32[] 3) {kind: Div}
    out = ret(c))",
                  R"(
    x = arg f32[2]
    a = Binary(x, const f32[2] {-3, -5}) {kind: Add}
    b = Binary(a, const f32[] 0.25) {kind: Mul}
    c = Binary(b, const f32[] 3) {kind: Div}
    out = ret(c))",
                  {.context = Strict(), .tolerance = 0});
}

TEST(MergeAffine, TheInputOfAChainDoesNotStandForIt) {
  const auto graph = Parse(R"(
    x = arg f32[2]
    e = Unary(x) {kind: Exp}
    a = Binary(e, const f32[] 1) {kind: Add}
    b = Binary(a, const f32[] 2) {kind: Add}
    out = ret(b))");
  for (Node* node : graph->op_nodes()) node->set_sources({node->name()});
  const absl::StatusOr<int> merged = MergeAffine(*graph, {});
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ(*merged, 1);
  EXPECT_EQ(graph->FindNode("e")->sources(), std::vector<std::string>{"e"});
  EXPECT_EQ(graph->FindNode("out")->input(0).node->sources(), (std::vector<std::string>{"a", "b"}));
}

TEST(MergeAffine, LeavesFullTensorsAndIntegers) {
  ExpectUnchanged(MergeAffine, R"(
    x = arg f32[2,2]
    i = arg i32[2]
    a = Binary(x, const f32[2,2] seed=1) {kind: Sub}
    b = Binary(i, const i32[] 2) {kind: Sub}
    o1 = ret(a)
    o2 = ret(b))");
}

}  // namespace
}  // namespace linnet::converter

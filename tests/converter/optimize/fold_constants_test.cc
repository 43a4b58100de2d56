// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// TensorFlow graph row 72: constant folding
TEST(FoldConstants, EvaluatesConesOfConstants) {
  ExpectRewritten(FoldConstants, R"(
    x = arg f32[2]
    a = Binary(const f32[2] {1, 2}, const f32[2] {3, 4}) {kind: Add}
    b = Unary(a) {kind: Neg}
    c = Binary(x, b) {kind: Mul}
    out = ret(c))",
                  R"(
    x = arg f32[2]
    c = Binary(x, const f32[2] {-4, -6}) {kind: Mul}
    out = ret(c))");
}

TEST(FoldConstants, KeepsTheEncodingOfMovedWeights) {
  ExpectRewritten(FoldConstants, R"(
    x = arg f32[1,4]
    w = const f32[2,2] encoding=Float16 {15360, 16384, 16896, 17408}
    t = Transpose(w) {perm: [1, 0]}
    r = Reshape(t) {shape: [1, 4]}
    y = Binary(x, r) {kind: Add}
    out = ret(y))",
                  R"(
    x = arg f32[1,4]
    y = Binary(x, const f32[1,4] encoding=Float16 {15360, 16896, 16384, 17408}) {kind: Add}
    out = ret(y))");
}

TEST(FoldConstants, LeavesWhatDependsOnAnInput) {
  ExpectUnchanged(FoldConstants, R"(
    x = arg f32[2]
    c = Binary(x, const f32[2] {1, 2}) {kind: Mul}
    out = ret(c))");
}

TEST(FoldConstants, LeavesIntegerDivisionByZeroToTheDevice) {
  ExpectUnchanged(FoldConstants, R"(
    c = Binary(const i32[] 1, const i32[] 0) {kind: Div}
    out = ret(c))");
}

// Each result would be as large as the constant, which stays as long as another op reads it.
TEST(FoldConstants, AConstantOfManyReadersIsCopiedAsOftenAsThereIsRoom) {
  const auto graph = Parse(R"(
    c = const f32[4] {1, 2, 3, 4}
    a = Unary(c) {kind: Neg}
    b = Unary(c) {kind: Abs}
    d = Unary(c) {kind: Exp}
    s = ret(a)
    t = ret(b)
    u = ret(d))");
  int64_t room = 20;
  PassContext context;
  context.constant_room = &room;
  ASSERT_TRUE(FoldConstants(*graph, context).ok());
  // One result fits into the room; the constant stays for the other two ops.
  EXPECT_EQ(room, 4);
  int folded = 0;
  for (const char* name : {"a", "b", "d"}) folded += graph->FindNode(name)->IsConstant();
  EXPECT_EQ(folded, 1);
}

}  // namespace
}  // namespace linnet::converter

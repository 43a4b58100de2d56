// SPDX-License-Identifier: Apache-2.0
// Variables that are assigned in loops and in functions that these call.
#include "tests/converter/tf_passes/variables/state_test.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class InLoops : public StateTest {
 protected:
  void SetUp() override {
    Function("below", "i = arg i32[]\nn = arg i32[]\n" + std::string(kArgA) + R"(
      go = tf.Less(i, n)
      out = ret(go))");
    Function("double", "i = arg i32[]\nn = arg i32[]\n" + std::string(kArgA) + R"(
      r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
      twice = tf.AddV2(r, r)
      s = tf.AssignVariableOp(arg_a, twice)
      next = tf.AddV2(i, const i32[] 1)
      out = ret(next)
      out2 = ret 1(n)
      out3 = ret 2(arg_a))");
    Function("small", std::string(kArgA) + R"(
      r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
      go = tf.Less(r, const f32[] 50)
      out = ret(go))");
    Function("grow", std::string(kArgA) + R"(
      s = tf.AssignAddVariableOp(arg_a, const f32[] 7) {dtype: DT_FLOAT}
      out = ret(arg_a))");
  }
};

constexpr char kCounted[] = R"({cond: @"below", body: @"double",
    T: [DT_INT32, DT_INT32, DT_RESOURCE]})";

TEST_F(InLoops, CountedByAConstant) {
  ASSERT_EQ(Convert(Model(std::string("w = tf.While(const i32[] 0, const i32[] 3, a) ") + kCounted +
                          R"(
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run(), ElementsAre(80));
  EXPECT_THAT(Run(), ElementsAre(640));
}

TEST_F(InLoops, CountedByTheInput) {
  ASSERT_EQ(Convert(Model(std::string("w = tf.While(const i32[] 0, k, a) ") + kCounted + R"(
    r = tf.ReadVariableOp(w:2) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run({{"k", 0}}), ElementsAre(10));
  EXPECT_THAT(Run({{"k", 2}}), ElementsAre(40));
}

TEST_F(InLoops, AConditionThatReadsWhatTheBodyAssigns) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.AssignVariableOp(a, x)
    w = tf.While(a, ^s) {cond: @"small", body: @"grow", T: [DT_RESOURCE]}
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run({{"x", 1}}), ElementsAre(50));
  EXPECT_THAT(Run({{"x", 45}}), ElementsAre(52));
  EXPECT_THAT(Run({{"x", 60}}), ElementsAre(60));
}

TEST_F(InLoops, ABranchInsideOfALoop) {
  Function("add_1", AddsToA(1));
  Function("negate", std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    m = tf.Neg(r)
    s = tf.AssignVariableOp(arg_a, m)
    out = ret(m))");
  Function("go_on", "i = arg i32[]\n" + std::string(kArgA) + R"(
    go = tf.Less(i, const i32[] 4)
    out = ret(go))");
  Function("step", "i = arg i32[]\n" + std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    big = tf.Greater(r, const f32[] 11)
    y = tf.If(big, arg_a, ^r) {then_branch: @"negate", else_branch: @"add_1", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    next = tf.AddV2(i, const i32[] 1)
    out = ret(next)
    out2 = ret 1(arg_a))");
  ASSERT_EQ(Convert(Model(R"(
    w = tf.While(const i32[] 0, a) {cond: @"go_on", body: @"step", T: [DT_INT32, DT_RESOURCE]}
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
            "");
  EXPECT_THAT(Run(), ElementsAre(-11));  // 11, 12, -12, -11
}

TEST_F(InLoops, AConditionThatAssignsIsRefused) {
  Function("count", std::string(kArgA) + R"(
    s = tf.AssignAddVariableOp(arg_a, const f32[] 1) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(arg_a, ^s) {dtype: DT_FLOAT}
    go = tf.Less(r, const f32[] 50)
    out = ret(go))");
  EXPECT_THAT(Convert(Model(R"(
    w = tf.While(a) {cond: @"count", body: @"grow", T: [DT_RESOURCE]}
    r = tf.ReadVariableOp(a, ^w) {dtype: DT_FLOAT}
    out = ret(r))")),
              HasSubstr("While 'w': has a condition that assigns the variable 'a'"));
}

}  // namespace
}  // namespace linnet::converter

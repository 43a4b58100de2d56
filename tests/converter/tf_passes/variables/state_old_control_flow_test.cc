// SPDX-License-Identifier: Apache-2.0
// The order of assignments in models with Switch, Merge and the loops of TensorFlow 1.
#include "tests/converter/tf_passes/variables/state_test.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OldControlFlow : public StateTest {};

TEST_F(OldControlFlow, WhatASwitchWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    s = tf.Switch(x, p, ^s1)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, -5));
}

// A control edge from the Switch itself, not from one of its branches.
TEST_F(OldControlFlow, WhatWaitsForASwitch) {
  for (const std::string predicate : {"p", "const bool[] true"}) {
    ASSERT_EQ(Convert(Model(R"(
      s1 = tf.AssignVariableOp(b, x)
      s = tf.Switch(x, )" + predicate +
                            R"(, ^s1)
      n = tf.Neg(s:1)
      m = tf.Merge(s, n)
      y = tf.ReadVariableOp(b, ^s) {dtype: DT_FLOAT}
      out = ret(y)
      out2 = ret 1(m))")),
              "");
    EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, -5)) << predicate;
  }
}

TEST_F(OldControlFlow, WhatWaitsForASwitchBehindALoop) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    one = const f32[] 1 (^s1)
    enter = tf.Enter(one) {frame_name: "w"}
    merge = tf.Merge(enter, next)
    less = tf.Less(merge, const f32[] 3)
    go = tf.LoopCond(less)
    switch = tf.Switch(merge, go)
    body = tf.Identity(switch:1)
    more = tf.AddV2(body, const f32[] 1)
    next = tf.NextIteration(more)
    exit = tf.Exit(switch)
    neg = tf.Neg(exit)
    s = tf.Switch(x, p, ^neg)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n)
    y = tf.ReadVariableOp(b, ^s) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, -5));
}

TEST_F(OldControlFlow, WhatAMergeWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    s = tf.Switch(x, p)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n, ^s1)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5));
}

TEST_F(OldControlFlow, WhatOnlyAMergeWaitsForInABranch) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.Switch(x, p)
    set = tf.AssignVariableOp(b, s:1)
    n = tf.Neg(s:1)
    m = tf.Merge(s, n, ^set)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(-3));
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5));
}

TEST_F(OldControlFlow, WhatAPredicateWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    late = tf.Identity(p, ^s1)
    first = tf.Switch(x, p)
    n1 = tf.Neg(first:1)
    m1 = tf.Merge(first, n1)
    second = tf.Switch(m1, late)
    n2 = tf.Neg(second:1)
    m2 = tf.Merge(second, n2)
    y = tf.ReadVariableOp(b, ^m2) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(m2))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, 5));
}

TEST_F(OldControlFlow, WhatAConstantPredicateWaitsFor) {
  for (const char* waits : {"(yes, ^s1)", "(yes)"}) {
    const bool by_predicate = std::string_view(waits).size() > 5;
    ASSERT_EQ(Convert(Model(std::string("s1 = tf.AssignVariableOp(b, x)\nyes = const bool[] 1\n") +
                            "pid = tf.Identity" + waits + "\ns = tf.Switch(x, pid" +
                            (by_predicate ? ")" : ", ^s1)") + R"(
      n = tf.Neg(s:1)
      m = tf.Merge(s, n)
      y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
      out = ret(y))")),
              "");
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5)) << waits;
  }
}

TEST_F(OldControlFlow, ABranchOnlyTiedByItsPivot) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    late = tf.Identity(p, ^s1)
    pivot = tf.Switch(late, p)
    yes = tf.Identity(pivot:1)
    no = tf.Identity(pivot)
    r = tf.ReadVariableOp(b, ^yes) {dtype: DT_FLOAT}
    zero = const f32[] 0 (^no)
    m = tf.Merge(zero, r)
    out = ret(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5));
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(0));
}

TEST_F(OldControlFlow, ALargeConstantThatWaitsInABranch) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.Switch(x, p)
    set = tf.AssignVariableOp(b, s:1)
    large = const f32[400] fill=2 (^set)
    sum = tf.Sum(large, const i32[] 0)
    m = tf.Merge(s, sum)
    y = tf.ReadVariableOp(b, ^m) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(5, 800));
}

constexpr char kOldLoop[] = R"(
    ie = tf.Enter(const i32[] 0%ENTER%) {frame_name: "w"}
    ae = tf.Enter(a) {frame_name: "w", is_constant: true}
    ke = tf.Enter(k) {frame_name: "w", is_constant: true}
    im = tf.Merge(ie, in)
    less = tf.Less(im, ke)
    go = tf.LoopCond(less)
    is = tf.Switch(im, go)
    ii = tf.Identity(is:1)
    add = tf.AssignAddVariableOp(ae, const f32[] 3, ^ii) {dtype: DT_FLOAT}
    next = tf.AddV2(ii, const i32[] 1)
    in = tf.NextIteration(next, ^add)
    iexit = tf.Exit(is)
    r = tf.ReadVariableOp(a, ^iexit) {dtype: DT_FLOAT}
    out = ret(r))";

std::string OldLoop(const std::string& enter) {
  std::string text = kOldLoop;
  const std::string_view mark = "%ENTER%";
  return text.replace(text.find(mark), mark.size(), enter);
}

TEST_F(OldControlFlow, ALoopsNextIterationWaitsForAnAssignment) {
  ASSERT_EQ(Convert(Model(OldLoop(""))), "");
  EXPECT_THAT(Run({{"k", 4}}), ElementsAre(22));
  EXPECT_THAT(Run({{"k", 0}}), ElementsAre(22));
  EXPECT_THAT(Run({{"k", 1}}), ElementsAre(25));
}

TEST_F(OldControlFlow, WhatAnEnterWaitsFor) {
  ASSERT_EQ(Convert(Model("s1 = tf.AssignVariableOp(a, x)\n" + OldLoop(", ^s1"))), "");
  EXPECT_THAT(Run({{"k", 2}, {"x", 1}}), ElementsAre(7));
}

TEST_F(OldControlFlow, AnOldLoopThatNeverRuns) {
  std::string text = OldLoop(", ^s1");
  text.replace(text.find("tf.LoopCond(less)"), 17, "tf.LoopCond(const bool[] 0)");
  ASSERT_EQ(Convert(Model("s1 = tf.AssignVariableOp(a, x)\n" + text)), "");
  EXPECT_THAT(Run({{"k", 2}, {"x", 1}}), ElementsAre(1));
}

// The handle reaches the assignment through an Enter.
TEST_F(OldControlFlow, AnOldLoopInAFunctionIsNotOverlooked) {
  std::string text = OldLoop("");
  text = text.substr(0, text.find("r = tf.Read")) + "out = ret(iexit)";
  for (const auto& [from, to] : {std::pair{"Enter(a)", "Enter(arg_a)"}, {"Enter(k)", "Enter(c)"}})
    text.replace(text.find(from), std::string_view(from).size(), to);
  Function("loop", std::string(kArgA) + "c = const i32[] 2\n" + text);
  Function("none", std::string(kArgA) + "z = const i32[] 0\nout = ret(z)");
  EXPECT_THAT(Convert(Model(R"(
    y = tf.If(p, a) {then_branch: @"loop", else_branch: @"none", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_INT32]}
    r = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    out = ret(r))")),
              HasSubstr("is of TensorFlow 1, in a function that uses the variable 'a'"));
}

TEST_F(OldControlFlow, AnEmptyConstantInABranch) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.Switch(x, p)
    w = tf.Identity(s:1)
    e = const f32[0] fill=0 (^w)
    one = tf.Reshape(w, const i32[1] {1})
    c = tf.ConcatV2(one, e, const i32[] 0)
    sum = tf.Sum(c, const i32[] 0)
    n = tf.Neg(sum)
    m = tf.Merge(s, n)
    out = ret(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 1}}), ElementsAre(-5));
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(5));
}

}  // namespace
}  // namespace linnet::converter

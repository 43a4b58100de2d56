// SPDX-License-Identifier: Apache-2.0
// Variables that are assigned in branches and in functions that these call.
#include "fmt/format.h"
#include "tests/converter/tf_passes/variables/state_test.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class InBranches : public StateTest {
 protected:
  void SetUp() override {
    Function("add_5", AddsToA(5));
    Function("read", ReadsA());
    Function("set_b", std::string(kArgA) + std::string(kArgB) + R"(
      r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
      s = tf.AssignVariableOp(arg_b, r)
      out = ret(r))");
    Function("set_a", std::string(kArgA) + std::string(kArgB) + R"(
      r = tf.ReadVariableOp(arg_b) {dtype: DT_FLOAT}
      s = tf.AssignVariableOp(arg_a, r)
      out = ret(r))");
  }
};

TEST_F(InBranches, OneOfTwoAssigns) {
  for (const char* op : {"If", "StatelessIf"}) {
    ASSERT_EQ(Convert(Model(std::string("y = tf.") + op + R"((p, a) {then_branch: @"add_5",
        else_branch: @"read", Tcond: DT_BOOL, Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
      after = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
      before = tf.ReadVariableOp(a) {dtype: DT_FLOAT}
      out = ret(y)
      out2 = ret 1(after)
      out3 = ret 2(before))")),
              "");
    EXPECT_THAT(Run({{"p", 1}}), ElementsAre(15, 15, 10));
    EXPECT_THAT(Run({{"p", 0}}), ElementsAre(15, 15, 15));
    EXPECT_THAT(Run({{"p", 1}}), ElementsAre(20, 20, 15));
  }
}

TEST_F(InBranches, EachAssignsAnother) {
  const std::string model = Model(R"(
    y = tf.If(p, a, b) {then_branch: @"set_a", else_branch: @"set_b", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE, DT_RESOURCE], Tout: [DT_FLOAT]}
    ra = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    rb = tf.ReadVariableOp(b, ^y) {dtype: DT_FLOAT}
    out = ret(ra)
    out2 = ret 1(rb))");
  ASSERT_EQ(Convert(model), "");
  EXPECT_THAT(Run({{"p", 1}}), ElementsAre(-3, -3));
  ASSERT_EQ(Convert(model), "");
  EXPECT_THAT(Run({{"p", 0}}), ElementsAre(10, 10));
}

TEST_F(InBranches, OnlyAControlEdgeReadsTheBranch) {
  ASSERT_EQ(Convert(Model(R"(
    y = tf.If(p, a) {then_branch: @"add_5", else_branch: @"read", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out_x = tf.Identity(x, ^y)
    out = ret(out_x))")),
            "");
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(1));
  EXPECT_EQ(State("a"), 15);
}

TEST_F(InBranches, ABranchWaitsForWhatItsNodeWaitsFor) {
  ASSERT_EQ(Convert(Model(R"(
    s = tf.AssignVariableOp(a, x)
    y = tf.If(p, a, ^s) {then_branch: @"add_5", else_branch: @"read", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(6));
  EXPECT_THAT(Run({{"p", 0}, {"x", 2}}), ElementsAre(2));
}

TEST_F(InBranches, CaseOfThree) {
  ASSERT_EQ(Convert(Model(R"(
    y = tf.Case(k, a) {branches: [@"read", @"add_5", @"read"], Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    after = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    out = ret(after))")),
            "");
  EXPECT_THAT(Run({{"k", 0}}), ElementsAre(10));
  EXPECT_THAT(Run({{"k", 1}}), ElementsAre(15));
  EXPECT_THAT(Run({{"k", 7}}), ElementsAre(15));
}

TEST_F(InBranches, NestedInBranchesAndCalls) {
  Function("call", std::string(kArgA) + R"(
    c = tf.StatefulPartitionedCall(arg_a) {f: @"add_5", Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    r = tf.ReadVariableOp(arg_a, ^c) {dtype: DT_FLOAT}
    y = tf.AddV2(c, r)
    out = ret(y))");
  Function("inner", "q = arg bool[]\n" + std::string(kArgA) + R"(
    y = tf.If(q, arg_a) {then_branch: @"call", else_branch: @"read", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))");
  Function("not", "q = arg bool[]\n" + ReadsA());
  ASSERT_EQ(Convert(Model(R"(
    big = tf.Greater(x, const f32[] 0)
    y = tf.If(big, p, a) {then_branch: @"inner", else_branch: @"not", Tcond: DT_BOOL,
      Tin: [DT_BOOL, DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(30));
  EXPECT_THAT(Run({{"p", 1}, {"x", -1}}), ElementsAre(15));
  EXPECT_THAT(Run({{"p", 0}, {"x", 1}}), ElementsAre(15));
  EXPECT_THAT(Run({{"p", 1}, {"x", 1}}), ElementsAre(40));
}

TEST_F(InBranches, HandlesInsideOfFunctions) {
  Function("own", R"(
    h = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[], shared_name: "a"}
    s = tf.AssignAddVariableOp(h, const f32[] 2) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(h, ^s) {dtype: DT_FLOAT}
    out = ret(r))");
  Function("zero", R"(
    z = const f32[] 0
    out = ret(z))");
  ASSERT_EQ(Convert(Model(R"(
    y = tf.If(p) {then_branch: @"own", else_branch: @"zero", Tcond: DT_BOOL, Tin: [], Tout: [DT_FLOAT]}
    r = tf.ReadVariableOp(a, ^y) {dtype: DT_FLOAT}
    out = ret(y)
    out2 = ret 1(r))")),
            "");
  EXPECT_THAT(Run({{"p", 1}}), ElementsAre(12, 12));
  EXPECT_THAT(Run({{"p", 0}}), ElementsAre(0, 12));
}

TEST_F(InBranches, AHandleThatMayBeOneOfTwoIsRefused) {
  Function("first", std::string(kArgA) + std::string(kArgB) + "out = ret(arg_a)");
  Function("second", std::string(kArgA) + std::string(kArgB) + "out = ret(arg_b)");
  EXPECT_THAT(Convert(Model(R"(
    h = tf.If(p, a, b) {then_branch: @"first", else_branch: @"second", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE, DT_RESOURCE], Tout: [DT_RESOURCE]}
    s = tf.AssignVariableOp(a, x)
    r = tf.ReadVariableOp(h, ^s) {dtype: DT_FLOAT}
    out = ret(r))")),
              HasSubstr("If 'h': may return the handle of the variable 'a'"));
}

// Apart from the assignment the variables are only read: the assignment must not be overlooked.
TEST_F(InBranches, AnAssignmentToOneOfTwoIsRefused) {
  Function("first", std::string(kArgA) + std::string(kArgB) + "out = ret(arg_a)");
  Function("second", std::string(kArgA) + std::string(kArgB) + "out = ret(arg_b)");
  EXPECT_THAT(Convert(Model(R"(
    h = tf.If(p, a, b) {then_branch: @"first", else_branch: @"second", Tcond: DT_BOOL,
      Tin: [DT_RESOURCE, DT_RESOURCE], Tout: [DT_RESOURCE]}
    s = tf.AssignVariableOp(h, x)
    r = tf.ReadVariableOp(a, ^s) {dtype: DT_FLOAT}
    out = ret(r))")),
              HasSubstr("'s': the converter cannot tell which variable it assigns; change"));
}

TEST_F(InBranches, AWriteToATableInAnUnreadFunctionIsRefused) {
  Function("insert", R"(
    t = tf.MutableHashTableV2() {key_dtype: DT_INT64, value_dtype: DT_INT64}
    w = tf.LookupTableInsertV2(t, const i64[1] {1}, const i64[1] {2})
    z = const f32[] 0
    out = ret(z))");
  Function("zero", R"(
    z = const f32[] 0
    out = ret(z))");
  EXPECT_THAT(Convert(Model(R"(
    y = tf.If(p) {then_branch: @"insert", else_branch: @"zero", Tcond: DT_BOOL, Tin: [], Tout: [DT_FLOAT]}
    out = ret(y))")),
              HasSubstr("LookupTableInsertV2 'insert/w': it changes a hash table"));
}

// It is known which branch runs, and that branch does nothing.
TEST_F(InBranches, WhatWaitsForABranchThatIsKnown) {
  Function("same", "q = arg 0 f32[]\nout = ret(q)");
  const std::string types = ", Tin: [DT_FLOAT], Tout: [DT_FLOAT]}";
  const std::vector<std::string> calls = {
      "tf.StatelessCase(const i32[] 0, r) {branches: [@\"same\", @\"same\"]" + types,
      "tf.StatelessIf(const bool[] true, r) {then_branch: @\"same\", else_branch: @\"same\", "
      "Tcond: "
      "DT_BOOL" +
          types,
      "tf.PartitionedCall(r) {f: @\"same\"" + types};
  for (const std::string& node : calls) {
    ASSERT_EQ(Convert(Model(R"(
      s = tf.AssignVariableOp(a, x)
      r = tf.ReadVariableOp(a, ^s) {dtype: DT_FLOAT}
      c = )" + node + R"(
      y = tf.ReadVariableOp(a, ^c) {dtype: DT_FLOAT}
      out = ret(y))")),
              "");
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5)) << node;
  }
}

// Each function either swaps two handles or does not, and calls the next one: 2^16 combinations of
// variables.
TEST_F(StateTest, SwappedHandlesDoNotMultiply) {
  constexpr int kDepth = 16;
  const auto handles = [](const std::string& prefix, int swapped) {
    std::string names = "q";
    for (int i = 0; i <= kDepth; ++i)
      names += fmt::format(", {}{}", prefix,
                           swapped < 0 || i < swapped || i > swapped + 1 ? i : 2 * swapped + 1 - i);
    return names;
  };
  std::string arguments = "q = arg 0 bool[]\n", variables = "q = tf.Identity(p)\n",
              types = "DT_BOOL";
  for (int i = 0; i <= kDepth; ++i) {
    arguments += fmt::format("arg_{} = tf.VarHandleOp() {{dtype: DT_FLOAT, shape: shape[]}}\n", i);
    variables += fmt::format("v{} = tf.VarHandleOp() {{dtype: DT_FLOAT, shape: shape[]}}\n", i);
    types += ", DT_RESOURCE";
  }
  const auto call = [&](const std::string& prefix, int swapped, int next) {
    return fmt::format(
        "y = tf.StatefulPartitionedCall({}) {{f: @\"level{}\", Tin: [{}], Tout: [DT_FLOAT]}}\n"
        "out = ret(y)",
        handles(prefix, swapped), next, types);
  };
  Function(fmt::format("level{}", kDepth), arguments + R"(
    s = tf.AssignAddVariableOp(arg_0, const f32[] 1) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(arg_0, ^s) {dtype: DT_FLOAT}
    out = ret(r))");
  for (int i = kDepth - 1; i >= 0; --i) {
    Function(fmt::format("swap{}", i), arguments + call("arg_", i, i + 1));
    Function(fmt::format("level{}", i),
             arguments + fmt::format(R"(
      y = tf.If(q, {}) {{then_branch: @"level{}", else_branch: @"swap{}", Tcond: DT_BOOL,
        Tin: [{}], Tout: [DT_FLOAT]}}
      out = ret(y))",
                                     handles("arg_", -1), i + 1, i, types));
  }
  EXPECT_THAT(Convert(Model(variables + call("v", -1, 0))),
              HasSubstr("is wanted for too many choices of variables"));
}

// Each call is short, but passes on all variables of the function.
TEST_F(StateTest, CallsTimesVariablesHaveALimit) {
  constexpr int kVariables = 2700;
  std::string variables, sums, waits;
  for (int i = 0; i < kVariables; ++i) {
    variables += fmt::format(
        "v{0} = tf.VarHandleOp() {{dtype: DT_FLOAT, shape: shape[]}}\n"
        "r{0} = tf.ReadVariableOp(v{0}) {{dtype: DT_FLOAT}}\n",
        i);
    sums += fmt::format(
        "h{0} = tf.VarHandleOp() {{dtype: DT_FLOAT, shape: shape[], shared_name: \"v{0}\"}}\n"
        "s{0} = tf.AssignAddVariableOp(h{0}, a) {{dtype: DT_FLOAT}}\n",
        i);
    waits += fmt::format(", ^s{}", i);
  }
  Function("all",
           "a = arg 0 f32[]\n" + sums + fmt::format("y = tf.Identity(a{})\nout = ret(y)", waits));
  Function("none", "a = arg 0 f32[]\ny = tf.Neg(a)\nout = ret(y)");
  const auto model = [&](int calls) {
    std::string text = variables + "y0 = tf.Identity(r0)\n";
    for (int i = 0; i < calls; ++i)
      text += fmt::format(R"(
        y{} = tf.If(p, y{}) {{then_branch: @"all", else_branch: @"none", Tcond: DT_BOOL,
          Tin: [DT_FLOAT], Tout: [DT_FLOAT]}})",
                          i + 1, i);
    return Model(text + fmt::format("\nout = ret(y{})", calls));
  };
  EXPECT_EQ(Convert(model(2)), "");
  EXPECT_THAT(Convert(model(100)), HasSubstr("hand over more than 262144 variables"));
  // Each assignment is in its own function, which is called once.
  std::string wrapped = variables + "y0 = tf.Identity(r0)\n";
  for (int i = 0; i < 100; ++i) {
    Function(fmt::format("once{}", i), R"(
      a = arg 0 f32[]
      q = const bool[] true
      y = tf.If(q, a) {then_branch: @"all", else_branch: @"none", Tcond: DT_BOOL,
        Tin: [DT_FLOAT], Tout: [DT_FLOAT]}
      out = ret(y))");
    wrapped += fmt::format(R"(
      y{} = tf.If(p, y{}) {{then_branch: @"once{}", else_branch: @"none", Tcond: DT_BOOL,
        Tin: [DT_FLOAT], Tout: [DT_FLOAT]}})",
                           i + 1, i, i);
  }
  EXPECT_THAT(Convert(Model(wrapped + "\nout = ret(y100)")),
              HasSubstr("use more than 262144 variables"));
}

}  // namespace
}  // namespace linnet::converter

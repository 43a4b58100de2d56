// SPDX-License-Identifier: Apache-2.0
// Which loops are unrolled, which are kept and which are refused. Their results are tested by
// tests/conformance/tf/{control_flow,tensor_lists}.json and tests/models/control_flow.json.
#include <gtest/gtest.h>

#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "converter/import/import.h"
#include "converter/pass/passes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::string Function(const std::string& name, const std::string& type, const std::string& result,
                     const std::string& nodes) {
  return fmt::format(
      R"(function {{ signature {{ name: "{0}" input_arg {{ name: "x" type: DT_INT32 }}
           output_arg {{ name: "y" type: {1} }} }}
         {3} ret {{ key: "y" value: "{2}" }} }}
)",
      name, type, result, nodes);
}

std::string Scalar(int value) {
  return fmt::format(
      R"(node_def {{ name: "c" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
           attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: {} }} }} }} }})",
      value);
}

std::string Call(const std::string& op, const std::string& y, const std::string& more = "") {
  return fmt::format(
      R"(node_def {{ name: "n" op: "{}" input: "x" input: "{}"
           attr {{ key: "T" value {{ type: DT_INT32 }} }} {} }})",
      op, y, more);
}

constexpr char kWhile[] = R"(
    node { name: "loop" op: "StatelessWhile" input: "x" attr { key: "T" value { list { type: DT_INT32 } } }
      attr { key: "cond" value { func { name: "cond" } } } attr { key: "body" value { func { name: "body" } } } })";

// Legalizes x (a fed scalar, unless it is a constant) -> `nodes` -> result "loop". Returns the
// graph as text, or the error.
absl::StatusOr<std::string> Legalized(const std::string& functions, bool is_fed,
                                      const std::string& nodes = kWhile,
                                      const UnrollLimits& unroll = {}) {
  const std::string x =
      is_fed ? R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
                    attr { key: "shape" value { shape {} } } })"
             : R"(node { name: "x" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
                    attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } })";
  auto model = ImportPbtxt(x + nodes + "versions { producer: 1395 } library { " + functions + "}");
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) return model.status();
  PassContext context;
  context.fetches = {"loop"};
  context.unroll = unroll;
  int64_t room = int64_t{256} << 20;
  context.constant_room = &room;
  EXPECT_TRUE(Prune(*model->graph, context).ok());
  const absl::StatusOr<int> result = Legalize(*model->graph, context);
  if (!result.ok()) return result.status();
  EXPECT_TRUE(VerifyGraph(*model->graph).ok()) << VerifyGraph(*model->graph);
  return PrintGraph(*model->graph);
}

std::string ErrorOf(const std::string& functions, bool is_fed = false,
                    const std::string& nodes = kWhile) {
  const auto text = Legalized(functions, is_fed, nodes);
  return text.ok() ? "" : std::string(text.status().message());
}

const std::string kLess =
    Function("cond", "DT_BOOL", "n:z:0", Scalar(10) + Call("Less", "c:output:0"));
const std::string kAddOne =
    Function("body", "DT_INT32", "n:z:0", Scalar(1) + Call("AddV2", "c:output:0"));

TEST(ControlFlow, CountedLoopsAreUnrolled) { EXPECT_EQ(ErrorOf(kLess + kAddOne), ""); }

// Whether a loop of ten iterations stays: i counts from 0, x, which is fed, is doubled. `result` is
// the number of the one that is read.
bool TenTimesIsKept(int result, const UnrollLimits& unroll) {
  const auto function = [](const std::string& name, const std::string& results,
                           const std::string& nodes) {
    return fmt::format(
        R"(function {{ signature {{ name: "{}" input_arg {{ name: "i" type: DT_INT32 }}
             input_arg {{ name: "x" type: DT_INT32 }} {} }} {})",
        name, results, nodes);
  };
  const std::string functions =
      function("cond2", R"(output_arg { name: "y" type: DT_BOOL })",
               Scalar(10) + R"(node_def { name: "n" op: "Less" input: "i" input: "c:output:0"
                   attr { key: "T" value { type: DT_INT32 } } } ret { key: "y" value: "n:z:0" } })") +
      function("body2",
               R"(output_arg { name: "y" type: DT_INT32 } output_arg { name: "z" type: DT_INT32 })",
               Scalar(1) + R"(node_def { name: "n" op: "AddV2" input: "i" input: "c:output:0"
                   attr { key: "T" value { type: DT_INT32 } } }
                 node_def { name: "m" op: "AddV2" input: "x" input: "x"
                   attr { key: "T" value { type: DT_INT32 } } }
                 ret { key: "y" value: "n:z:0" } ret { key: "z" value: "m:z:0" } })");
  const std::string nodes = fmt::format(
      R"(node {{ name: "zero" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
           attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: 0 }} }} }} }}
         node {{ name: "while" op: "StatelessWhile" input: "zero" input: "x"
           attr {{ key: "T" value {{ list {{ type: DT_INT32 type: DT_INT32 }} }} }}
           attr {{ key: "cond" value {{ func {{ name: "cond2" }} }} }}
           attr {{ key: "body" value {{ func {{ name: "body2" }} }} }} }}
         node {{ name: "loop" op: "Neg" input: "while:{}" attr {{ key: "T" value {{ type: DT_INT32 }} }} }})",
      result);
  const auto text = Legalized(functions, /*is_fed=*/true, nodes, unroll);
  EXPECT_TRUE(text.ok()) << text.status();
  return text.ok() && text->find("= While(") != std::string::npos;
}

TEST(ControlFlow, CountedLoopsBeyondTheLimitsAreKept) {
  EXPECT_FALSE(TenTimesIsKept(1, {.iterations = 10}));
  EXPECT_TRUE(TenTimesIsKept(1, {.iterations = 9}));
  EXPECT_TRUE(TenTimesIsKept(1, {.iterations = 0}));
  EXPECT_TRUE(TenTimesIsKept(1, {.nodes = 5}));
  EXPECT_FALSE(TenTimesIsKept(1, {}));
  EXPECT_FALSE(TenTimesIsKept(1, UnrollLimits::Unlimited()));
}

// It may say how large a tensor is.
TEST(ControlFlow, ACountThatIsReadIsComputed) {
  EXPECT_FALSE(TenTimesIsKept(0, {.iterations = 0}));
}

// A variable that becomes longer in each iteration: no plan has such a loop.
TEST(ControlFlow, WhatCannotStayIsUnrolledBeyondTheLimits) {
  const std::string shorter = Scalar(10) + R"(
    node_def { name: "s" op: "Size" input: "x" attr { key: "T" value { type: DT_INT32 } } }
    node_def { name: "n" op: "Less" input: "s:output:0" input: "c:output:0"
      attr { key: "T" value { type: DT_INT32 } } })";
  const std::string twice = Scalar(0) + R"(
    node_def { name: "all" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: -1 } } } }
    node_def { name: "s" op: "Reshape" input: "x" input: "all:output:0" attr { key: "T" value { type: DT_INT32 } }
      attr { key: "Tshape" value { type: DT_INT32 } } }
    node_def { name: "n" op: "ConcatV2" input: "s:output:0" input: "s:output:0" input: "c:output:0"
      attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_INT32 } }
      attr { key: "Tidx" value { type: DT_INT32 } } })";
  const auto text = Legalized(Function("cond", "DT_BOOL", "n:z:0", shorter) +
                                  Function("body", "DT_INT32", "n:output:0", twice),
                              /*is_fed=*/true, kWhile, {.iterations = 0});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(text->find("While("), std::string::npos) << *text;
  EXPECT_NE(text->find("i32[16]"), std::string::npos) << *text;
}

TEST(ControlFlow, ALoopThatTheInputEndsIsKept) {
  const auto text = Legalized(kLess + kAddOne, /*is_fed=*/true);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, R"(_arg_x_0_0 = arg i32[]
loop = While(_arg_x_0_0) [
  loop/cond/x = arg i32[]
  loop/cond/c = const i32[] 10
  loop/cond/n = Compare(loop/cond/x, loop/cond/c) {kind: Less} : bool[]
  loop/cond/y_RetVal = ret(loop/cond/n)
] [
  loop/body/x = arg i32[]
  loop/body/c = const i32[] 1
  loop/body/n = Binary(loop/body/x, loop/body/c) {kind: Add} : i32[]
  loop/body/y_RetVal = ret(loop/body/n)
] : i32[]
_retval_loop_0_0 = ret(loop)
)");
}

TEST(ControlFlow, EndlessLoopsAreRefused) {
  const std::string error = ErrorOf(kLess + Function("body", "DT_INT32", "x", ""));
  EXPECT_NE(error.find("never ends once it has begun"), std::string::npos) << error;
}

TEST(ControlFlow, UnrolledLoopsHaveALimit) {
  // A loop nested in itself would be recursion, so this one has a long body instead.
  std::string nodes = Scalar(0) + Call("Mul", "c:output:0");
  for (int i = 0; i < 8; ++i)
    nodes += fmt::format(
        R"(node_def {{ name: "s{0}" op: "AddV2" input: "{1}" input: "x"
             attr {{ key: "T" value {{ type: DT_INT32 }} }} }})",
        i, i == 0 ? std::string("n:z:0") : fmt::format("s{}:z:0", i - 1));
  const auto text = Legalized(kLess + Function("body", "DT_INT32", "s7:z:0", nodes), false, kWhile,
                              UnrollLimits::Unlimited());
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_NE(text->find("loop = While("), std::string::npos);
  EXPECT_LT(text->size(), 3000u);  // nothing of the failed attempt stays
}

// The state of a random generator cannot follow a number of iterations that only the input
// determines.
TEST(ControlFlow, GeneratorsRunAKnownNumberOfTimes) {
  const std::string random = Scalar(1) + R"(
    node_def { name: "s" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value"
      value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 0 } } } } } }
    node_def { name: "r" op: "RandomUniformInt" input: "s:output:0" input: "c:output:0" input: "x"
      attr { key: "Tout" value { type: DT_INT32 } } attr { key: "T" value { type: DT_INT32 } }
      attr { key: "seed" value { i: 7 } } })";
  const std::string body = Function("body", "DT_INT32", "r:output:0", random);
  std::string nodes = kWhile;
  nodes.replace(nodes.find("StatelessWhile"), 14, "While");
  for (const bool is_fed : {false, true})
    EXPECT_NE(ErrorOf(kLess + body, is_fed, nodes).find("the model's input decides how often"),
              std::string::npos)
        << ErrorOf(kLess + body, is_fed, nodes);
}

constexpr char kIf[] = R"(
    node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } }
    node { name: "p" op: "Less" input: "x" input: "zero" attr { key: "T" value { type: DT_INT32 } } }
    node { name: "loop" op: "StatelessIf" input: "p" input: "x" attr { key: "Tcond" value { type: DT_BOOL } }
      attr { key: "Tin" value { list { type: DT_INT32 } } } attr { key: "Tout" value { list { type: DT_INT32 } } }
      attr { key: "then_branch" value { func { name: "then" } } }
      attr { key: "else_branch" value { func { name: "else" } } } })";

TEST(ControlFlow, ABranchWithAKeptLoopRunsOnlyWhenTaken) {
  const std::string then = Function("then", "DT_INT32", "w:output:0", R"(
    node_def { name: "w" op: "StatelessWhile" input: "x" attr { key: "T" value { list { type: DT_INT32 } } }
      attr { key: "cond" value { func { name: "cond" } } }
      attr { key: "body" value { func { name: "body" } } } })");
  const std::string otherwise =
      Function("else", "DT_INT32", "n:z:0", Scalar(5) + Call("AddV2", "c:output:0"));
  const auto text = Legalized(kLess + kAddOne + then + otherwise, /*is_fed=*/true, kIf);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_NE(text->find("loop = If(p, _arg_x_0_0) [\n"), std::string::npos) << *text;
  EXPECT_NE(text->find("\n  loop/then/w = While("), std::string::npos) << *text;
  EXPECT_EQ(text->find("Select("), std::string::npos) << *text;
}

TEST(ControlFlow, BranchesWithoutSuchALoopBecomeSelects) {
  const std::string arms =
      Function("then", "DT_INT32", "n:z:0", Scalar(2) + Call("Mul", "c:output:0")) +
      Function("else", "DT_INT32", "n:z:0", Scalar(5) + Call("AddV2", "c:output:0"));
  const auto text = Legalized(arms, /*is_fed=*/true, kIf);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_NE(text->find("Select("), std::string::npos) << *text;
  EXPECT_EQ(text->find("If("), std::string::npos) << *text;
}

TEST(ControlFlow, AVariableThatGrowsIsRefused) {
  const std::string grow = R"(
    node_def { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 1 } } } }
    node_def { name: "n" op: "Reshape" input: "x" input: "c:output:0" attr { key: "T" value { type: DT_INT32 } }
      attr { key: "Tshape" value { type: DT_INT32 } } })";
  const std::string sum = R"(
    node_def { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 9 } } } }
    node_def { name: "all" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: -1 } } } }
    node_def { name: "s" op: "Reshape" input: "x" input: "all:output:0" attr { key: "T" value { type: DT_INT32 } }
      attr { key: "Tshape" value { type: DT_INT32 } } }
    node_def { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } }
    node_def { name: "one" op: "GatherV2" input: "s:output:0" input: "zero:output:0" input: "zero:output:0"
      attr { key: "Tparams" value { type: DT_INT32 } } attr { key: "Tindices" value { type: DT_INT32 } }
      attr { key: "Taxis" value { type: DT_INT32 } } }
    node_def { name: "n" op: "Less" input: "one:output:0" input: "c:output:0"
      attr { key: "T" value { type: DT_INT32 } } })";
  const std::string error = ErrorOf(
      Function("cond", "DT_BOOL", "n:z:0", sum) + Function("body", "DT_INT32", "n:output:0", grow),
      /*is_fed=*/true);
  EXPECT_NE(error.find("chooses between results of shapes [1] and []"), std::string::npos) << error;
}

TEST(ControlFlow, RecursionIsPrinted) {
  const std::string call = R"(node_def { name: "n" op: "PartitionedCall" input: "x"
    attr { key: "Tin" value { list { type: DT_INT32 } } } attr { key: "Tout" value { list { type: DT_INT32 } } }
    attr { key: "f" value { func { name: "body" } } } })";
  const std::string error = ErrorOf(kLess + Function("body", "DT_INT32", "n:output:0", call));
  EXPECT_NE(error.find("recursive: body -> body"), std::string::npos) << error;
}

TEST(ControlFlow, AMissingFunctionIsNamed) {
  const std::string error = ErrorOf(kLess);
  EXPECT_NE(error.find("'body', which the model does not have"), std::string::npos) << error;
}

TEST(ControlFlow, ProblemsInsideAreReportedOnceWithTheNodesName) {
  const std::string error = ErrorOf(
      kLess +
      Function(
          "body", "DT_INT32", "n:output:0",
          R"(node_def { name: "n" op: "Bitcast" input: "x" attr { key: "T" value { type: DT_INT32 } }
                            attr { key: "type" value { type: DT_INT32 } } })"));
  EXPECT_NE(error.find("loop/0/n"), std::string::npos) << error;
  EXPECT_EQ(error.find("loop/1/n"), std::string::npos) << error;
}

}  // namespace
}  // namespace linnet::converter

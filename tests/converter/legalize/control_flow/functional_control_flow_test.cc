// SPDX-License-Identifier: Apache-2.0
// If, While and Case of TensorFlow 2, as in TensorFlow's own tests of lowering.
#include <map>

#include "converter/graph/tensorflow/function_library.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/import/import.h"
#include "converter/pass/passes.h"
#include "fmt/format.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// A function of int32 scalars: "x", or "x" and "y".
std::string Function(std::string_view name, std::string_view args, std::string_view result_type,
                     std::string_view nodes, std::string_view rets) {
  std::string ends;
  for (const char arg : args)
    ends += fmt::format("input_arg {{ name: '{}' type: {} }} ", arg,
                        arg == 'p' ? "DT_BOOL" : "DT_INT32");
  std::string results;
  int k = 0;
  std::string_view rest = rets;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    ends += fmt::format("output_arg {{ name: 'r{}' type: {} }} ", k,
                        rest.substr(0, end) == "p" ? "DT_BOOL" : result_type);
    results += fmt::format("ret {{ key: 'r{}' value: '{}' }} ", k++, rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return fmt::format("function {{ signature {{ name: '{}' {} }} {} {} }}\n", name, ends, nodes,
                     results);
}

std::string Number(std::string_view name, int value) {
  return fmt::format(
      "node_def {{ name: '{}' op: 'Const' attr {{ key: 'dtype' value {{ type: DT_INT32 }} }} attr "
      "{{ "
      "key: 'value' value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: {} }} }} }} }} ",
      name, value);
}

std::string Op(std::string_view name, std::string_view op, std::string_view a, std::string_view b) {
  return fmt::format(
      "node_def {{ name: '{}' op: '{}' input: '{}' input: '{}' attr {{ key: 'T' value {{ type: "
      "DT_INT32 }} }} }} ",
      name, op, a, b);
}

std::string Times(std::string_view name, int factor) {
  return Function(name, "x", "DT_INT32", Number("k", factor) + Op("n", "Mul", "x", "k:output:0"),
                  "n:z:0");
}

std::string Library() {
  return Times("XTimesTwo", 2) + Times("XTimesFour", 4) + Times("XTimes16", 16) +
         Function("LessThanOrEqualTo8", "x", "DT_BOOL",
                  Number("k", 8) + Op("n", "LessEqual", "x", "k:output:0"), "n:z:0") +
         Function("XPlusOneXTimesY", "xy", "DT_INT32",
                  Number("k", 1) + Op("a", "Add", "x", "k:output:0") + Op("m", "Mul", "x", "y"),
                  "a:z:0 m:z:0") +
         Function("XYXLessThanOrEqualTo4", "xy", "DT_BOOL",
                  Number("k", 4) + Op("n", "LessEqual", "x", "k:output:0"), "n:z:0") +
         Function("CounterBelow3", "xpy", "DT_BOOL",
                  Number("k", 3) + Op("n", "Less", "x", "k:output:0"), "n:z:0") +
         Function(
             "CountAndChoose", "xpy", "DT_INT32",
             Number("k", 1) + Op("a", "Add", "x", "k:output:0") +
                 "node_def { name: 'c' op: 'If' input: 'p' input: 'y' attr { key: 'Tcond' value "
                 "{ type: DT_BOOL } } attr { key: 'Tin' value { list { type: DT_INT32 } } } attr "
                 "{ key: 'Tout' value { list { type: DT_INT32 } } } attr { key: 'then_branch' "
                 "value { func { name: 'XTimesTwo' } } } attr { key: 'else_branch' value { func "
                 "{ name: 'XTimesFour' } } } } ",
             "a:z:0 p c:output:0") +
         Function(
             "DoubleUpTo8", "x", "DT_INT32",
             "node_def { name: 'w' op: 'While' input: 'x' attr { key: 'T' value { list { type: "
             "DT_INT32 } } } attr { key: 'cond' value { func { name: 'LessThanOrEqualTo8' } } } "
             "attr { key: 'body' value { func { name: 'XTimesTwo' } } } } ",
             "w:output:0");
}

// The graph that `text`, which calls functions of the library, becomes.
std::unique_ptr<Graph> Legalized(std::string_view text) {
  auto model = ImportPbtxt("library { " + Library() + " }");
  EXPECT_TRUE(model.ok()) << model.status();
  auto graph = std::make_unique<Graph>(OpRegistry::Global());
  EXPECT_TRUE(graph->functions().AddLibrary(model->graph->functions().ToProto()).ok());
  const absl::Status parsed = ParseGraph(text, graph.get());
  EXPECT_TRUE(parsed.ok()) << parsed;
  const absl::StatusOr<int> result = Legalize(*graph, {});
  EXPECT_TRUE(result.ok()) << result.status();
  return graph;
}

// The value of output `slot` of `node`.
int ValueOf(const std::string& node, int slot = 0) {
  const auto graph = Legalized(fmt::format("y = {} out = ret(y:{})", node, slot));
  const Node* value = graph->FindNode("out")->input(0).node;
  EXPECT_TRUE(value->IsConstant()) << PrintGraph(*graph);
  return value->IsConstant() ? static_cast<int>(value->constant().ToInt64()[0]) : -1;
}

std::string If(std::string_view condition, int x, std::string_view then_branch,
               std::string_view else_branch) {
  return fmt::format(
      "tf.If({}, const i32[] {}) {{then_branch: @\"{}\", else_branch: @\"{}\", Tin: [DT_INT32], "
      "Tout: [DT_INT32]}}",
      condition, x, then_branch, else_branch);
}

// tensorflow/core/common_runtime/lower_if_op_test.cc: LowerIfOpTest.Simple
TEST(FunctionalControlFlow, If) {
  EXPECT_EQ(ValueOf(If("const bool[] {false}", 10, "XTimesTwo", "XTimesFour")), 40);
  EXPECT_EQ(ValueOf(If("const bool[] {true}", 10, "XTimesTwo", "XTimesFour")), 20);
}

TEST(FunctionalControlFlow, IfOfAnInputComputesBothArms) {
  const auto graph = Legalized(
      "p = arg bool[] x = arg i32[] y = tf.If(p, x) {then_branch: @\"XTimesTwo\", else_branch: "
      "@\"XTimesFour\", Tin: [DT_INT32], Tout: [DT_INT32]} out = ret(y)");
  EXPECT_EQ(Canonical(*graph), Canonical(*Parse(R"(
      p = arg bool[]
      x = arg i32[]
      a = Binary(x, const i32[] 2) {kind: Mul}
      b = Binary(x, const i32[] 4) {kind: Mul}
      y = Select(p, a, b)
      out = ret(y))")));
}

// tensorflow/core/common_runtime/lower_case_op_test.cc: LowerCaseOpTest.Simple
TEST(FunctionalControlFlow, Case) {
  for (const auto& [branch, want] :
       std::map<int, int>{{-1, 160}, {0, 20}, {1, 40}, {2, 160}, {20, 160}})
    EXPECT_EQ(
        ValueOf(fmt::format("tf.Case(const i32[] {}, const i32[] 10) {{branches: [@\"XTimesTwo\", "
                            "@\"XTimesFour\", @\"XTimes16\"], Tin: [DT_INT32], Tout: [DT_INT32]}}",
                            branch)),
        want)
        << branch;
}

// tensorflow/core/common_runtime/lower_while_op_test.cc: LowerWhileOpTest.Simple
TEST(FunctionalControlFlow, While) {
  for (const auto& [x, want] : std::map<int, int>{{1, 16}, {3, 12}, {9, 9}})
    EXPECT_EQ(ValueOf(fmt::format("tf.While(const i32[] {}) {{cond: @\"LessThanOrEqualTo8\", body: "
                                  "@\"XTimesTwo\", T: [DT_INT32]}}",
                                  x)),
              want);
}

// tensorflow/core/common_runtime/lower_while_op_test.cc: LowerWhileOpTest.MultipleInputs
TEST(FunctionalControlFlow, WhileWithTwoVariables) {
  const auto loop = [](int a, int b) {
    return fmt::format(
        "tf.While(const i32[] {}, const i32[] {}) {{cond: @\"XYXLessThanOrEqualTo4\", body: "
        "@\"XPlusOneXTimesY\", T: [DT_INT32, DT_INT32]}}",
        a, b);
  };
  EXPECT_EQ(ValueOf(loop(1, 1), 0), 5);
  EXPECT_EQ(ValueOf(loop(1, 1), 1), 24);
  EXPECT_EQ(ValueOf(loop(3, 5), 0), 5);
  EXPECT_EQ(ValueOf(loop(3, 5), 1), 60);
}

// tensorflow/core/common_runtime/lower_functional_ops_test.cc: LowerIfWhileTest.CondInWhile
TEST(FunctionalControlFlow, IfInWhile) {
  const auto loop = [](std::string_view p) {
    return fmt::format(
        "tf.While(const i32[] 0, const bool[] {{{}}}, const i32[] 1) {{cond: @\"CounterBelow3\", "
        "body: "
        "@\"CountAndChoose\", T: [DT_INT32, DT_BOOL, DT_INT32]}}",
        p);
  };
  EXPECT_EQ(ValueOf(loop("true"), 2), 8);
  EXPECT_EQ(ValueOf(loop("false"), 2), 64);
}

// tensorflow/core/common_runtime/lower_functional_ops_test.cc: LowerIfWhileTest.WhileInCond
TEST(FunctionalControlFlow, WhileInIf) {
  EXPECT_EQ(ValueOf(If("const bool[] {true}", 1, "DoubleUpTo8", "XTimesTwo")), 16);
  EXPECT_EQ(ValueOf(If("const bool[] {false}", 1, "DoubleUpTo8", "XTimesTwo")), 2);
}

}  // namespace
}  // namespace linnet::converter

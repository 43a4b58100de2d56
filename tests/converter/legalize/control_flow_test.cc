// SPDX-License-Identifier: Apache-2.0
// What unrolling refuses. What it computes: tests/conformance/tf/{control_flow,tensor_lists}.json.
#include <gtest/gtest.h>

#include "converter/import/import.h"
#include "converter/legalize/legalize.h"
#include "converter/passes/prune.h"
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

// x: a fed scalar unless it is a constant -> While -> result.
std::string ErrorOf(const std::string& functions, bool is_fed = false) {
  const std::string x =
      is_fed ? R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
                    attr { key: "shape" value { shape {} } } })"
             : R"(node { name: "x" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
                    attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } })";
  auto model = ImportPbtxt(x + R"(
    node { name: "loop" op: "StatelessWhile" input: "x" attr { key: "T" value { list { type: DT_INT32 } } }
      attr { key: "cond" value { func { name: "cond" } } } attr { key: "body" value { func { name: "body" } } } }
    library { )" + functions +
                           "}");
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) return "";
  PassContext context;
  context.fetches = {"loop"};
  int64_t room = int64_t{256} << 20;
  context.constant_room = &room;
  EXPECT_TRUE(Prune(*model->graph, context).ok());
  const absl::StatusOr<int> result = Legalize(*model->graph, context);
  return result.ok() ? "" : std::string(result.status().message());
}

const std::string kLess =
    Function("cond", "DT_BOOL", "n:z:0", Scalar(10) + Call("Less", "c:output:0"));
const std::string kAddOne =
    Function("body", "DT_INT32", "n:z:0", Scalar(1) + Call("AddV2", "c:output:0"));

TEST(ControlFlow, CountedLoopsVanish) { EXPECT_EQ(ErrorOf(kLess + kAddOne), ""); }

TEST(ControlFlow, HowOftenMustNotDependOnTheInput) {
  const std::string error = ErrorOf(kLess + kAddOne, /*is_fed=*/true);
  EXPECT_NE(error.find("StatelessWhile 'loop': how often it runs depends on the model's input"),
            std::string::npos)
      << error;
}

TEST(ControlFlow, EndlessLoopsEnd) {
  const std::string error = ErrorOf(kLess + Function("body", "DT_INT32", "x", ""));
  EXPECT_NE(error.find("run more than 16384 times"), std::string::npos) << error;
}

TEST(ControlFlow, UnrolledLoopsHaveALimit) {
  // Nested in itself by way of the condition's function would be recursion; so only ever longer.
  std::string nodes = Scalar(0) + Call("Mul", "c:output:0");
  for (int i = 0; i < 8; ++i)
    nodes += fmt::format(
        R"(node_def {{ name: "s{0}" op: "AddV2" input: "{1}" input: "x"
             attr {{ key: "T" value {{ type: DT_INT32 }} }} }})",
        i, i == 0 ? std::string("n:z:0") : fmt::format("s{}:z:0", i - 1));
  const std::string error = ErrorOf(kLess + Function("body", "DT_INT32", "s7:z:0", nodes));
  EXPECT_NE(error.find("150000 nodes"), std::string::npos) << error;
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

TEST(ControlFlow, ProblemsInsideAreToldOnceWithTheNodesName) {
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

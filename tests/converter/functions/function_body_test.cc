// SPDX-License-Identifier: Apache-2.0
#include "converter/functions/function_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const tf::FunctionDef> Function(const std::string& text) {
  auto function = std::make_shared<tf::FunctionDef>();
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, function.get()));
  return function;
}

AttrValues TypeOf(const std::string& attr, tf::DataType type) {
  AttrValues attrs;
  attrs[attr].set_type(type);
  return attrs;
}

absl::StatusOr<FunctionBody> Instantiate(const std::string& text, const AttrValues& attrs = {}) {
  static FunctionLibrary library(TestOps());
  static int64_t constant_room = kMostExpandedBytes;
  tf::VersionDef versions;
  return InstantiateFunction(Function(text), attrs,
                             {TestOps(), &library, versions, &constant_room, nullptr});
}

std::string Error(const std::string& text, const AttrValues& attrs = {}) {
  const absl::StatusOr<FunctionBody> body = Instantiate(text, attrs);
  return body.ok() ? "ok" : Message(body.status());
}

constexpr char kTimesTwo[] = R"(
  signature { name: "XTimesTwo" attr { name: "T" type: "type" }
              input_arg { name: "x" type_attr: "T" } output_arg { name: "y" type_attr: "T" } }
  node_def { name: "y" op: "Mul" input: "x" input: "two:y:0" attr { key: "T" value { placeholder: "T" } } }
  node_def { name: "two" op: "Cast" input: "c:output" attr { key: "SrcT" value { type: DT_INT64 } }
             attr { key: "DstT" value { placeholder: "T" } } }
  node_def { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT64 } } attr { key: "value" value {
             tensor { dtype: DT_INT64 tensor_shape {} tensor_content: "\002\000\000\000\000\000\000\000" } } } }
  ret { key: "y" value: "y:z:0" })";

// tensorflow/core/framework/function_test.cc: TFunc.XTimesTwo
// TensorFlow graph row 78: instances of function definitions
TEST(FunctionBody, BindsAttributes) {
  for (const tf::DataType type : {tf::DT_FLOAT, tf::DT_INT32}) {
    const absl::StatusOr<FunctionBody> body = Instantiate(kTimesTwo, TypeOf("T", type));
    ASSERT_TRUE(body.ok()) << Message(body.status());
    EXPECT_EQ(body->arg_types, std::vector{type});
    EXPECT_EQ(body->ret_types, std::vector{type});
    ASSERT_EQ(body->args.size(), 1u);
    EXPECT_EQ(body->args[0]->name(), "x");
    ASSERT_EQ(body->rets.size(), 1u);
    EXPECT_EQ(body->rets[0]->name(), "y_RetVal");
    EXPECT_EQ(body->rets[0]->input(0).node->op_name(), "Mul");
    EXPECT_EQ(body->graph->FindNode("c")->constant().ToInt64(), std::vector<int64_t>{2});
  }
}

// tensorflow/core/framework/function_test.cc: InstantiateErrors.AttrValue_Value_Placeholder
TEST(FunctionBody, AttributesAreNoPlaceholders) {
  AttrValues attrs;
  attrs["T"].set_placeholder("bad");
  EXPECT_THAT(Error(kTimesTwo, attrs),
              HasSubstr("AttrValue had value with unexpected type 'placeholder' for attr 'T'"));
}

TEST(FunctionBody, ConstantsAreViews) {
  const auto function = Function(kTimesTwo);
  FunctionLibrary library(TestOps());
  int64_t constant_room = kMostExpandedBytes;
  const auto body = InstantiateFunction(function, TypeOf("T", tf::DT_FLOAT),
                                        {TestOps(), &library, {}, &constant_room, nullptr});
  ASSERT_TRUE(body.ok());
  const std::string& bytes = function->node_def(2).attr().at("value").tensor().tensor_content();
  EXPECT_EQ(reinterpret_cast<const char*>(body->graph->FindNode("c")->constant().bytes.data()),
            bytes.data());
}

TEST(FunctionBody, FlattensLists) {
  const absl::StatusOr<FunctionBody> body = Instantiate(R"(
    signature { name: "F" attr { name: "N" type: "int" default_value { i: 2 } }
                input_arg { name: "x" type: DT_FLOAT number_attr: "N" }
                output_arg { name: "y" type: DT_FLOAT number_attr: "N" } }
    node_def { name: "p" op: "Pack" input: "x" attr { key: "N" value { placeholder: "N" } }
               attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "u" op: "Unpack" input: "p:output" attr { key: "num" value { placeholder: "N" } }
               attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "u:output" })");
  ASSERT_TRUE(body.ok()) << Message(body.status());
  ASSERT_EQ(body->args.size(), 2u);
  EXPECT_EQ(body->args[1]->name(), "x_1");
  EXPECT_EQ(body->graph->FindNode("p")->input(1).node, body->args[1]);
  ASSERT_EQ(body->rets.size(), 2u);
  EXPECT_EQ(body->rets[1]->name(), "y_RetVal_1");
  EXPECT_EQ(body->rets[1]->input(0).index, 1);
}

TEST(FunctionBody, ControlInputsAndResults) {
  const absl::StatusOr<FunctionBody> body = Instantiate(R"(
    signature { name: "F" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT }
                control_output: "done" }
    node_def { name: "n" op: "NoOp" input: "^x" }
    node_def { name: "i" op: "Identity" input: "x" input: "^n" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "i:output" } control_ret { key: "done" value: "n" })");
  ASSERT_TRUE(body.ok()) << Message(body.status());
  ASSERT_EQ(body->control_rets.size(), 1u);
  EXPECT_EQ(body->control_rets[0]->name(), "n");
  EXPECT_EQ(body->control_rets[0]->in_edges().front()->src, body->args[0]);
}

// The signature of a function with an argument x and a result y, both float, with `body`.
std::string XToY(const std::string& body) {
  return R"(signature { name: "F" input_arg { name: "x" type: DT_FLOAT }
                        output_arg { name: "y" type: DT_FLOAT } })" +
         body;
}
constexpr char kFloat[] = "attr { key: 'T' value { type: DT_FLOAT } }";

TEST(FunctionBody, Refusals) {
  const std::string t = kFloat;
  const std::string ret = " ret { key: 'y' value: 'a:z:0' } ";
  const struct {
    std::string text, error;
  } kCases[] = {
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.Not_Sufficient_Attrs
      {kTimesTwo, "Attr T is not found from Op<name=XTimesTwo"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.Unbounded_Attr
      {XToY("node_def { name: 'a' op: 'Neg' input: 'x' attr { key: 'T' value { placeholder: 'T' } "
            "} }"),
       "Failed to bind all placeholders in "},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.DupArgs
      {R"(signature { name: "F" input_arg { name: "x" type: DT_FLOAT } input_arg { name: "x" type: DT_FLOAT } })",
       "Duplicated arg name: x"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.Dup_Node_Names
      {XToY("node_def { name: 'a' op: 'Neg' input: 'x' " + t +
            " } node_def { name: 'a' op: 'Neg' input: 'x' " + t + " }"),
       "Duplicated ret name: a:y"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.Node_Arg_Notfound
      {XToY("node_def { name: 'a' op: 'Mul' input: 'x' input: 'z' " + t + " }"),
       "input z is not found"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.Node_Arg_TypeMismatch
      {XToY("node_def { name: 'a' op: 'TestInt' input: 'x' }"),
       "input a[0] expected type int32 != float, the type of x[0]"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.Node_Arg_ControlMissing
      {XToY("node_def { name: 'a' op: 'Mul' input: 'x' input: 'x' input: '^z' " + t + " }"),
       "input[2] == '^z', is not found."},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TooManyInputs
      {XToY("node_def { name: 'a' op: 'Mul' input: 'x' input: 'x' input: 'x' " + t + " }"),
       "Expected input[2] == 'x' to be a control input."},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TooFewInputs
      {XToY("node_def { name: 'a' op: 'Mul' input: 'x' " + t + " }"),
       "Attempt to access beyond input size: 1 >= 1"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.FuncRet_Missing
      {XToY("node_def { name: 'a' op: 'Mul' input: 'x' input: 'x' " + t + " }"),
       "Return y missing."},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.FuncRet_NotFound
      {XToY("ret { key: 'y' value: 'z' }"), "Return y -> z is not found."},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.FuncRet_TypeMismatch
      {R"(signature { name: "F" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_DOUBLE } }
          ret { key: "y" value: "x" })",
       "Invalid ret types y : [double] vs. [float]"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TypeList_Missing_Retval_Attr
      {XToY("node_def { name: 'a' op: 'IdentityN' input: 'x' }"), "type attr not found: T"},
      {XToY("node_def { name: 'a' op: 'Unheard' input: 'x' }"), "Op type not registered 'Unheard'"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.FuncRet_NameMismatch
      {XToY("ret { key: 'z' value: 'x' }"), "Return y missing."},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TypeList_Num_Retval_Mismatch
      {XToY("node_def { name: 'a' op: 'IdentityN' input: 'x' input: 'x' attr { key: 'T' value { "
            "list { type: [DT_FLOAT, DT_FLOAT] } } } } ret { key: 'y' value: 'a:output' }"),
       "Invalid ret types y : [float] vs. [float, float]"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TypeList_Missing_Arg
      {XToY("node_def { name: 'a' op: 'IdentityN' input: 'x' input: 'unknown' attr { key: 'T' "
            "value { list { type: [DT_FLOAT, DT_FLOAT] } } } }"),
       "input unknown is not found"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TypeMismatch
      {XToY(
           "node_def { name: 'a' op: 'AddN' input: 'x' input: 'i:y:0' attr { key: 'N' value { i: 2 "
           "} } " +
           t + " } node_def { name: 'i' op: 'Cast' input: 'x' attr { key: 'SrcT' value { type: " +
           "DT_FLOAT } } attr { key: 'DstT' value { type: DT_INT32 } } }"),
       "input inputs[1] expected type float != int32, the type of i:y:0[0]"},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TooManyInputsFromArray1
      {XToY("node_def { name: 'l' op: '_ListToArray' input: 'x' input: 'x' attr { key: 'N' value { "
            "i: "
            "2 } } attr { key: 'Tin' value { list { type: [DT_FLOAT, DT_FLOAT] } } } " +
            t + " } node_def { name: 'b' op: 'AddN' input: 'l:output' input: 'x' attr { key: 'N' " +
            "value { i: 2 } } " + t + " }"),
       "Expected input[1] == 'x' to be a control input."},
      // tensorflow/core/framework/function_test.cc: InstantiateErrors.TooManyInputsFromArray2
      {XToY("node_def { name: 'l' op: '_ListToArray' input: 'x' input: 'x' attr { key: 'N' value { "
            "i: "
            "2 } } attr { key: 'Tin' value { list { type: [DT_FLOAT, DT_FLOAT] } } } " +
            t + " } node_def { name: 'b' op: 'AddN' input: 'x' input: 'l:output' attr { key: 'N' " +
            "value { i: 2 } } " + t + " }"),
       "Input l:output too long for inputs"},
      {XToY("node_def { name: 'u' op: 'Unpack' input: 'x' " + t +
            " attr { key: 'num' value { i: 3 } } }"
            "node_def { name: 'a' op: 'Mul' input: 'u:output' " +
            t + " }"),
       "Input u:output too long for x"},
      {XToY("node_def { name: 'a' op: 'Mul' input: 'b:z' input: 'x' " + t +
            " }"
            "node_def { name: 'b' op: 'Mul' input: 'a:z' input: 'x' " +
            t + " }" + ret),
       "cycle"},
      {XToY("node_def { name: 'a' op: 'Mul' input: 'x' input: 'x' " + t + " }" + ret +
            "control_ret { key: 'c' value: 'gone' }"),
       "Control return c -> gone is not found."},
  };
  for (const auto& [text, error] : kCases) {
    const std::string got = Error(text);
    EXPECT_THAT(got, HasSubstr(error)) << text;
    EXPECT_THAT(got, HasSubstr("function '")) << text;
  }
}

}  // namespace
}  // namespace linnet::converter

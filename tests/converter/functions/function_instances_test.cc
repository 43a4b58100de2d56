// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "converter/functions/function_body.h"
#include "converter/graph/text/text.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

// The ops that TensorFlow's own tests of functions register.
const OpRegistry* FunctionOps() {
  static const OpRegistry* const kOps = [] {
    auto* table = new OpTable(TestOps());
    const absl::Status s = table->AddText(R"x(
      op { name: "One" output_arg { name: "y" type_attr: "T" } attr { name: "T" type: "type" } }
      op { name: "HasDefaultType" output_arg { name: "out" type_attr: "T" }
           attr { name: "T" type: "type" default_value { type: DT_FLOAT } } }
      op { name: "Map" input_arg { name: "x" type_attr: "T" number_attr: "N" }
           output_arg { name: "y" type_attr: "U" number_attr: "N" }
           attr { name: "T" type: "type" } attr { name: "U" type: "type" } attr { name: "N" type: "int" }
           attr { name: "func" type: "func" } }
      op { name: "Cond" input_arg { name: "input" type_list_attr: "Tin" }
           output_arg { name: "output" type_list_attr: "out_types" } attr { name: "Tin" type: "list(type)" }
           attr { name: "out_types" type: "list(type)" } attr { name: "then_branch" type: "func" } })x");
    if (!s.ok()) __builtin_trap();
    return table;
  }();
  return kOps;
}

struct InstanceCase {
  const char* function;    // text of a FunctionDef
  const char* attributes;  // attributes of the call, as text of a NodeDef
  const char* graph;
};

const InstanceCase kCases[] = {
    // tensorflow/core/framework/function_test.cc: TFunc.SquarePlusOne
    {R"(signature { name: "SquarePlusOne" attr { name: "T" type: "type" }
                    input_arg { name: "x" type_attr: "T" } output_arg { name: "y" type_attr: "T" } }
        node_def { name: "a" op: "Square" input: "x" attr { key: "T" value { placeholder: "T" } } }
        node_def { name: "o" op: "One" attr { key: "T" value { placeholder: "T" } } }
        node_def { name: "y" op: "Add" input: "a:y" input: "o:y" attr { key: "T" value { placeholder: "T" } } }
        ret { key: "y" value: "y:z:0" })",
     R"(attr { key: "T" value { type: DT_FLOAT } })", R"(x = arg ?
a = tf.Square(x)
o = tf.One() {T: DT_FLOAT}
y = tf.Add(a, o)
y_RetVal = ret(y)
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.ControlDep
    {R"(signature { name: "ControlDep" input_arg { name: "x" type: DT_INT32 }
                    output_arg { name: "y" type: DT_INT32 } }
        node_def { name: "a" op: "Identity" input: "x" attr { key: "T" value { type: DT_INT32 } } }
        node_def { name: "o" op: "NoOp" input: "^a" }
        node_def { name: "y" op: "Identity" input: "a:output:0" input: "^o"
                   attr { key: "T" value { type: DT_INT32 } } }
        ret { key: "y" value: "y:output:0" })",
     "", R"(x = arg ?
a = tf.Identity(x)
o = tf.NoOp(^a)
y = tf.Identity(a, ^o)
y_RetVal = ret(y)
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.ControlRet
    {R"(signature { name: "ControlRet" input_arg { name: "x" type: DT_INT32 }
                    output_arg { name: "y" type: DT_INT32 } control_output: "must_execute" }
        node_def { name: "a" op: "Identity" input: "x" attr { key: "T" value { type: DT_INT32 } } }
        ret { key: "y" value: "a:output:0" } control_ret { key: "must_execute" value: "a" })",
     "", R"(x = arg ?
a = tf.Identity(x)
y_RetVal = ret(a)
control: a
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.MissingTypeAttr
    {R"(signature { name: "BackCompat" output_arg { name: "y" type: DT_FLOAT } }
        node_def { name: "a" op: "HasDefaultType" } ret { key: "y" value: "a:out:0" })",
     "", R"(a = tf.HasDefaultType()
y_RetVal = ret(a)
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.NTimesT
    {R"(signature { name: "NTimesT" input_arg { name: "x" type: DT_FLOAT } input_arg { name: "y" type: DT_FLOAT }
                    output_arg { name: "z" type: DT_FLOAT } }
        node_def { name: "a" op: "AddN" input: "x" input: "y" attr { key: "T" value { type: DT_FLOAT } }
                   attr { key: "N" value { i: 2 } } }
        ret { key: "z" value: "a:sum:0" })",
     "", R"(x = arg ?
y = arg ?
a = tf.AddN(x, y)
z_RetVal = ret(a)
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.AddSquared
    {R"(signature { name: "AddSquared" attr { name: "N" type: "int" } attr { name: "T" type: "type" }
                    input_arg { name: "x" type_attr: "T" number_attr: "N" }
                    output_arg { name: "y" type_attr: "T" } }
        node_def { name: "a" op: "Map" input: "x" attr { key: "T" value { placeholder: "T" } }
                   attr { key: "U" value { placeholder: "T" } } attr { key: "N" value { placeholder: "N" } }
                   attr { key: "func" value { func { name: "Square" } } } }
        node_def { name: "y" op: "AddN" input: "a:y" attr { key: "N" value { placeholder: "N" } }
                   attr { key: "T" value { placeholder: "T" } } }
        ret { key: "y" value: "y:sum" })",
     R"(attr { key: "N" value { i: 3 } } attr { key: "T" value { type: DT_FLOAT } })",
     R"(x_0 = arg ?
x_1 = arg ?
x_2 = arg ?
a = tf.Map(x_0, x_1, x_2) {U: DT_FLOAT, func: @"Square"}
y = tf.AddN(a, a:1, a:2)
y_RetVal = ret(y)
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.ControlDeps
    {R"(signature { name: "ControlDeps" input_arg { name: "x" type: DT_FLOAT } }
        node_def { name: "a" op: "One" input: "^x" attr { key: "T" value { type: DT_FLOAT } } }
        node_def { name: "u" op: "NoOp" input: "^a" }
        node_def { name: "b" op: "One" input: "^u" attr { key: "T" value { type: DT_FLOAT } } }
        node_def { name: "v" op: "NoOp" input: "^b" }
        node_def { name: "c" op: "One" input: "^a" input: "^v" attr { key: "T" value { type: DT_FLOAT } } })",
     "", R"(x = arg ?
a = tf.One(^x) {T: DT_FLOAT}
u = tf.NoOp(^a)
b = tf.One(^u) {T: DT_FLOAT}
v = tf.NoOp(^b)
c = tf.One(^a, ^v) {T: DT_FLOAT}
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.WXPlusB
    {R"(signature { name: "WXPlusB" attr { name: "T" type: "type" } input_arg { name: "w" type_attr: "T" }
                    input_arg { name: "x" type_attr: "T" } input_arg { name: "b" type_attr: "T" }
                    output_arg { name: "y" type_attr: "T" } }
        node_def { name: "mm" op: "MatMul" input: "w" input: "x" attr { key: "T" value { placeholder: "T" } } }
        node_def { name: "y" op: "Add" input: "mm:product:0" input: "b"
                   attr { key: "T" value { placeholder: "T" } } }
        ret { key: "y" value: "y:z:0" })",
     R"(attr { key: "T" value { type: DT_DOUBLE } })", R"(w = arg ?
x = arg ?
b = arg ?
mm = tf.MatMul(w, x)
y = tf.Add(mm, b)
y_RetVal = ret(y)
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.Body_TypeList
    {R"(signature { name: "Test" input_arg { name: "i" type: DT_FLOAT } output_arg { name: "o" type: DT_FLOAT } }
        node_def { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
                   attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } }
        node_def { name: "s" op: "Split" input: "zero:output:0" input: "i" attr { key: "num_split" value { i: 4 } }
                   attr { key: "T" value { type: DT_FLOAT } } }
        node_def { name: "l" op: "Mul" input: "s:output:0" input: "s:output:1"
                   attr { key: "T" value { type: DT_FLOAT } } }
        node_def { name: "r" op: "Mul" input: "s:output:2" input: "s:output:3"
                   attr { key: "T" value { type: DT_FLOAT } } }
        node_def { name: "x" op: "_ListToArray" input: "l:z" input: "r:z" attr { key: "N" value { i: 2 } }
                   attr { key: "T" value { type: DT_FLOAT } }
                   attr { key: "Tin" value { list { type: [DT_FLOAT, DT_FLOAT] } } } }
        node_def { name: "o" op: "AddN" input: "x:output" attr { key: "N" value { i: 2 } }
                   attr { key: "T" value { type: DT_FLOAT } } }
        ret { key: "o" value: "o:sum:0" })",
     "", R"(i = arg ?
zero = const i32[] 0
s = tf.Split(zero, i) {num_split: 4}
l = tf.Mul(s, s:1)
r = tf.Mul(s:2, s:3)
x = tf._ListToArray(l, r) {N: 2, T: DT_FLOAT}
o = tf.AddN(x, x:1)
o_RetVal = ret(o)
)"},
    // tensorflow/core/framework/function_test.cc: TFunc.Body_Array_List_Converter
    {R"(signature { name: "MySelect" input_arg { name: "x" type: DT_FLOAT } output_arg { name: "z" type: DT_FLOAT } }
        node_def { name: "y" op: "Cond" input: "x" attr { key: "Tin" value { list { type: DT_FLOAT } } }
                   attr { key: "out_types" value { list { type: DT_FLOAT } } }
                   attr { key: "then_branch" value { func { name: "MyThen" } } } }
        node_def { name: "z" op: "Cond" input: "y:output:0" input: "y:output:0"
                   attr { key: "Tin" value { list { type: [DT_FLOAT, DT_FLOAT] } } }
                   attr { key: "out_types" value { list { type: DT_FLOAT } } }
                   attr { key: "then_branch" value { func { name: "MyThen2" } } } }
        ret { key: "z" value: "z:output:0" })",
     "", R"(x = arg ?
y = tf.Cond(x) {out_types: [DT_FLOAT], then_branch: @"MyThen"}
z = tf.Cond(y, y) {out_types: [DT_FLOAT], then_branch: @"MyThen2"}
z_RetVal = ret(z)
)"},
};

TEST(FunctionInstances, Cases) {
  for (const InstanceCase& c : kCases) {
    auto function = std::make_shared<tf::FunctionDef>();
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(c.function, function.get()));
    tf::NodeDef call;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(c.attributes, &call));
    const FunctionLibrary library(FunctionOps());
    int64_t constant_room = kMostExpandedBytes;
    const absl::StatusOr<FunctionBody> body = InstantiateFunction(
        function, call.attr(), {FunctionOps(), &library, {}, &constant_room, nullptr});
    ASSERT_TRUE(body.ok()) << body.status();
    std::string text = PrintGraph(*body->graph);
    for (const Node* node : body->control_rets) text += "control: " + node->name() + "\n";
    EXPECT_EQ(text, c.graph);
    ASSERT_EQ(body->args.size(), body->arg_types.size());
    for (size_t i = 0; i < body->args.size(); ++i)
      EXPECT_EQ(body->args[i]->tf_output_types()[0], body->arg_types[i]) << text;
  }
}

}  // namespace
}  // namespace linnet::converter

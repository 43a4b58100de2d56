// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/op_binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/tensorflow/attr_value.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "fmt/format.h"
#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

tf::OpDef Op(const std::string& text) {
  tf::OpDef op;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &op));
  return op;
}

tf::NodeDef ParsedNode(const std::string& text) {
  tf::NodeDef node;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &node));
  return node;
}

const char kAnyOp[] =
    R"x(name: "Any" input_arg { name: "in" type_attr: "T" } output_arg { name: "out" type_attr: "T" }
    attr { name: "T" type: "type" allowed_values { list { type: [DT_FLOAT, DT_INT64] } } })x";

const char kNumberOp[] =
    R"x(name: "Out" output_arg { name: "o" type_attr: "T" }
    attr { name: "T" type: "type" allowed_values { list { type: [DT_FLOAT, DT_DOUBLE, DT_INT32, DT_UINT8,
           DT_INT16, DT_INT8, DT_COMPLEX64, DT_INT64, DT_HALF] } } })x";
const char kWordOp[] =
    R"x(name: "Enum" attr { name: "e" type: "string" allowed_values { list { s: ["apple", "orange"] } } })x";
const char kSameOp[] =
    R"x(name: "SameIn" input_arg { name: "i" type_attr: "T" number_attr: "N" }
    attr { name: "N" type: "int" has_minimum: true minimum: 2 }
    attr { name: "T" type: "type" allowed_values { list { type: [DT_FLOAT, DT_DOUBLE] } } })x";
const char kListOp[] =
    R"x(name: "AnyIn" input_arg { name: "i" type_list_attr: "T" }
    attr { name: "T" type: "list(type)" has_minimum: true minimum: 1 })x";

// Rows: op, node, part of the error ("" = valid).
struct ValidateCase {
  const char* name;
  const char* op;
  const char* node;
  const char* error;
};
const ValidateCase kValidate[] = {
    // tensorflow/core/framework/node_def_util_test.cc: NodeDefUtilTest.In
    {"good", kAnyOp,
     R"x(name: "n" op: "Any" input: "a" attr { key: "T" value { type: DT_INT64 } })x", ""},
    {"controls do not count", kAnyOp,
     R"x(name: "n" op: "Any" input: "a" input: "^b" attr { key: "T" value { type: DT_FLOAT } })x",
     ""},
    {"other op", kAnyOp, R"x(name: "n" op: "Other" input: "a")x",
     "NodeDef op 'Other' does not match Op<name=Any; signature=in:T -> out:T"},
    {"missing attr", kAnyOp, R"x(name: "n" op: "Any" input: "a")x",
     "NodeDef missing attr 'T' from Op<name=Any;"},
    {"not allowed", kAnyOp,
     R"x(name: "n" op: "Any" input: "a" attr { key: "T" value { type: DT_STRING } })x",
     "Value for attr 'T' of string is not in the list of allowed values: float, int64; NodeDef: "
     "{{node n}}; Op<name=Any;"},
    {"wrong type", kAnyOp, R"x(name: "n" op: "Any" input: "a" attr { key: "T" value { i: 1 } })x",
     "AttrValue had value with type 'int' when 'type' expected for attr 'T'"},
    {"too few inputs", kAnyOp,
     R"x(name: "n" op: "Any" attr { key: "T" value { type: DT_FLOAT } })x",
     "NodeDef expected inputs 'float' do not match 0 inputs specified; Op<name=Any;"},
    {"too many inputs", kAnyOp,
     R"x(name: "n" op: "Any" input: ["a", "b"] attr { key: "T" value { type: DT_FLOAT } })x",
     "NodeDef expected inputs 'float' do not match 2 inputs specified;"},
    {"data behind control", kAnyOp,
     R"x(name: "n" op: "Any" input: ["^a", "b"] attr { key: "T" value { type: DT_FLOAT } })x",
     "Non-control input 'b' after control input"},
    {"a control input has no slot", kAnyOp,
     R"x(name: "n" op: "Any" input: ["a", "^b:0"] attr { key: "T" value { type: DT_FLOAT } })x",
     "Control input '^b:0' must not have ':' in NodeDef: {{node n}}"},
    // tensorflow/core/framework/node_def_util_test.cc: NodeDefUtilTest.Out
    {"a number", kNumberOp, R"x(name: "n" op: "Out" attr { key: "T" value { type: DT_INT32 } })x",
     ""},
    {"no number", kNumberOp, R"x(name: "n" op: "Out" attr { key: "T" value { type: DT_STRING } })x",
     "Value for attr 'T' of string is not in the list of allowed values: float, double, int32, "
     "uint8, int16, int8, complex64, int64, half;"},
    // tensorflow/core/framework/node_def_util_test.cc: NodeDefUtilTest.Enum
    {"one of the words", kWordOp,
     R"x(name: "n" op: "Enum" attr { key: "e" value { s: "apple" } })x", ""},
    {"another of the words", kWordOp,
     R"x(name: "n" op: "Enum" attr { key: "e" value { s: "orange" } })x", ""},
    {"no such word", kWordOp, R"x(name: "n" op: "Enum" attr { key: "e" value { s: "foo" } })x",
     "Value for attr 'e' of \"foo\" is not in the list of allowed values: \"apple\", \"orange\""},
    // tensorflow/core/framework/node_def_util_test.cc: NodeDefUtilTest.SameIn
    {"two doubles", kSameOp,
     R"x(name: "n" op: "SameIn" input: ["a", "b"] attr { key: "N" value { i: 2 } }
         attr { key: "T" value { type: DT_DOUBLE } })x",
     ""},
    {"two strings", kSameOp,
     R"x(name: "n" op: "SameIn" input: ["a", "b"] attr { key: "N" value { i: 2 } }
         attr { key: "T" value { type: DT_STRING } })x",
     "Value for attr 'T' of string is not in the list of allowed values: float, double"},
    {"only one", kSameOp,
     R"x(name: "n" op: "SameIn" input: ["a", "b"] attr { key: "N" value { i: 1 } }
         attr { key: "T" value { type: DT_FLOAT } })x",
     "Value for attr 'N' of 1 must be at least minimum 2"},
    // tensorflow/core/framework/node_def_util_test.cc: NodeDefUtilTest.AnyIn
    {"any two", kListOp,
     R"x(name: "n" op: "AnyIn" input: ["a", "b"]
         attr { key: "T" value { list { type: [DT_INT32, DT_STRING] } } })x",
     ""},
    {"an empty list", kListOp,
     R"x(name: "n" op: "AnyIn" input: "a" attr { key: "T" value { list { } } })x",
     "Length for attr 'T' of 0 must be at least minimum 1"},
    {"no value is an empty list", kListOp,
     R"x(name: "n" op: "AnyIn" input: "a" attr { key: "T" value { } })x",
     "Length for attr 'T' of 0 must be at least minimum 1"},
    // tensorflow/core/framework/node_def_util_test.cc: NodeDefUtilTest.Device
    {"a device", R"x(name: "V" attr { name: "v" type: "int" })x",
     R"x(name: "d" op: "V" device: "/cpu:5" attr { key: "v" value { i: 7 } })x", ""},
    {"unknown attrs are newer producers", "name: \"A\"",
     R"x(name: "n" op: "A" attr { key: "new" value { i: 1 } } attr { key: "_x" value { i: 1 } })x",
     ""},
    {"minimum", R"x(name: "M" attr { name: "n" type: "int" has_minimum: true minimum: 3 })x",
     R"x(name: "n" op: "M" attr { key: "n" value { i: 2 } })x",
     "Value for attr 'n' of 2 must be at least minimum 3"},
    {"list minimum",
     R"x(name: "M" attr { name: "l" type: "list(int)" has_minimum: true minimum: 2 })x",
     R"x(name: "n" op: "M" attr { key: "l" value { list { i: 1 } } })x",
     "Length for attr 'l' of 1 must be at least minimum 2"},
    {"strings",
     R"x(name: "S" attr { name: "p" type: "string" allowed_values { list { s: ["SAME", "VALID"] } } })x",
     R"x(name: "n" op: "S" attr { key: "p" value { s: "FULL" } })x",
     "Value for attr 'p' of \"FULL\" is not in the list of allowed values: \"SAME\", \"VALID\""},
    {"list of other type", R"x(name: "L" attr { name: "l" type: "list(int)" })x",
     R"x(name: "n" op: "L" attr { key: "l" value { list { f: 1 } } })x",
     "AttrValue had value with type 'list(float)' when 'list(int)' expected"},
    {"empty list fits all", R"x(name: "L" attr { name: "l" type: "list(int)" })x",
     R"x(name: "n" op: "L" attr { key: "l" value { list { } } })x", ""},
    {"ref type", kAnyOp,
     R"x(name: "n" op: "Any" input: "a" attr { key: "T" value { type: DT_FLOAT_REF } })x",
     "AttrValue must not have reference type value of float_ref"},
    {"negative count",
     R"x(name: "N" input_arg { name: "a" type: DT_FLOAT number_attr: "N" } attr { name: "N" type: "int" })x",
     R"x(name: "n" op: "N" attr { key: "N" value { i: -1 } })x", "< 0"},
    {"hostile count",
     R"x(name: "N" output_arg { name: "a" type: DT_FLOAT number_attr: "N" } attr { name: "N" type: "int" })x",
     R"x(name: "n" op: "N" attr { key: "N" value { i: 2147483647 } })x", "too big"},
};

TEST(ValidateNodeDef, Cases) {
  for (const ValidateCase& c : kValidate) {
    const absl::Status s = ValidateNodeDef(ParsedNode(c.node), Op(c.op));
    if (*c.error == 0)
      EXPECT_TRUE(s.ok()) << c.name << ": " << s;
    else
      EXPECT_THAT(Message(s), HasSubstr(c.error)) << c.name;
  }
}

TEST(InOutTypes, ListsAndReferences) {
  const tf::OpDef op = Op(R"x(name: "O" input_arg { name: "a" type_attr: "T" number_attr: "N" }
      input_arg { name: "l" type_list_attr: "L" } output_arg { name: "r" type: DT_INT32 is_ref: true })x");
  const tf::NodeDef node =
      ParsedNode(R"x(name: "n" op: "O" attr { key: "T" value { type: DT_HALF } }
      attr { key: "N" value { i: 2 } } attr { key: "L" value { list { type: [DT_BOOL, DT_FLOAT] } } })x");
  std::vector<tf::DataType> in, out;
  ASSERT_TRUE(InOutTypes(node, op, &in, &out).ok());
  EXPECT_EQ(in, (std::vector<tf::DataType>{tf::DT_HALF, tf::DT_HALF, tf::DT_BOOL, tf::DT_FLOAT}));
  EXPECT_EQ(out, std::vector<tf::DataType>{tf::DT_INT32_REF});
}

std::string TypesText(const std::vector<tf::DataType>& types) {
  std::string text;
  for (const tf::DataType type : types)
    text += fmt::format("{}{}", text.empty() ? "" : " ", DataTypeString(type));
  return text;
}

// Rows: op, a node's attributes, types of its inputs and of its outputs, or the error.
TEST(InOutTypes, Cases) {
  const std::string repeats = R"x(
      input_arg { name: "a" type: DT_INT32 number_attr: "N" }
      input_arg { name: "b" type_attr: "T" number_attr: "N" } output_arg { name: "c" type_attr: "T" }
      output_arg { name: "d" type: DT_STRING number_attr: "N" }
      output_arg { name: "e" type: DT_BOOL number_attr: "M" })x";
  const std::string lists = R"x(
      input_arg { name: "a" type_list_attr: "T1" } input_arg { name: "b" type_list_attr: "T2" }
      output_arg { name: "c" type_list_attr: "T2" } output_arg { name: "d" type_list_attr: "T3" })x";
  const std::string simple = R"x(
      input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_INT32 }
      output_arg { name: "c" type: DT_STRING } output_arg { name: "d" type: DT_BOOL })x";
  const struct {
    std::string op, attrs, inputs, outputs;
  } kCases[] = {
      // tensorflow/core/framework/node_def_util_test.cc: InputTypesForNode.Simple
      // tensorflow/core/framework/node_def_util_test.cc: OutputTypesForNode.Simple
      // tensorflow/core/framework/node_def_util_test.cc: NameRangesForNodeTest.Simple
      {simple, "", "float int32", "string bool"},
      // tensorflow/core/framework/node_def_util_test.cc: NameRangesForNodeTest.Polymorphic
      {R"x(input_arg { name: "a" type_attr: "T" } input_arg { name: "b" type_attr: "T" }
           output_arg { name: "c" type_attr: "T" })x",
       "attr { key: 'T' value { type: DT_BOOL } }", "bool bool", "bool"},
      // tensorflow/core/framework/node_def_util_test.cc: NameRangesForNodeTest.NRepeats
      {repeats,
       "attr { key: 'N' value { i: 2 } } attr { key: 'M' value { i: 3 } } "
       "attr { key: 'T' value { type: DT_DOUBLE } }",
       "int32 int32 double double", "double string string bool bool bool"},
      {repeats, "", "No attr named 'N' in NodeDef: {{node n}}", ""},
      // tensorflow/core/framework/node_def_util_test.cc: NameRangesForNodeTest.TypeList
      {lists,
       "attr { key: 'T1' value { list { type: [DT_BOOL, DT_FLOAT] } } } "
       "attr { key: 'T2' value { list { type: DT_HALF } } } "
       "attr { key: 'T3' value { list { type: [DT_INT32, DT_STRING] } } }",
       "bool float half", "half int32 string"},
      {lists, "", "No attr named 'T1' in NodeDef: {{node n}}", ""},
      // tensorflow/core/framework/node_def_util_test.cc: OutputTypesForNode.LargeOutput
      {"output_arg { name: 'o' type: DT_INT64 number_attr: 'n' }",
       "attr { key: 'n' value { i: 1000000000000 } }",
       "Value for number_attr() 1000000000000 of argument 'o' is too big; NodeDef: {{node n}}", ""},
  };
  for (const auto& c : kCases) {
    const tf::NodeDef node = ParsedNode("name: 'n' op: 'O' " + c.attrs);
    std::vector<tf::DataType> in, out;
    const absl::Status s = InOutTypes(node, Op("name: 'O' " + c.op), &in, &out);
    EXPECT_EQ(s.ok() ? TypesText(in) : Message(s), c.inputs) << c.op;
    if (s.ok()) {
      EXPECT_EQ(TypesText(out), c.outputs) << c.op;
    }
  }
}

// tensorflow/core/framework/node_def_util_test.cc: FormatNodeForErrorTest.Node
TEST(FormatNode, AsTensorFlowWritesIt) { EXPECT_EQ(FormatNode("enter"), "{{node enter}}"); }

// The definitions that are compiled in must themselves be valid.
// tensorflow/core/framework/op_def_util_test.cc: ValidateOpDefTest.OpDefValid
TEST(ValidateAttrValue, DefaultsOfAllOps) {
  for (const char* name : {"Conv2D", "MaxPool", "Cast", "While", "ConcatV2", "ResizeBilinear"}) {
    const tf::OpDef* op = TestOps()->LookUp(name);
    ASSERT_NE(op, nullptr) << name;
    for (const tf::OpDef::AttrDef& attr : op->attr()) {
      if (!attr.has_default_value()) continue;
      EXPECT_TRUE(ValidateAttrValue(attr.default_value(), attr).ok()) << name << " " << attr.name();
    }
  }
}

// Rows: an attribute with a default value, and what is wrong with that value ("" = nothing).
TEST(ValidateAttrValue, Defaults) {
  const struct {
    const char *attr, *error;
  } kCases[] = {
      // tensorflow/core/framework/op_def_util_test.cc: ValidateOpDefTest.BadAttrDefault
      {"type: 'int' default_value { s: 'x' }",
       "AttrValue had value with type 'string' when 'int' expected for attr 'a'"},
      {"type: 'int' default_value { f: 0.5 }",
       "AttrValue had value with type 'float' when 'int' expected for attr 'a'"},
      {"type: 'list(int)' default_value { f: 0.5 }",
       "AttrValue had value with type 'float' when 'list(int)' expected for attr 'a'"},
      {"type: 'list(int)' default_value { list { i: 5 f: 0.5 } }",
       "AttrValue had value with type 'list(float)' when 'list(int)' expected for attr 'a'"},
      {"type: 'type' default_value { }",
       "AttrValue missing value with expected type 'type' for attr 'a'"},
      {"type: 'shape' default_value { }",
       "AttrValue missing value with expected type 'shape' for attr 'a'"},
      {"type: 'list(int)' default_value { }", ""},
      {"type: 'list(int)' default_value { list { } }", ""},
      {"type: 'list(string)' has_minimum: true minimum: 2 default_value { list { s: 'foo' } }",
       "Length for attr 'a' of 1 must be at least minimum 2"},
      // tensorflow/core/framework/op_def_util_test.cc: ValidateOpDefTest.NoRefTypes
      {"type: 'type' default_value { type: DT_INT32_REF }",
       "AttrValue must not have reference type value of int32_ref for attr 'a'"},
      {"type: 'list(type)' default_value { list { type: DT_STRING_REF } }",
       "AttrValue must not have reference type value of string_ref for attr 'a'"},
      // tensorflow/core/framework/op_def_util_test.cc: ValidateOpDefTest.BadAttrMin
      {"type: 'int' has_minimum: true minimum: 7 default_value { i: 2 }",
       "Value for attr 'a' of 2 must be at least minimum 7"},
      // tensorflow/core/framework/op_def_util_test.cc: ValidateOpDefTest.BadAttrAllowed
      {"type: 'type' allowed_values { list { type: [DT_HALF, DT_INT32] } } default_value { type: "
       "DT_STRING }",
       "Value for attr 'a' of string is not in the list of allowed values: half, int32"},
      {"type: 'string' allowed_values { list { s: ['foo', 'bar'] } } default_value { s: 'bar' }",
       ""},
      {"type: 'string' allowed_values { list { s: ['foo', 'bar'] } } default_value { s: 'baz' }",
       "Value for attr 'a' of \"baz\" is not in the list of allowed values: \"foo\", \"bar\""},
      {"type: 'list(string)' allowed_values { list { s: ['foo', 'bar'] } } default_value { list { "
       "s: "
       "'baz' } }",
       "Value for attr 'a' of \"baz\" is not in the list of allowed values: \"foo\", \"bar\""},
  };
  for (const auto& c : kCases) {
    const tf::OpDef::AttrDef attr = Op(std::string("attr { name: 'a' ") + c.attr + " }").attr(0);
    EXPECT_EQ(Message(ValidateAttrValue(attr.default_value(), attr)), c.error) << c.attr;
  }
}

TEST(AddDefaults, FillsOnlyWhatIsMissing) {
  const tf::OpDef op = Op(R"x(name: "D" attr { name: "a" type: "int" default_value { i: 5 } }
      attr { name: "b" type: "int" default_value { i: 6 } } attr { name: "c" type: "int" })x");
  tf::NodeDef node = ParsedNode(R"x(name: "n" op: "D" attr { key: "b" value { i: 1 } })x");
  AddDefaults(op, &node);
  EXPECT_EQ(node.attr().at("a").i(), 5);
  EXPECT_EQ(node.attr().at("b").i(), 1);
  EXPECT_FALSE(node.attr().contains("c"));
}

TEST(CheckDeprecation, FromItsVersionOn) {
  const tf::OpDef* op = TestOps()->LookUp("RequiresOlderGraphVersion");
  const tf::NodeDef node = Def("n", "RequiresOlderGraphVersion");
  EXPECT_TRUE(CheckDeprecation(node, *op, 99).ok());
  const absl::Status s = CheckDeprecation(node, *op, 100);
  EXPECT_EQ(s.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(Message(s),
            "Op RequiresOlderGraphVersion is not available in GraphDef version 100. It has been "
            "removed in version "
            "100. For reasons.");
}

// TensorFlow graph row 34: attributes inferred from inputs
TEST(InferAttrsFromInputs, TypesNumbersAndLists) {
  tf::NodeDef concat = Def("c", "ConcatV2");
  InferAttrsFromInputs(*TestOps()->LookUp("ConcatV2"), {tf::DT_FLOAT, tf::DT_FLOAT, tf::DT_INT32},
                       &concat);
  EXPECT_EQ(concat.attr().at("N").i(), 2);
  EXPECT_EQ(concat.attr().at("T").type(), tf::DT_FLOAT);
  EXPECT_EQ(concat.attr().at("Tidx").type(), tf::DT_INT32);
  tf::NodeDef identity = Def("i", "IdentityN");
  InferAttrsFromInputs(*TestOps()->LookUp("IdentityN"), {tf::DT_BOOL, tf::DT_FLOAT_REF}, &identity);
  EXPECT_EQ(identity.attr().at("T").list().type(1), tf::DT_FLOAT);
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/op_binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

tf::NodeDef Node(const std::string& text) {
  tf::NodeDef node;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &node));
  return node;
}

const char kAnyOp[] =
    R"x(name: "Any" input_arg { name: "in" type_attr: "T" } output_arg { name: "out" type_attr: "T" }
    attr { name: "T" type: "type" allowed_values { list { type: [DT_FLOAT, DT_INT64] } } })x";

// Rows: op, node, what the error must say ("" = valid). After node_def_util_test.cc.
struct ValidateCase {
  const char* name;
  const char* op;
  const char* node;
  const char* error;
};
const ValidateCase kValidate[] = {
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
    const absl::Status s = ValidateNodeDef(Node(c.node), Op(c.op));
    if (*c.error == 0)
      EXPECT_TRUE(s.ok()) << c.name << ": " << s;
    else
      EXPECT_THAT(Message(s), HasSubstr(c.error)) << c.name;
  }
}

TEST(InOutTypes, ListsAndReferences) {
  const tf::OpDef op = Op(R"x(name: "O" input_arg { name: "a" type_attr: "T" number_attr: "N" }
      input_arg { name: "l" type_list_attr: "L" } output_arg { name: "r" type: DT_INT32 is_ref: true })x");
  const tf::NodeDef node = Node(R"x(name: "n" op: "O" attr { key: "T" value { type: DT_HALF } }
      attr { key: "N" value { i: 2 } } attr { key: "L" value { list { type: [DT_BOOL, DT_FLOAT] } } })x");
  std::vector<tf::DataType> in, out;
  ASSERT_TRUE(InOutTypes(node, op, &in, &out).ok());
  EXPECT_EQ(in, (std::vector<tf::DataType>{tf::DT_HALF, tf::DT_HALF, tf::DT_BOOL, tf::DT_FLOAT}));
  EXPECT_EQ(out, std::vector<tf::DataType>{tf::DT_INT32_REF});
}

TEST(AddDefaults, FillsOnlyWhatIsMissing) {
  const tf::OpDef op = Op(R"x(name: "D" attr { name: "a" type: "int" default_value { i: 5 } }
      attr { name: "b" type: "int" default_value { i: 6 } } attr { name: "c" type: "int" })x");
  tf::NodeDef node = Node(R"x(name: "n" op: "D" attr { key: "b" value { i: 1 } })x");
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

// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/attr_value.h"

#include <gtest/gtest.h>

#include "google/protobuf/text_format.h"
#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

tf::AttrValue Value(const std::string& text) {
  tf::AttrValue value;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &value)) << text;
  return value;
}

// tensorflow/core/framework/attr_value_util_test.cc: AttrValueUtil.HasType
TEST(AttrValueHasType, Cases) {
  const struct {
    const char *value, *type, *error;
  } kCases[] = {
      {"i: 123", "int", ""},
      {"f: 1.2", "float", ""},
      {"type: DT_FLOAT", "type", ""},
      {"func { name: 'f' }", "func", ""},
      {"list { func { name: 'f' } func { name: 'g' } }", "list(func)", ""},
      {"i: 123", "func", "AttrValue had value with type 'int' when 'func' expected"},
      {"f: 1.2", "int", "AttrValue had value with type 'float' when 'int' expected"},
      {"type: DT_FLOAT", "shape", "AttrValue had value with type 'type' when 'shape' expected"},
      {"func { name: 'f' }", "string",
       "AttrValue had value with type 'func' when 'string' expected"},
      {"placeholder: 'T'", "float", "AttrValue had value with unexpected type 'placeholder'"},
      {"type: 1000", "type", "AttrValue has invalid DataType enum: 1000"},
      {"list { type: 1000 }", "list(type)", "AttrValue has invalid DataType enum: 1000"},
  };
  for (const auto& c : kCases)
    EXPECT_EQ(Message(AttrValueHasType(Value(c.value), c.type)), c.error) << c.value;
}

TEST(SummarizeAttrValue, Cases) {
  const std::string dashes(40, '-');
  const struct {
    std::string value, text;
  } kCases[] = {
      // tensorflow/core/framework/attr_value_util_test.cc: AttrValueUtil.Basic
      {R"x(func { name: "MatMul" attr { key: "dtype" value { placeholder: "T" } }
           attr { key: "transpose_b" value { b: true } } attr { key: "transpose_a" value { b: false } } })x",
       "MatMul[dtype=$T, transpose_a=false, transpose_b=true]"},
      // tensorflow/core/framework/attr_value_util_test.cc: AttrValueUtil.Shaped
      {R"x(func { name: "F" attr { key: "full" value { shape { dim { size: 1 } dim { size: 0 } } } }
           attr { key: "part" value { shape { dim { size: -1 } dim { size: 1 } dim { size: 0 } } } } })x",
       "F[full=[1,0], part=[?,1,0]]"},
      // tensorflow/core/framework/attr_value_util_test.cc: AttrValueUtil.DeepAttr
      {R"x(func { name: "f" attr { key: "T" value { placeholder: "T" } } attr { key: "F" value { list {
           func { name: "f" attr { key: "T" value { placeholder: "T" } } }
           func { name: "g" attr { key: "T" value { func { name: "x" } } } } } } } })x",
       "f[F=[f[T=$T], g[T=x[]]], T=$T]"},
      // tensorflow/core/framework/attr_value_util_test.cc:
      // AttrValueUtil.SummarizeAttrValueDoesNotElideShortStrings
      {"s: '" + dashes + "'", "\"" + dashes + "\""},
      // tensorflow/core/framework/attr_value_util_test.cc:
      // AttrValueUtil.SummarizeAttrValueDoesNotElideShortLists
      {"list { i: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"},
  };
  for (const auto& [value, text] : kCases)
    EXPECT_EQ(SummarizeAttrValue(Value(value)), text) << value;
}

}  // namespace
}  // namespace linnet::converter

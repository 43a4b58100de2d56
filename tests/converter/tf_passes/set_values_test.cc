// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/graph/text/text.h"
#include "converter/pass/passes.h"
#include "converter/tf_passes/given_value.h"
#include "gmock/gmock.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

constexpr std::string_view kModel = R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [?,2]}
    rate = tf.Placeholder() {dtype: DT_FLOAT, shape: []}
    size = tf.Placeholder() {dtype: DT_INT32, shape: [2]}
    words = tf.Placeholder() {dtype: DT_STRING, shape: [2]}
    h = tf.Mul(x, rate, ^rate)
    s = tf.Reshape(h, size)
    length = tf.StringLength(words)
    out = ret(s)
    out_length = ret(length))";

PassContext Set(std::vector<FixedTensor> fixed) {
  PassContext context;
  context.fixed = std::move(fixed);
  return context;
}

std::string Error(const PassContext& context) {
  const auto graph = Parse(kModel);
  const absl::StatusOr<int> result = SetValues(*graph, context);
  return result.ok() ? "" : std::string(result.status().message());
}

TEST(SetValues, ReadersReadTheValue) {
  ExpectRewritten(SetValues, kModel, R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [?,2]}
    rate = tf.Placeholder() {dtype: DT_FLOAT, shape: []}
    size = tf.Placeholder() {dtype: DT_INT32, shape: [2]}
    words = tf.Placeholder() {dtype: DT_STRING, shape: [2]}
    h = tf.Mul(x, const f32[] 0.5)
    s = tf.Reshape(h, const i32[2] {2, 3})
    length = tf.StringLength(words)
    out = ret(s)
    out_length = ret(length))",
                  {.context = Set({{"rate", "0.5"}, {"size:0", "2,3"}})});
}

TEST(SetValues, AnyTensorMayBeSet) {
  ExpectRewritten(SetValues, R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    a = tf.Exp(x)
    b = tf.Neg(a)
    out = ret(b))",
                  R"(
    x = tf.Placeholder() {dtype: DT_FLOAT, shape: [2]}
    a = tf.Exp(x)
    b = tf.Neg(const f32[] 1.5)
    out = ret(b))",
                  {.context = Set({{"a", "1.5"}})});
}

TEST(SetValues, SaysAllThatDoesNotFit) {
  PassContext context = Set({{"nothing", "1"},
                             {"rate", "fast"},
                             {"rate", "1"},
                             {"size", "1,2,3"},
                             {"words", "1"},
                             {"h:1", "1"},
                             {"rat", "1"},
                             {"x", "1"},
                             {"s", "1"}});
  context.feeds = {{"x:0", {}}};
  context.fetches = {"s"};
  const std::string error = Error(context);
  for (const char* part :
       {"--set nothing: there is no such tensor", "--set rate: it is set more than once",
        "--set size=1,2,3: its shape is [3], but the model says [2]",
        "words': a value of type string cannot be set", "--set h:1: there is no such tensor",
        "--set rat: there is no such tensor; there is 'rate'", "--set x: it is also an input",
        "--set s: it is also an output"})
    EXPECT_THAT(error, HasSubstr(part));
  EXPECT_THAT(Error(Set({{"rate", "fast"}})),
              HasSubstr("Placeholder 'rate': --set rate=fast: 'fast' is no f32"));
}

// The text of the value, or of what is wrong with it.
std::string Value(std::string text, DType dtype, PartialShape declared = std::nullopt,
                  int64_t room = 1000) {
  const absl::StatusOr<Constant> value = GivenValue({"x", std::move(text)}, dtype, declared, &room);
  if (!value.ok()) return std::string(value.status().message());
  Graph graph(OpRegistry::Global());
  const std::string printed = PrintNode(*graph.AddConstant("x", *value));
  return printed.substr(std::string_view("x = const ").size());
}

using Dims = std::vector<int64_t>;

TEST(GivenValue, EveryType) {
  EXPECT_EQ(Value("true", DType::kBool), "bool[] true");
  EXPECT_EQ(Value("0,1,False", DType::kBool), "bool[3] {false, true, false}");
  EXPECT_EQ(Value("-128,127", DType::kInt8), "i8[2] {-128, 127}");
  EXPECT_EQ(Value("65535", DType::kUint16), "u16[] 65535");
  EXPECT_EQ(Value("-9223372036854775808", DType::kInt64), "i64[] -9223372036854775808");
  EXPECT_EQ(Value("1e-3,-inf", DType::kFloat32), "f32[2] {0.001, -inf}");
  EXPECT_EQ(Value("0.5", DType::kFloat16), "f16[] 0.5");
}

TEST(GivenValue, OnlyWhatTheTypeCanHold) {
  EXPECT_EQ(Value("2", DType::kBool), "'2' is no bool");
  EXPECT_EQ(Value("1.5", DType::kInt32), "'1.5' is no i32");
  EXPECT_EQ(Value("1,,2", DType::kInt32), "'' is no i32");
  EXPECT_EQ(Value("1e99", DType::kFloat32), "'1e99' is no f32");
  EXPECT_EQ(Value("256", DType::kUint8), "u8 cannot hold all of its elements, which are i64");
}

TEST(GivenValue, OneElementFillsTheShape) {
  EXPECT_EQ(Value("2", DType::kInt32, Dims{2, 2}), "i32[2,2] {2, 2, 2, 2}");
  EXPECT_EQ(Value("0", DType::kFloat32, Dims{-1, 3}), "f32[1,3] {0, 0, 0}");
  EXPECT_EQ(Value("7", DType::kInt32, Dims{0}), "i32[0] {}");
  EXPECT_EQ(Value("0", DType::kFloat32, Dims{1 << 20, 1 << 20}),
            "a tensor of shape [1048576,1048576] is too large for a constant");
}

TEST(GivenValue, SeveralElementsTakeTheShape) {
  EXPECT_EQ(Value("1,2,3,4", DType::kInt32, Dims{2, -1}), "i32[2,2] {1, 2, 3, 4}");
  EXPECT_EQ(Value("1,2,3", DType::kInt32, Dims{2, -1}),
            "its shape is [3], but the model says [2,?]");
  EXPECT_EQ(Value("1,2", DType::kInt32, Dims{}), "its shape is [2], but the model says []");
}

TEST(GivenValue, ArraysOfOtherTypes) {
  FixedTensor fixed{"x", "x.npy", Constant::Of<int64_t>({2}, {1, 300})};
  const PartialShape two = Dims{2};
  EXPECT_EQ(GivenValue(fixed, DType::kInt32, two, nullptr)->ToInt64(), (Dims{1, 300}));
  EXPECT_EQ(GivenValue(fixed, DType::kFloat32, two, nullptr)->as<float>()[1], 300.0F);
  EXPECT_FALSE(GivenValue(fixed, DType::kUint8, two, nullptr).ok());
  EXPECT_FALSE(GivenValue(fixed, DType::kInt32, Dims{3}, nullptr).ok());
  fixed.array = Constant::Of<float>({1}, {0.5F});
  EXPECT_FALSE(GivenValue(fixed, DType::kInt32, std::nullopt, nullptr).ok());
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
// The shapes that TensorFlow's rules infer; Linnet's are always fully known.
#include "converter/pass/passes.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gmock/gmock.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

struct ShapeCase {
  std::string node;  // constants and args written in it are added to the graph
  const char* want;  // the output's shape, or a part of the error
};

std::string ShapeOf(const std::string& node) {
  const auto graph = Parse(node + " out = ret(y)");
  const absl::StatusOr<int> result = Legalize(*graph, {});
  if (!result.ok()) return std::string(result.status().message());
  const Output y = graph->FindNode("out")->input(0);
  const Shape& shape = y.node->type(y.index).shape;
  return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ","));
}

std::string MatMul(const std::string& a, const std::string& b,
                   const std::string& attributes = "{}") {
  return "a = arg f32" + a + " b = arg f32" + b + " y = tf.MatMul(a, b) " + attributes;
}

std::string Batch(const std::string& a, const std::string& b,
                  const std::string& attributes = "{}") {
  return "a = arg f32" + a + " b = arg f32" + b + " y = tf.BatchMatMulV2(a, b) " + attributes;
}

std::string BiasAdd(const std::string& x, const std::string& b,
                    const std::string& format = "NHWC") {
  return "x = arg f32" + x + " b = arg f32" + b + " y = tf.BiasAdd(x, b) {data_format: \"" +
         format + "\"}";
}

std::string Einsum(const std::string& equation, const std::string& a, const std::string& b) {
  return "a = arg f32" + a + " b = arg f32" + b + " y = tf.Einsum(a, b) {N: 2, equation: \"" +
         equation + "\"}";
}

std::string Conv(const std::string& x, const std::string& filter, const std::string& attributes) {
  return "x = arg f32" + x + " y = tf.Conv2D(x, const f32" + filter + " seed=1) {" + attributes +
         "}";
}

std::string Pool(const std::string& op, const std::string& x, const std::string& attributes) {
  return "x = arg f32" + x + " y = tf." + op + "(x) {" + attributes + "}";
}

std::string Sum(const std::string& axes, const std::string& attributes = "{}") {
  return "x = arg f32[2,4,5] y = tf.Sum(x, const i32" + axes + ") " + attributes;
}

const std::string kUnit = "strides: [1, 1, 1, 1], ";

const ShapeCase kShapeCases[] = {
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.MatMulShapeTest
    // TensorFlow graph row 27: shape inference
    {MatMul("[2,3]", "[3,4]"), "[2,4]"},
    {MatMul("[2]", "[3,4]"), "MatMul 'y': input 0 has shape [2], want rank 2"},
    {MatMul("[2,5]", "[3,4]"), "BatchMatMul: columns of a must be rows of b"},
    {MatMul("[2,5,3]", "[3,5,4]"), "MatMul 'y': input 0 has shape [2,5,3], want rank 2"},
    {MatMul("[3,2]", "[3,4]", "{transpose_a: true}"), "[2,4]"},
    {MatMul("[2,3]", "[4,3]", "{transpose_b: true}"), "[2,4]"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.BatchMatMulV2_ShapeFn
    {Batch("[2,3]", "[3,4]"), "[2,4]"},
    {Batch("[3,2,5]", "[3,5,4]"), "[3,2,4]"},
    {Batch("[2,2,5]", "[1,5,4]"), "[2,2,4]"},
    {Batch("[2,5]", "[6,5,4]"), "[6,2,4]"},
    {Batch("[7,1,6,2,5]", "[8,1,5,4]"), "[7,8,6,2,4]"},
    {Batch("[2,2,5]", "[3,5,4]"), "BatchMatMul: leading dimensions must broadcast"},
    {Batch("[2,2,3,4]", "[2,2,3,6]", "{adj_x: true}"), "[2,2,4,6]"},
    {Batch("[2,2,3,4]", "[2,2,6,4]", "{adj_y: true}"), "[2,2,3,6]"},
    {Batch("[1]", "[3,4]"), "BatchMatMulV2 'y': inputs have shapes [1] and [3,4], want rank >= 2"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.BiasAddShapeTest
    {BiasAdd("[2,10]", "[10]"), "[2,10]"},
    {BiasAdd("[4,3,4,2,15]", "[15]"), "[4,3,4,2,15]"},
    {BiasAdd("[2,3,4,5]", "[3]", "NCHW"), "[2,3,4,5]"},
    {BiasAdd("[10,11,12]", "[11]", "NCHW"), "[10,11,12]"},
    {BiasAdd("[3]", "[3]"), "BiasAdd 'y': attr 'data_format' is NHWC for rank 1"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.Einsum_ShapeFn
    {Einsum("ij,jk->ik", "[2,3]", "[3,4]"), "[2,4]"},
    {Einsum("ab,ab->", "[2,3]", "[2,3]"), "[]"},
    {Einsum("...ij,...jk->...ik", "[5,6,2,3]", "[1,3,4]"), "[5,6,2,4]"},
    {Einsum("ab,ab->a", "[1,2]", "[2,1]"),
     "Einsum 'y': attr 'equation': a label stands for 1 and 2 elements"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.Conv2DShapeTest
    {Conv("[4,4]", "[2,1,1,1]", kUnit + "padding: \"VALID\""),
     "Conv2D 'y': input 0 has shape [4,4], want rank 4"},
    {Conv("[1,4,4,1]", "[2,1,1]", kUnit + "padding: \"VALID\""),
     "Conv2D 'y': input 1 has shape [2,1,1], want rank 4"},
    {Conv("[1,2,2,1]", "[1,1,1,1]", "strides: [1, 1, 0, 1], padding: \"VALID\""),
     "Conv2D 'y': 'strides' is [1,1,0,1], want values >= 1"},
    {Conv("[1,2,2,1]", "[2,2,1,1]", kUnit + "padding: \"VALID\""), "[1,1,1,1]"},
    {Conv("[1,3,3,1]", "[1,1,1,1]", "strides: [1, 2, 2, 1], padding: \"VALID\""), "[1,2,2,1]"},
    {Conv("[1,4,4,1]", "[2,1,1,1]", "strides: [1, 1, 2, 1], padding: \"VALID\""), "[1,3,2,1]"},
    {Conv("[1,1,4,4]", "[2,1,1,1]",
          "strides: [1, 1, 1, 2], padding: \"VALID\", data_format: \"NCHW\""),
     "[1,1,3,2]"},
    {Conv("[1,4,4,1]", "[2,2,1,1]", "strides: [1, 2, 2, 1], padding: \"SAME\""), "[1,2,2,1]"},
    {Conv("[1,3,3,1]", "[2,2,1,1]",
          kUnit + "padding: \"EXPLICIT\", explicit_paddings: [0, 0, 1, 0, 1, 2, 0, 0]"),
     "[1,3,5,1]"},
    {Conv("[1,4,4,2]", "[2,2,2,3]",
          "strides: [1, 2, 2, 1], padding: \"EXPLICIT\", explicit_paddings: [0, 0, 3, 2, 1, 0, 0, "
          "0]"),
     "[1,4,2,3]"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.Conv2DDilatedShapeTest
    {Conv("[1,2,2,1]", "[1,1,1,1]", kUnit + "padding: \"VALID\", dilations: [1, 2, 1]"),
     "Conv2D 'y': 'dilations' has 3 values, want 4"},
    {Conv("[1,2,2,1]", "[1,1,1,1]", kUnit + "padding: \"VALID\", dilations: [1, 0, 1, 1]"),
     "Conv2D 'y': 'dilations' is [1,0,1,1], want values >= 1"},
    {Conv("[1,4,4,1]", "[1,1,1,1]",
          "strides: [1, 2, 1, 1], padding: \"VALID\", dilations: [1, 2, 1, 1]"),
     "[1,2,4,1]"},
    {Conv("[1,5,5,1]", "[3,3,1,1]", kUnit + "padding: \"VALID\", dilations: [1, 2, 1, 1]"),
     "[1,1,3,1]"},
    {Conv("[1,5,5,1]", "[3,3,1,1]",
          "strides: [1, 2, 2, 1], padding: \"VALID\", dilations: [1, 1, 2, 1]"),
     "[1,2,1,1]"},
    // tensorflow/core/framework/common_shape_fns_test.cc:
    // CommonShapeFnsTest.DepthwiseConv2DShapeTest
    {"x = arg f32[1,2,2,3] y = tf.DepthwiseConv2dNative(x, const f32[1,1,3,4] seed=1) {" + kUnit +
         "padding: \"VALID\"}",
     "[1,2,2,12]"},
    {"x = arg f32[1,3,2,2] y = tf.DepthwiseConv2dNative(x, const f32[1,1,3,4] seed=1) {" + kUnit +
         "padding: \"VALID\", data_format: \"NCHW\"}",
     "[1,12,2,2]"},
    {"x = arg f32[1,2,2,3] y = tf.DepthwiseConv2dNative(x, const f32[1,1,12,4] seed=1) {" + kUnit +
         "padding: \"VALID\"}",
     "DepthwiseConv2dNative 'y': 3 input channels, but the filter [1,1,12,4] is for 12"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.AvgPool2DShapeTest
    {Pool("AvgPool", "[1,2,2,1]", kUnit + "ksize: [1, 1, 1, 1], padding: \"VALID\""), "[1,2,2,1]"},
    {Pool("AvgPool", "[1,4,4,1]", "strides: [1, 1, 2, 1], ksize: [1, 2, 1, 1], padding: \"VALID\""),
     "[1,3,2,1]"},
    {Pool("AvgPool", "[1,1,4,4]",
          "strides: [1, 1, 1, 2], ksize: [1, 1, 2, 1], padding: \"VALID\", data_format: \"NCHW\""),
     "[1,1,3,2]"},
    {Pool("AvgPool", "[4,4]", kUnit + "ksize: [1, 1, 1, 1], padding: \"VALID\""),
     "AvgPool 'y': input 0 has shape [4,4], want rank 4"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.Pool3DShapeTest
    {Pool("MaxPool3D", "[1,24,24,24,1]",
          "strides: [1, 2, 3, 4, 1], ksize: [1, 1, 1, 1, 1], padding: \"VALID\""),
     "[1,12,8,6,1]"},
    // tensorflow/core/framework/common_shape_fns_test.cc: CommonShapeFnsTest.Reduce_ShapeFn
    {Sum("[2] {1, 2}"), "[2]"},
    {Sum("[2] {-1, -2}"), "[2]"},
    {Sum("[] 0"), "[4,5]"},
    {Sum("[0] {}"), "[2,4,5]"},
    {Sum("[2] {1, 2}", "{keep_dims: true}"), "[2,1,1]"},
    {Sum("[] -4"), "Sum 'y': 'reduction_indices' is -4, want [-3, 3)"},
};

TEST(ShapeRules, Cases) {
  for (const auto& [node, want] : kShapeCases) {
    if (want[0] == '[')
      EXPECT_EQ(ShapeOf(node), want) << node;
    else
      EXPECT_THAT(ShapeOf(node), testing::HasSubstr(want)) << node;
  }
}

}  // namespace
}  // namespace linnet::converter

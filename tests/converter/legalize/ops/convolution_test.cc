// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(LegalizeConv2D, SamePaddingPutsTheOddRowBelow) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1,8,7,3]
    w = arg f32[3,3,3,4]
    y = tf.Conv2D(x, w) {strides: [1, 2, 2, 1], padding: "SAME"}
    out = ret(y))",
                  R"(
    x = arg f32[1,8,7,3]
    w = arg f32[3,3,3,4]
    o = Transpose(w) {perm: [3, 0, 1, 2]}
    y = Conv2D(x, o) {stride_h: 2, stride_w: 2, pad_bottom: 1, pad_left: 1, pad_right: 1}
    out = ret(y))");
}

// Keras' ConvNeXt has depthwise convolutions as groups of one channel each.
TEST(LegalizeConv2D, GroupsOfOneChannelAreDepthwise) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1,4,4,3]
    w = arg f32[2,2,1,3]
    y = tf.Conv2D(x, w) {strides: [1, 1, 1, 1], padding: "VALID"}
    v = arg f32[2,2,1,6]
    z = tf.Conv2D(x, v) {strides: [1, 1, 1, 1], padding: "VALID"}
    out = ret(y)
    out2 = ret(z))",
                  R"(
    x = arg f32[1,4,4,3]
    w = arg f32[2,2,1,3]
    f = Reshape(w) {shape: [2, 2, 3]}
    y = DepthwiseConv2D(x, f)
    v = arg f32[2,2,1,6]
    g = Transpose(v) {perm: [3, 0, 1, 2]}
    z = Conv2D(x, g) {groups: 3}
    out = ret(y)
    out2 = ret(z))");
}

// tfjs stores weights as f16 or bytes; changing their layout must not enlarge them.
TEST(LegalizeConv2D, TransposedFiltersStayEncoded) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1,2,2,2]
    y = tf.Conv2D(x, const f32[1,1,2,2] encoding=Float16 {1, 2, 3, 4}) {strides: [1, 1, 1, 1], padding: "VALID"}
    z = tf.DepthwiseConv2dNative(y, const f32[1,1,2,1] encoding=AffineU8 scale=0.5 min=-1 {3, 200}) {strides: [1, 1, 1, 1], padding: "VALID"}
    out = ret(z))",
                  R"(
    x = arg f32[1,2,2,2]
    y = Conv2D(x, const f32[2,1,1,2] encoding=Float16 {1, 3, 2, 4})
    z = DepthwiseConv2D(y, const f32[1,1,2] encoding=AffineU8 scale=0.5 min=-1 {3, 200})
    out = ret(z))");
}

// Found by fuzzing: zero input channels are a multiple of whatever number the filter has.
TEST(LegalizeConv2D, NoInputChannelsAreAnErrorOfTheModel) {
  const auto graph = Parse(R"(
    x = arg f32[1,2,2,0]
    y = tf.Conv2D(x, const f32[1,1,2,2] {1, 2, 3, 4}) {strides: [1, 1, 1, 1], padding: "VALID"}
    out = ret(y))");
  EXPECT_FALSE(Legalize(*graph, PassContext()).ok());
}

TEST(LegalizeConv2D, NchwIsWrappedInTransposes) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1,2,5,6]
    y = tf.Conv2D(x, const f32[1,1,2,2] {1, 2, 3, 4}) {strides: [1, 1, 1, 2], padding: "VALID", data_format: "NCHW"}
    z = tf.BiasAdd(y, const f32[2] {1, 2}) {data_format: "NCHW"}
    out = ret(z))",
                  R"(
    x = arg f32[1,2,5,6]
    t = Transpose(x) {perm: [0, 2, 3, 1]}
    c = Conv2D(t, const f32[2,1,1,2] {1, 3, 2, 4}) {stride_w: 2}
    y = Transpose(c) {perm: [0, 3, 1, 2]}
    u = Transpose(y) {perm: [0, 2, 3, 1]}
    b = Binary(u, const f32[2] {1, 2}) {kind: Add}
    z = Transpose(b) {perm: [0, 3, 1, 2]}
    out = ret(z))");
}

TEST(LegalizeConv2D, FusedBiasAndRelu6GoInside) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1,2,2,2]
    y = tf._FusedConv2D(x, const f32[1,1,2,2] {1, 2, 3, 4}, const f32[2] {5, 6}) {num_args: 1, strides: [1, 1, 1, 1], padding: "VALID", fused_ops: ["BiasAdd", "Relu6"]}
    out = ret(y))",
                  R"(
    x = arg f32[1,2,2,2]
    y = Conv2D(x, const f32[2,1,1,2] {1, 3, 2, 4}, const f32[2] {5, 6}) {range: {min: 0, max: 6}}
    out = ret(y))");
}

TEST(LegalizeConv2D, OtherFusedActivationsFollow) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1,2,2,2]
    y = tf._FusedConv2D(x, const f32[1,1,2,2] {1, 2, 3, 4}, const f32[2] {5, 6}, const f32[2] {7, 8}) {num_args: 2, strides: [1, 1, 1, 1], padding: "VALID", fused_ops: ["biasadd", "prelu"]}
    z = tf._FusedConv2D(y, const f32[1,1,2,2] {1, 2, 3, 4}, const f32[2] {5, 6}) {num_args: 1, strides: [1, 1, 1, 1], padding: "VALID", fused_ops: ["BiasAdd", "LeakyRelu"], leakyrelu_alpha: 0.5}
    out = ret(z))",
                  R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[2,1,1,2] {1, 3, 2, 4}, const f32[2] {5, 6})
    y = Prelu(c, const f32[2] {7, 8})
    d = Conv2D(y, const f32[2,1,1,2] {1, 3, 2, 4}, const f32[2] {5, 6})
    z = Unary(d) {kind: LeakyRelu, alpha: 0.5}
    out = ret(z))");
}

TEST(LegalizeConv2D, RefusesWhatItCannotFuse) {
  const auto graph = Parse(R"(
    x = arg f32[1,2,2,2]
    y = tf._FusedConv2D(x, const f32[1,1,2,2] {1, 2, 3, 4}, const f32[2] {5, 6}) {num_args: 1, strides: [1, 1, 1, 1], padding: "VALID", fused_ops: ["BiasAdd", "Gelu"]}
    out = ret(y))");
  const auto result = Legalize(*graph, {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.status().message().find("cannot run 'Gelu' at position 1"),
            absl::string_view::npos)
      << result.status();
}

TEST(LegalizeBatchNorm, ConstantsLeaveOneProductAndOneSum) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[1,2,2,2]
    y = tf.FusedBatchNormV3(x, const f32[2] {2, 4}, const f32[2] {1, 1}, const f32[2] {3, 0}, const f32[2] {3, 15}) {epsilon: 1, is_training: false, U: DT_FLOAT}
    out = ret(y))",
                  R"(
    x = arg f32[1,2,2,2]
    m = Binary(x, const f32[2] {1, 1}) {kind: Mul}
    y = Binary(m, const f32[2] {-2, 1}) {kind: Add}
    out = ret(y))");
}

}  // namespace
}  // namespace linnet::converter

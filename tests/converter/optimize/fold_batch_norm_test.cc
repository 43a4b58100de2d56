// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(FoldBatchNorm, ScalesFilterAndBias) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[2,1,1,2] {1, 2, 3, 4}, const f32[2] {1, 2}) {pad_top: 1}
    m = Binary(c, const f32[2] {2, 0.5}) {kind: Mul}
    out = ret(m))",
                  R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[2,1,1,2] {2, 4, 1.5, 2}, const f32[2] {2, 1}) {pad_top: 1}
    out = ret(c))");
}

TEST(FoldBatchNorm, ScalesDepthwiseFiltersByTheirLastDimension) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    c = DepthwiseConv2D(x, const f32[1,2,2] {1, 2, 3, 4})
    m = Binary(c, const f32[1,1,1,2] {2, 0.5}) {kind: Mul, range: {min: 0, max: inf}}
    out = ret(m))",
                  R"(
    x = arg f32[1,4,4,2]
    c = DepthwiseConv2D(x, const f32[1,2,2] {2, 1, 6, 2}) {range: {min: 0, max: inf}}
    out = ret(c))");
}

TEST(FoldBatchNorm, ScalesTransposedConvolutions) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,2,2,2]
    c = TransposeConv2D(x, const f32[2,2,2,2] seed=1) {stride_h: 2, stride_w: 2, output_h: 4, output_w: 4}
    m = Binary(c, const f32[] 2) {kind: Div}
    out = ret(m))",
                  R"(
    x = arg f32[1,2,2,2]
    c = TransposeConv2D(x, const f32[2,2,2,2] seed=1 min=-0.5 max=0.5) {stride_h: 2, stride_w: 2, output_h: 4, output_w: 4}
    out = ret(c))");
}

TEST(FoldBatchNorm, TakesTheScaleInFront) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    m = Binary(x, const f32[2] {2, 0.5}) {kind: Mul}
    c = Conv2D(m, const f32[2,1,1,2] {1, 2, 3, 4}) {pad_top: 1}
    out = ret(c))",
                  R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[2,1,1,2] {2, 1, 6, 2}) {pad_top: 1}
    out = ret(c))");
}

// A batch norm behind a relu, of which no channel changes its sign.
TEST(FoldBatchNorm, TakesAScaleBehindARelu) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[2,1,1,2] {1, 2, 3, 4}, const f32[2] {1, 2}) {range: {min: 0, max: inf}}
    m = Binary(c, const f32[2] {2, 0}) {kind: Mul}
    out = ret(m))",
                  R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[2,1,1,2] {2, 4, 0, 0}, const f32[2] {2, 0}) {range: {min: 0, max: inf}}
    out = ret(c))");
}

// One factor for all channels scales the range, too. The product may have a narrower one.
TEST(FoldBatchNorm, TakesAFactorBehindARange) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[1,1,1,2] {2, 4}) {range: {min: -2, max: 6}}
    m = Binary(c, const f32[] 0.5) {kind: Mul, range: {min: 0, max: 8}}
    out = ret(m))",
                  R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[1,1,1,2] {1, 2}) {range: {min: 0, max: 3}}
    out = ret(c))");
}

// Decoded it would be four times as large. A single factor only changes its steps.
TEST(FoldBatchNorm, DecodesNoFilterForAScaleBehindARelu) {
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[2,1,1,2] encoding=AffineU8 scale=0.5 min=-1 {1, 2, 3, 4}) {range: {min: 0, max: inf}}
    m = Binary(c, const f32[2] {2, 0.5}) {kind: Mul}
    d = Conv2D(x, const f32[2,1,1,2] encoding=Float16 fill=3) {range: {min: 0, max: inf}}
    n = Binary(d, const f32[] 2) {kind: Mul}
    o1 = ret(m)
    o2 = ret(n))");
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[1,1,1,2] encoding=AffineU8 scale=0.5 min=-1 {1, 2}) {range: {min: 0, max: 6}}
    m = Binary(c, const f32[] 4) {kind: Mul}
    out = ret(m))",
                  R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[1,1,1,2] encoding=AffineU8 scale=2 min=-4 {1, 2}) {range: {min: 0, max: 24}}
    out = ret(c))");
}

TEST(FoldBatchNorm, TakesAScaleAndAShiftInFrontOfPixelsInARow) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[2,1,2,2]
    m = Binary(x, const f32[2] {2, 4}) {kind: Mul}
    a = Binary(m, const f32[2] {1, 3}) {kind: Add}
    r = Reshape(a) {shape: [2, 4]}
    c = FullyConnected(r, const f32[1,4] {1, 2, 3, 4}, const f32[1] {10})
    out = ret(c))",
                  R"(
    x = arg f32[2,1,2,2]
    r = Reshape(x) {shape: [2, 4]}
    c = FullyConnected(r, const f32[1,4] {2, 8, 6, 16}, const f32[1] {32})
    out = ret(c))");
}

// Rows that do not begin with channel 0, and a reshaped value that has another reader.
TEST(FoldBatchNorm, KeepsWhatIsInFrontOfPartsOfPixels) {
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[2,3]
    m = Binary(x, const f32[3] {2, 4, 8}) {kind: Mul}
    r = Reshape(m) {shape: [3, 2]}
    c = FullyConnected(r, const f32[1,2] {1, 2})
    y = arg f32[1,1,2,2]
    n = Binary(y, const f32[2] {2, 4}) {kind: Mul}
    s = Reshape(n) {shape: [1, 4]}
    d = FullyConnected(s, const f32[1,4] {1, 2, 3, 4})
    o1 = ret(c)
    o2 = ret(d)
    o3 = ret(s))");
}

TEST(FoldBatchNorm, KeepsAQuantisedFilterQuantised) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[1,1,1,2] encoding=AffineU8 scale=0.5 min=-1 {1, 2})
    m = Binary(c, const f32[] 4) {kind: Mul}
    out = ret(m))",
                  R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[1,1,1,2] encoding=AffineU8 scale=2 min=-4 {1, 2})
    out = ret(c))");
}

TEST(FoldBatchNorm, TakesTheScaleInFrontOfGroups) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,1,1,4]
    m = Binary(x, const f32[4] {1, 2, 4, 8}) {kind: Mul}
    c = Conv2D(m, const f32[2,1,1,2] {1, 1, 1, 1}) {groups: 2}
    out = ret(c))",
                  R"(
    x = arg f32[1,1,1,4]
    c = Conv2D(x, const f32[2,1,1,2] {1, 2, 4, 8}) {groups: 2}
    out = ret(c))");
}

TEST(FoldBatchNorm, TakesTheScaleInFrontOfDepthwise) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[1,1,1,2]
    m = Binary(x, const f32[2] {2, 4}) {kind: Mul}
    c = DepthwiseConv2D(m, const f32[1,1,4] {1, 1, 1, 1})
    out = ret(c))",
                  R"(
    x = arg f32[1,1,1,2]
    c = DepthwiseConv2D(x, const f32[1,1,4] {2, 2, 4, 4})
    out = ret(c))");
}

TEST(FoldBatchNorm, TakesTheShiftInFrontWithoutPadding) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[3,2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Add}
    c = FullyConnected(a, const f32[2,2] {1, 2, 3, 4}, const f32[2] {0.5, 0.25})
    out = ret(c))",
                  R"(
    x = arg f32[3,2]
    c = FullyConnected(x, const f32[2,2] {1, 2, 3, 4}, const f32[2] {5.5, 11.25})
    out = ret(c))");
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Add}
    c = Conv2D(a, const f32[2,3,3,2] seed=1) {pad_top: 1}
    out = ret(c))");
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Add}
    c = Conv2D(a, const f32[2,3,3,2] seed=1) {same: true}
    out = ret(c))");
}

// The scale of attention: it comes after the scores, and q is made of fewer numbers than these.
TEST(FoldBatchNorm, TakesAFactorBehindMovesAndProducts) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[3,4]
    k = arg f32[2,3,2]
    q = FullyConnected(x, const f32[4,4] fill=3, const f32[4] {1, 2, 3, 4})
    heads = Reshape(q) {shape: [3, 2, 2]}
    moved = Transpose(heads) {perm: [1, 0, 2]}
    scores = BatchMatMul(moved, k) {transpose_b: true}
    m = Binary(scores, const f32[] 0.5) {kind: Mul}
    y = Softmax(m)
    out = ret(y))",
                  R"(
    x = arg f32[3,4]
    k = arg f32[2,3,2]
    q = FullyConnected(x, const f32[4,4] fill=1.5, const f32[4] {0.5, 1, 1.5, 2})
    heads = Reshape(q) {shape: [3, 2, 2]}
    moved = Transpose(heads) {perm: [1, 0, 2]}
    m = BatchMatMul(moved, k) {transpose_b: true}
    y = Softmax(m)
    out = ret(y))");
}

// The right operand has the filter; a quotient is a factor too; a filter of bytes stays one.
TEST(FoldBatchNorm, TakesAQuotientOfTheRightOperand) {
  ExpectRewritten(FoldBatchNorm, R"(
    x = arg f32[2,2]
    q = arg f32[2,2]
    k = FullyConnected(x, const f32[2,2] encoding=AffineU8 scale=0.5 min=-1 {1, 2, 3, 4})
    scores = BatchMatMul(q, k)
    m = Binary(scores, const f32[] -2) {kind: Div}
    out = ret(m))",
                  R"(
    x = arg f32[2,2]
    q = arg f32[2,2]
    k = FullyConnected(x, const f32[2,2] encoding=AffineU8 scale=-0.25 min=0.5 {1, 2, 3, 4})
    m = BatchMatMul(q, k)
    out = ret(m))");
}

// One factor per channel, a filter of halves, a value in between that is read twice, ranges.
TEST(FoldBatchNorm, KeepsFactorsThatCannotMove) {
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[2,4]
    c = FullyConnected(x, const f32[4,4] fill=3)
    r = Reshape(c) {shape: [4, 2]}
    m = Binary(r, const f32[2] {0.5, 0.25}) {kind: Mul}
    c2 = FullyConnected(x, const f32[4,4] encoding=Float16 fill=3)
    r2 = Reshape(c2) {shape: [4, 2]}
    m2 = Binary(r2, const f32[] 0.5) {kind: Mul}
    c3 = FullyConnected(x, const f32[4,4] fill=3)
    r3 = Reshape(c3) {shape: [4, 2]}
    m3 = Binary(r3, const f32[] 0.5) {kind: Mul}
    c4 = FullyConnected(x, const f32[4,4] fill=3) {range: {min: 0, max: inf}}
    r4 = Reshape(c4) {shape: [4, 2]}
    m4 = Binary(r4, const f32[] 0.5) {kind: Mul}
    c5 = FullyConnected(x, const f32[4,4] fill=3)
    r5 = Reshape(c5) {shape: [4, 2]}
    m5 = Binary(r5, const f32[] 0.5) {kind: Mul, range: {min: 0, max: inf}}
    out = ret(m)
    out2 = ret(m2)
    out3 = ret(m3)
    also = ret(r3)
    out4 = ret(m4)
    out5 = ret(m5))");
}

// They would take weights out of the range of floats or halves.
TEST(FoldBatchNorm, KeepsFactorsThatAreLargeOrTiny) {
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[2,4]
    c = FullyConnected(x, const f32[4,4] fill=1e20)
    r = Reshape(c) {shape: [4, 2]}
    m = Binary(r, const f32[] 1e20) {kind: Mul}
    c2 = FullyConnected(x, const f32[4,4] fill=3)
    r2 = Reshape(c2) {shape: [4, 2]}
    m2 = Binary(r2, const f32[] 50176) {kind: Div}
    out = ret(m)
    out2 = ret(m2))");
}

TEST(FoldBatchNorm, TakesFiltersWithoutElements) {
  for (const char* text : {R"(
    x = arg f32[1,2,2,0]
    c = DepthwiseConv2D(x, const f32[1,1,0] {})
    m = Binary(c, const f32[] 2) {kind: Mul}
    out = ret(m))",
                           R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[0,1,1,2] encoding=AffineU8 scale=0.5 min=-1 {})
    m = Binary(c, const f32[] 2) {kind: Mul}
    out = ret(m))"}) {
    const absl::StatusOr<int> changes = FoldBatchNorm(*Parse(text), {});
    EXPECT_TRUE(changes.ok()) << changes.status();
  }
}

TEST(FoldBatchNorm, KeepsWhatHasAnotherReader) {
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[2,1,1,2] seed=1)
    m = Binary(c, const f32[2] {2, 0.5}) {kind: Mul}
    o1 = ret(m)
    o2 = ret(c))");
}

TEST(FoldBatchNorm, KeepsWhatIsBehindARangeOrNotPerChannel) {
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[2,1,1,2] seed=1) {range: {min: 0, max: inf}}
    m = Binary(c, const f32[2] {2, -0.5}) {kind: Mul}
    c6 = Conv2D(x, const f32[2,1,1,2] seed=1) {range: {min: 0, max: 6}}
    m6 = Binary(c6, const f32[2] {2, 0.5}) {kind: Mul}
    c7 = Conv2D(x, const f32[2,1,1,2] seed=1) {range: {min: 0, max: 6}}
    m7 = Binary(c7, const f32[] -2) {kind: Mul}
    d = Conv2D(x, const f32[2,1,1,2] seed=2)
    n = Binary(d, const f32[1,2,2,1] seed=3) {kind: Mul}
    e = Conv2D(x, const f32[2,1,1,2] seed=4)
    p = Binary(e, x) {kind: Mul}
    o1 = ret(m)
    o2 = ret(n)
    o3 = ret(p)
    o6 = ret(m6)
    o7 = ret(m7))");
}

TEST(FoldBatchNorm, DoesNothingUnderStrictAlgebra) {
  ExpectUnchanged(FoldBatchNorm, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[2,1,1,2] {1, 2, 3, 4})
    m = Binary(c, const f32[2] {2, 0.5}) {kind: Mul}
    out = ret(m))",
                  Strict());
}

}  // namespace
}  // namespace linnet::converter

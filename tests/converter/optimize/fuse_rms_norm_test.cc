// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// Keras 3's rms_normalization: the scale comes last.
TEST(FuseRmsNorm, FormOfKeras3) {
  ExpectRewritten(FuseRmsNorm, R"(
    x = arg f32[2,4]
    q = Unary(x) {kind: Square}
    s = Reduce(q) {kind: Mean, axes: [1], keep_dims: true}
    a = Binary(s, const f32[] 0.001) {kind: Add}
    r = Unary(a) {kind: Rsqrt}
    n = Binary(x, r) {kind: Mul}
    y = Binary(n, const f32[4] {1, 2, 3, 4}) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,4]
    y = RmsNorm(x, const f32[4] {1, 2, 3, 4}) {epsilon: 0.001}
    out = ret(y))");
}

TEST(FuseRmsNorm, ScaleBeforeX) {
  ExpectRewritten(FuseRmsNorm, R"(
    x = arg f32[2,4]
    q = Binary(x, x) {kind: Mul}
    s = Reduce(q) {kind: Mean, axes: [1], keep_dims: true}
    a = Binary(const f32[] 0.5, s) {kind: Add}
    r = Unary(a) {kind: Rsqrt}
    g = Binary(const f32[1,4] {1, 2, 3, 4}, r) {kind: Mul}
    y = Binary(g, x) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,4]
    y = RmsNorm(x, const f32[4] {1, 2, 3, 4}) {epsilon: 0.5}
    out = ret(y))");
}

TEST(FuseRmsNorm, QuotientWithoutScale) {
  ExpectRewritten(FuseRmsNorm, R"(
    x = arg f32[2,4]
    q = Unary(x) {kind: Square}
    s = Reduce(q) {kind: Mean, axes: [1], keep_dims: true}
    a = Binary(s, const f32[] 0.5) {kind: Add}
    r = Unary(a) {kind: Sqrt}
    y = Binary(x, r) {kind: Div}
    out = ret(y))",
                  R"(
    x = arg f32[2,4]
    y = RmsNorm(x, const f32[4] {1, 1, 1, 1}) {epsilon: 0.5}
    out = ret(y))");
}

// Another axis, another value in the numerator, a mean square that something else reads too.
TEST(FuseRmsNorm, KeepsOthers) {
  ExpectUnchanged(FuseRmsNorm, R"(
    x = arg f32[4,4]
    z = arg f32[4,4]
    q = Unary(x) {kind: Square}
    s = Reduce(q) {kind: Mean, axes: [0], keep_dims: true}
    a = Binary(s, const f32[] 0.5) {kind: Add}
    r = Unary(a) {kind: Rsqrt}
    y = Binary(x, r) {kind: Mul}
    q2 = Unary(x) {kind: Square}
    s2 = Reduce(q2) {kind: Mean, axes: [1], keep_dims: true}
    a2 = Binary(s2, const f32[] 0.5) {kind: Add}
    r2 = Unary(a2) {kind: Rsqrt}
    y2 = Binary(z, r2) {kind: Mul}
    q3 = Unary(z) {kind: Square}
    s3 = Reduce(q3) {kind: Mean, axes: [1], keep_dims: true}
    a3 = Binary(s3, const f32[] 0.5) {kind: Add}
    r3 = Unary(a3) {kind: Rsqrt}
    y3 = Binary(z, r3) {kind: Mul}
    out = ret(y)
    out2 = ret(y2)
    out3 = ret(y3)
    out4 = ret(s3))");
}

// Something that scales the rows by an input is no gamma.
TEST(FuseRmsNorm, KeepsScalesThatAreComputed) {
  ExpectRewritten(FuseRmsNorm, R"(
    x = arg f32[2,4]
    g = arg f32[4]
    q = Unary(x) {kind: Square}
    s = Reduce(q) {kind: Mean, axes: [1], keep_dims: true}
    a = Binary(s, const f32[] 0.001) {kind: Add}
    r = Unary(a) {kind: Rsqrt}
    n = Binary(x, r) {kind: Mul}
    y = Binary(n, g) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,4]
    g = arg f32[4]
    n = RmsNorm(x, const f32[4] {1, 1, 1, 1}) {epsilon: 0.001}
    y = Binary(n, g) {kind: Mul}
    out = ret(y))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// tf.nn.moments + tf.nn.batch_normalization, which is what Keras' LayerNormalization runs.
TEST(FuseLayerNorm, ExpandedForm) {
  ExpectRewritten(FuseLayerNorm, R"(
    x = arg f32[2,3,4]
    m = Reduce(x) {kind: Mean, axes: [2], keep_dims: true}
    d = Binary(x, m) {kind: SquaredDifference}
    v = Reduce(d) {kind: Mean, axes: [2], keep_dims: true}
    a = Binary(v, const f32[] 0.001) {kind: Add}
    r = Unary(a) {kind: Rsqrt}
    g = Binary(r, const f32[4] {1, 2, 3, 4}) {kind: Mul}
    s = Binary(x, g) {kind: Mul}
    t = Binary(m, g) {kind: Mul}
    u = Binary(const f32[4] {5, 6, 7, 8}, t) {kind: Sub}
    y = Binary(s, u) {kind: Add}
    out = ret(y))",
                  R"(
    x = arg f32[2,3,4]
    y = LayerNorm(x, const f32[4] {1, 2, 3, 4}, const f32[4] {5, 6, 7, 8}) {epsilon: 0.001}
    out = ret(y))");
}

TEST(FuseLayerNorm, ExpandedFormOfKeras3) {
  ExpectRewritten(FuseLayerNorm, R"(
    x = arg f32[2,3,4]
    m = Reduce(x) {kind: Mean, axes: [2], keep_dims: true}
    d = Binary(x, m) {kind: SquaredDifference}
    v = Reduce(d) {kind: Mean, axes: [2], keep_dims: true}
    a = Binary(v, const f32[] 0.001) {kind: Add}
    r = Unary(a) {kind: Rsqrt}
    g = Binary(r, const f32[1,1,4] {1, 2, 3, 4}) {kind: Mul}
    n = Unary(m) {kind: Neg}
    t = Binary(n, g) {kind: Mul}
    u = Binary(t, const f32[1,1,4] {5, 6, 7, 8}) {kind: Add}
    s = Binary(x, g) {kind: Mul}
    y = Binary(u, s) {kind: Add}
    p = Binary(x, g) {kind: Mul}
    q = Binary(p, t) {kind: Add}
    o1 = ret(y)
    o2 = ret(q))",
                  R"(
    x = arg f32[2,3,4]
    y = LayerNorm(x, const f32[4] {1, 2, 3, 4}, const f32[4] {5, 6, 7, 8}) {epsilon: 0.001}
    q = LayerNorm(x, const f32[4] {1, 2, 3, 4}, const f32[4] {0, 0, 0, 0}) {epsilon: 0.001}
    o1 = ret(y)
    o2 = ret(q))");
}

TEST(FuseLayerNorm, CentredForm) {
  ExpectRewritten(FuseLayerNorm, R"(
    x = arg f32[2,4]
    m = Reduce(x) {kind: Mean, axes: [1], keep_dims: true}
    c = Binary(x, m) {kind: Sub}
    q = Unary(c) {kind: Square}
    v = Reduce(q) {kind: Mean, axes: [1], keep_dims: true}
    a = Binary(v, const f32[] 0.001) {kind: Add}
    s = Unary(a) {kind: Sqrt}
    n = Binary(c, s) {kind: Div}
    g = Binary(n, const f32[4] {1, 2, 3, 4}) {kind: Mul}
    y = Binary(g, const f32[4] {5, 6, 7, 8}) {kind: Add}
    out = ret(y))",
                  R"(
    x = arg f32[2,4]
    y = LayerNorm(x, const f32[4] {1, 2, 3, 4}, const f32[4] {5, 6, 7, 8}) {epsilon: 0.001}
    out = ret(y))");
}

TEST(FuseLayerNorm, WithoutGammaAndBeta) {
  ExpectRewritten(FuseLayerNorm, R"(
    x = arg f32[2,4]
    m = Reduce(x) {kind: Mean, axes: [1], keep_dims: true}
    d = Binary(m, x) {kind: SquaredDifference}
    v = Reduce(d) {kind: Mean, axes: [1], keep_dims: true}
    a = Binary(const f32[] 0.5, v) {kind: Add}
    r = Unary(a) {kind: Rsqrt}
    s = Binary(r, x) {kind: Mul}
    t = Binary(r, m) {kind: Mul}
    y = Binary(s, t) {kind: Sub}
    out = ret(y))",
                  R"(
    x = arg f32[2,4]
    y = LayerNorm(x, const f32[4] {1, 1, 1, 1}, const f32[4] {0, 0, 0, 0}) {epsilon: 0.5}
    out = ret(y))");
}

TEST(FuseLayerNorm, KeepsOtherAxes) {
  ExpectUnchanged(FuseLayerNorm, R"(
    x = arg f32[2,4]
    m = Reduce(x) {kind: Mean, axes: [0], keep_dims: true}
    c = Binary(x, m) {kind: Sub}
    q = Unary(c) {kind: Square}
    v = Reduce(q) {kind: Mean, axes: [0], keep_dims: true}
    a = Binary(v, const f32[] 0.001) {kind: Add}
    s = Unary(a) {kind: Sqrt}
    n = Binary(c, s) {kind: Div}
    out = ret(n))");
}

}  // namespace
}  // namespace linnet::converter

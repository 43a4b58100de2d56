// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// What Keras exports for PReLU, with Neg(alpha) folded: relu(x) + (-alpha) * relu(-x).
TEST(FusePrelu, KerasForm) {
  ExpectRewritten(FusePrelu, R"(
    x = arg f32[1,2,2,2]
    p = Clamp(x) {range: {min: 0, max: inf}}
    n = Unary(x) {kind: Neg}
    r = Clamp(n) {range: {min: 0, max: inf}}
    m = Binary(const f32[1,1,2] {-0.25, -0.5}, r) {kind: Mul}
    y = Binary(p, m) {kind: Add}
    out = ret(y))",
                  R"(
    x = arg f32[1,2,2,2]
    y = Prelu(x, const f32[1,1,2] {0.25, 0.5})
    out = ret(y))");
}

TEST(FusePrelu, SubtractedForm) {
  ExpectRewritten(FusePrelu, R"(
    x = arg f32[1,2,2,2]
    p = Clamp(x) {range: {min: 0, max: inf}}
    n = Unary(x) {kind: Neg}
    r = Clamp(n) {range: {min: 0, max: inf}}
    m = Binary(r, const f32[2] {0.25, 0.5}) {kind: Mul}
    y = Binary(p, m) {kind: Sub}
    out = ret(y))",
                  R"(
    x = arg f32[1,2,2,2]
    y = Prelu(x, const f32[2] {0.25, 0.5})
    out = ret(y))");
}

TEST(FusePrelu, MinimumFormOfOneSlope) {
  ExpectRewritten(FusePrelu, R"(
    x = arg f32[4]
    p = Clamp(x) {range: {min: 0, max: inf}}
    r = Clamp(x) {range: {min: -inf, max: 0}}
    m = Binary(r, const f32[] 0.25) {kind: Mul}
    y = Binary(m, p) {kind: Add}
    out = ret(y))",
                  R"(
    x = arg f32[4]
    y = Unary(x) {kind: LeakyRelu, alpha: 0.25}
    out = ret(y))");
}

TEST(FusePrelu, MaximumAndSelectForms) {
  ExpectRewritten(FusePrelu, R"(
    x = arg f32[4]
    m = Binary(x, const f32[] 0.25) {kind: Mul}
    y = Binary(m, x) {kind: Maximum}
    g = Compare(x, const f32[] 0) {kind: Greater}
    n = Binary(x, const f32[4] {1, 2, 3, 4}) {kind: Mul}
    z = Select(g, x, n)
    o1 = ret(y)
    o2 = ret(z))",
                  R"(
    x = arg f32[4]
    y = Unary(x) {kind: LeakyRelu, alpha: 0.25}
    z = Prelu(x, const f32[4] {1, 2, 3, 4})
    o1 = ret(y)
    o2 = ret(z))",
                  {.tolerance = 0});
}

TEST(FusePrelu, KeepsOthers) {
  ExpectUnchanged(FusePrelu, R"(
    x = arg f32[4]
    w = arg f32[4]
    m = Binary(x, const f32[] 2) {kind: Mul}
    y = Binary(m, x) {kind: Maximum}
    p = Clamp(x) {range: {min: 0, max: inf}}
    r = Clamp(w) {range: {min: -inf, max: 0}}
    s = Binary(p, r) {kind: Add}
    t = Binary(r, w) {kind: Mul}
    u = Binary(p, t) {kind: Add}
    o1 = ret(y)
    o2 = ret(s)
    o3 = ret(u))");
}

}  // namespace
}  // namespace linnet::converter

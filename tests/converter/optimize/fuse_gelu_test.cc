// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(FuseGelu, ErfForm) {
  ExpectRewritten(FuseGelu, R"(
    x = arg f32[2,3]
    h = Binary(const f32[] 0.5, x) {kind: Mul}
    d = Binary(x, const f32[] 1.4142135) {kind: Div}
    e = Unary(d) {kind: Erf}
    a = Binary(const f32[] 1, e) {kind: Add}
    y = Binary(h, a) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: GeluErf}
    out = ret(y))");
}

TEST(FuseGelu, ErfFormWithTheHalfInside) {
  ExpectRewritten(FuseGelu, R"(
    x = arg f32[2,3]
    d = Binary(x, const f32[] 0.70710677) {kind: Mul}
    e = Unary(d) {kind: Erf}
    h = Binary(e, const f32[] 0.5) {kind: Mul}
    a = Binary(h, const f32[] 0.5) {kind: Add}
    y = Binary(a, x) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: GeluErf}
    out = ret(y))");
}

// Keras 3.
TEST(FuseGelu, ErfcForm) {
  ExpectRewritten(FuseGelu, R"(
    x = arg f32[2,3]
    h = Binary(const f32[] 0.5, x) {kind: Mul}
    n = Unary(x) {kind: Neg}
    d = Binary(n, const f32[] 0.70710677) {kind: Mul}
    e = Unary(d) {kind: Erfc}
    y = Binary(h, e) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: GeluErf}
    out = ret(y))");
}

TEST(FuseGelu, KeepsOtherComplements) {
  ExpectUnchanged(FuseGelu, R"(
    x = arg f32[2,3]
    h = Binary(const f32[] 0.5, x) {kind: Mul}
    d = Binary(x, const f32[] 0.70710677) {kind: Mul}
    e = Unary(d) {kind: Erfc}
    y = Binary(h, e) {kind: Mul}
    n = Binary(x, const f32[] -0.70710677) {kind: Mul}
    f = Unary(n) {kind: Erfc}
    z = Binary(h, f) {kind: Mul}
    o1 = ret(y)
    o2 = ret(z)
    o3 = ret(f))");
}

TEST(FuseGelu, TanhForm) {
  ExpectRewritten(FuseGelu, R"(
    x = arg f32[2,3]
    p = Binary(x, const f32[] 3) {kind: Pow}
    c = Binary(const f32[] 0.044715, p) {kind: Mul}
    s = Binary(x, c) {kind: Add}
    m = Binary(const f32[] 0.7978846, s) {kind: Mul}
    t = Unary(m) {kind: Tanh}
    a = Binary(const f32[] 1, t) {kind: Add}
    h = Binary(const f32[] 0.5, x) {kind: Mul}
    y = Binary(h, a) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: GeluTanh}
    out = ret(y))");
}

TEST(FuseGelu, TanhFormWithProducts) {
  ExpectRewritten(FuseGelu, R"(
    x = arg f32[2,3]
    q = Unary(x) {kind: Square}
    p = Binary(x, q) {kind: Mul}
    c = Binary(p, const f32[] 0.044715) {kind: Mul}
    s = Binary(c, x) {kind: Add}
    m = Binary(s, const f32[] 0.7978846) {kind: Mul}
    t = Unary(m) {kind: Tanh}
    a = Binary(t, const f32[] 1) {kind: Add}
    h = Binary(x, a) {kind: Mul}
    y = Binary(h, const f32[] 0.5) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: GeluTanh}
    out = ret(y))");
}

TEST(FuseGelu, KeepsOtherConstants) {
  ExpectUnchanged(FuseGelu, R"(
    x = arg f32[2,3]
    d = Binary(x, const f32[] 0.7) {kind: Mul}
    e = Unary(d) {kind: Erf}
    a = Binary(e, const f32[] 1) {kind: Add}
    h = Binary(x, const f32[] 0.5) {kind: Mul}
    y = Binary(a, h) {kind: Mul}
    out = ret(y))");
}

}  // namespace
}  // namespace linnet::converter

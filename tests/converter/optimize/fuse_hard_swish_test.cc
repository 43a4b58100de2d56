// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

constexpr std::string_view kWant = R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: HardSwish}
    out = ret(y))";

// MobileNetV3 in Keras: x * (relu6(x + 3) / 6).
TEST(FuseHardSwish, DividedFirst) {
  ExpectRewritten(FuseHardSwish, R"(
    x = arg f32[2,3]
    a = Binary(x, const f32[] 3) {kind: Add}
    r = Clamp(a) {range: {min: 0, max: 6}}
    d = Binary(r, const f32[] 6) {kind: Div}
    y = Binary(x, d) {kind: Mul}
    out = ret(y))",
                  kWant);
}

TEST(FuseHardSwish, ScaledLast) {
  ExpectRewritten(FuseHardSwish, R"(
    x = arg f32[2,3]
    a = Binary(const f32[] 3, x) {kind: Add, range: {min: 0, max: 6}}
    m = Binary(a, x) {kind: Mul}
    y = Binary(m, const f32[] 0.16666667) {kind: Mul}
    out = ret(y))",
                  kWant);
}

// CenterNet: the constant was rounded to f16, and its value must not change.
TEST(FuseHardSwish, KeepsARoundedSixth) {
  ExpectRewritten(FuseHardSwish, R"(
    x = arg f32[2,3]
    c = Binary(x, const f32[] 0.125) {kind: Mul}
    a = Binary(x, const f32[] 3) {kind: Add}
    r = Clamp(a) {range: {min: 0, max: 6}}
    y = Binary(c, r) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    h = Unary(x) {kind: HardSwish}
    y = Binary(h, const f32[] 0.75) {kind: Mul}
    out = ret(y))");
}

TEST(FuseHardSwish, HardSigmoidAlone) {
  ExpectRewritten(FuseHardSwish, R"(
    x = arg f32[2,3]
    a = Binary(x, const f32[] 3) {kind: Add}
    r = Clamp(a) {range: {min: 0, max: 6}}
    y = Binary(r, const f32[] 6) {kind: Div}
    m = Binary(x, const f32[] 0.16666667) {kind: Mul}
    n = Binary(m, const f32[] 0.5) {kind: Add}
    z = Clamp(n) {range: {min: 0, max: 1}}
    o1 = ret(y)
    o2 = ret(z))",
                  R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: HardSigmoid}
    z = Unary(x) {kind: HardSigmoid}
    o1 = ret(y)
    o2 = ret(z))");
}

TEST(FuseHardSwish, KeepsOthers) {
  ExpectUnchanged(FuseHardSwish, R"(
    x = arg f32[2,3]
    w = arg f32[2,3]
    a = Binary(x, const f32[] 3) {kind: Add}
    r = Clamp(a) {range: {min: 0, max: 6}}
    y = Binary(w, r) {kind: Mul}
    b = Binary(x, const f32[] 2) {kind: Add}
    s = Clamp(b) {range: {min: 0, max: 6}}
    z = Binary(s, const f32[] 6) {kind: Div}
    o1 = ret(y)
    o2 = ret(z))");
}

}  // namespace
}  // namespace linnet::converter

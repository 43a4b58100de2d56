// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// The second half of (a + c) * 12 + (c + a) * 2 = (a + c) * 14.
TEST(HoistCommonFactor, AddsConstantFactors) {
  ExpectRewritten(HoistCommonFactor, R"(
    a = arg f32[2]
    c = arg f32[2]
    s = Binary(a, c) {kind: Add}
    u = Binary(s, const f32[] 12) {kind: Mul}
    v = Binary(const f32[] 2, s) {kind: Mul}
    y = Binary(u, v) {kind: Add}
    out = ret(y))",
                  R"(
    a = arg f32[2]
    c = arg f32[2]
    s = Binary(a, c) {kind: Add}
    y = Binary(s, const f32[] 14) {kind: Mul}
    out = ret(y))");
}

TEST(HoistCommonFactor, CountsABareTermAsOne) {
  ExpectRewritten(HoistCommonFactor, R"(
    x = arg i32[2]
    u = Binary(x, const i32[] 3) {kind: Mul}
    y = Binary(u, x) {kind: Sub}
    z = Binary(y, y) {kind: Add}
    out = ret(z))",
                  R"(
    x = arg i32[2]
    y = Binary(x, const i32[] 2) {kind: Mul}
    z = Binary(y, const i32[] 2) {kind: Mul}
    out = ret(z))",
                  {.context = Strict(), .tolerance = 0});
}

constexpr std::string_view kTensors = R"(
    x = arg f32[2]
    y = arg f32[2]
    z = arg f32[2]
    u = Binary(x, y) {kind: Mul}
    v = Binary(z, x) {kind: Mul}
    s = Binary(u, v) {kind: Sub, range: {min: 0, max: 1}}
    out = ret(s))";

TEST(HoistCommonFactor, HoistsATensor) {
  ExpectRewritten(HoistCommonFactor, kTensors, R"(
    x = arg f32[2]
    y = arg f32[2]
    z = arg f32[2]
    d = Binary(y, z) {kind: Sub}
    s = Binary(x, d) {kind: Mul, range: {min: 0, max: 1}}
    out = ret(s))");
  ExpectUnchanged(HoistCommonFactor, kTensors, Strict());
}

TEST(HoistCommonFactor, KeepsDifferencesOfEquals) {
  ExpectUnchanged(HoistCommonFactor, R"(
    x = arg f32[2]
    y = Binary(x, x) {kind: Sub}
    out = ret(y))");
}

}  // namespace
}  // namespace linnet::converter

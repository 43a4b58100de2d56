// SPDX-License-Identifier: Apache-2.0
#include "converter/passes/eliminate_common_subexpressions.h"

#include "tests/converter/passes/pass_test.h"

namespace linnet::converter {
namespace {

TEST(EliminateCommonSubexpressions, MergesEqualOpsAndConstants) {
  ExpectRewritten(EliminateCommonSubexpressions, R"(
    x = arg f32[2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Sub}
    b = Binary(x, const f32[2] {1, 2}) {kind: Sub}
    y = Binary(a, b) {kind: Mul}
    out = ret(y))", R"(
    x = arg f32[2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Sub}
    y = Binary(a, a) {kind: Mul}
    out = ret(y))");
}

// (a + c) * 12 + (c + a) * 2: the sum is computed once.
TEST(EliminateCommonSubexpressions, AddIsCommutative) {
  ExpectRewritten(EliminateCommonSubexpressions, R"(
    a = arg f32[2]
    c = arg f32[2]
    s = Binary(a, c) {kind: Add}
    t = Binary(c, a) {kind: Add}
    u = Binary(s, const f32[] 12) {kind: Mul}
    v = Binary(t, const f32[] 2) {kind: Mul}
    y = Binary(u, v) {kind: Add}
    out = ret(y))", R"(
    a = arg f32[2]
    c = arg f32[2]
    s = Binary(a, c) {kind: Add}
    u = Binary(s, const f32[] 12) {kind: Mul}
    v = Binary(s, const f32[] 2) {kind: Mul}
    y = Binary(u, v) {kind: Add}
    out = ret(y))");
}

constexpr std::string_view kMaximum = R"(
    a = arg f32[2]
    b = arg f32[2]
    s = Binary(a, b) {kind: Maximum}
    t = Binary(b, a) {kind: Maximum}
    y = Binary(s, t) {kind: Add}
    out = ret(y))";

TEST(EliminateCommonSubexpressions, MaximumIsCommutativeUnlessStrict) {
  ExpectRewritten(EliminateCommonSubexpressions, kMaximum, R"(
    a = arg f32[2]
    b = arg f32[2]
    s = Binary(a, b) {kind: Maximum}
    y = Binary(s, s) {kind: Add}
    out = ret(y))");
  ExpectUnchanged(EliminateCommonSubexpressions, kMaximum, Strict());
}

TEST(EliminateCommonSubexpressions, KeepsWhatDiffers) {
  ExpectUnchanged(EliminateCommonSubexpressions, R"(
    a = arg f32[2]
    b = arg f32[2]
    s = Binary(a, b) {kind: Sub}
    t = Binary(b, a) {kind: Sub}
    u = Clamp(s) {range: {min: 0, max: inf}}
    v = Clamp(s) {range: {min: 0, max: 6}}
    y = Concat(t, u, v, const f32[2] {0, 1}, const f32[2] {-0.0, 1}) {axis: 0}
    out = ret(y))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(FuseL2Normalize, RsqrtForm) {
  ExpectRewritten(FuseL2Normalize, R"(
    x = arg f32[2,5]
    q = Unary(x) {kind: Square}
    s = Reduce(q) {kind: Sum, axes: [1], keep_dims: true}
    m = Binary(s, const f32[] 0.001) {kind: Maximum}
    r = Unary(m) {kind: Rsqrt}
    y = Binary(x, r) {kind: Mul}
    out = ret(y))",
                  R"(
    x = arg f32[2,5]
    y = L2Normalize(x) {epsilon: 0.001}
    out = ret(y))");
}

TEST(FuseL2Normalize, SqrtForm) {
  ExpectRewritten(FuseL2Normalize, R"(
    x = arg f32[2,5]
    q = Binary(x, x) {kind: Mul}
    s = Reduce(q) {kind: Sum, axes: [1], keep_dims: true}
    m = Clamp(s) {range: {min: 0.5, max: inf}}
    r = Unary(m) {kind: Sqrt}
    y = Binary(x, r) {kind: Div}
    out = ret(y))",
                  R"(
    x = arg f32[2,5]
    y = L2Normalize(x) {epsilon: 0.5}
    out = ret(y))");
}

TEST(FuseL2Normalize, KeepsOthers) {
  ExpectUnchanged(FuseL2Normalize, R"(
    x = arg f32[2,5]
    q = Unary(x) {kind: Square}
    s = Reduce(q) {kind: Sum, axes: [0], keep_dims: true}
    r = Unary(s) {kind: Rsqrt}
    y = Binary(x, r) {kind: Mul}
    out = ret(y))");
}

}  // namespace
}  // namespace linnet::converter

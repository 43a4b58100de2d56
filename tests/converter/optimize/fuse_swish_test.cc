// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(FuseSwish, FusesBothOrders) {
  ExpectRewritten(FuseSwish, R"(
    x = arg f32[2,3]
    s = Unary(x) {kind: Sigmoid}
    a = Binary(x, s) {kind: Mul}
    t = Unary(a) {kind: Sigmoid}
    b = Binary(t, a) {kind: Mul}
    out = ret(b))",
                  R"(
    x = arg f32[2,3]
    a = Unary(x) {kind: Swish}
    b = Unary(a) {kind: Swish}
    out = ret(b))");
}

TEST(FuseSwish, KeepsOthers) {
  ExpectUnchanged(FuseSwish, R"(
    x = arg f32[2]
    y = arg f32[2]
    s = Unary(x) {kind: Sigmoid}
    a = Binary(y, s) {kind: Mul}
    t = Unary(x) {kind: Tanh}
    b = Binary(x, t) {kind: Mul}
    u = Unary(y) {kind: Sigmoid}
    c = Binary(y, u) {kind: Mul}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c)
    o4 = ret(u))");
  ExpectUnchanged(FuseSwish, R"(
    x = arg f32[2]
    s = Unary(x) {kind: Sigmoid}
    a = Binary(x, s) {kind: Mul}
    out = ret(a))",
                  Strict());
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(FuseSoftmax, WithMaximum) {
  ExpectRewritten(FuseSoftmax, R"(
    x = arg f32[2,5]
    m = Reduce(x) {kind: Max, axes: [1], keep_dims: true}
    s = Binary(x, m) {kind: Sub}
    e = Unary(s) {kind: Exp}
    t = Reduce(e) {kind: Sum, axes: [1], keep_dims: true}
    y = Binary(e, t) {kind: Div}
    out = ret(y))",
                  R"(
    x = arg f32[2,5]
    y = Softmax(x)
    out = ret(y))");
}

TEST(FuseSoftmax, LogForm) {
  ExpectRewritten(FuseSoftmax, R"(
    x = arg f32[2,5]
    m = Reduce(x) {kind: Max, axes: [1], keep_dims: true}
    s = Binary(x, m) {kind: Sub}
    e = Unary(s) {kind: Exp}
    t = Reduce(e) {kind: Sum, axes: [1], keep_dims: true}
    l = Unary(t) {kind: Log}
    y = Binary(s, l) {kind: Sub}
    p = Softmax(x)
    q = Unary(p) {kind: Log}
    o1 = ret(y)
    o2 = ret(q))",
                  R"(
    x = arg f32[2,5]
    y = Softmax(x) {log: true}
    q = Softmax(x) {log: true}
    o1 = ret(y)
    o2 = ret(q))");
}

TEST(FuseSoftmax, KeepsOtherAxesAndReaders) {
  ExpectUnchanged(FuseSoftmax, R"(
    x = arg f32[2,5]
    e = Unary(x) {kind: Exp}
    t = Reduce(e) {kind: Sum, axes: [0], keep_dims: true}
    y = Binary(e, t) {kind: Div}
    f = Unary(y) {kind: Exp}
    u = Reduce(f) {kind: Sum, axes: [1], keep_dims: true}
    z = Binary(f, u) {kind: Div}
    o1 = ret(z)
    o2 = ret(f))");
}

}  // namespace
}  // namespace linnet::converter

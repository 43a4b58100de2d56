// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(SimplifyPow, TurnsConstantExponentsIntoCheaperOps) {
  ExpectRewritten(SimplifyPow, R"(
    x = arg f32[2,3]
    p = Unary(x) {kind: Abs}
    a = Binary(x, const f32[] 2) {kind: Pow}
    b = Binary(x, const f32[3] {-1, -1, -1}) {kind: Pow}
    c = Binary(p, const f32[] 0.5) {kind: Pow}
    d = Binary(p, const f32[1,1] -0.5) {kind: Pow}
    e = Binary(x, const f32[] 3) {kind: Pow}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c)
    o4 = ret(d)
    o5 = ret(e))",
                  R"(
    x = arg f32[2,3]
    p = Unary(x) {kind: Abs}
    a = Unary(x) {kind: Square}
    b = Unary(x) {kind: Reciprocal}
    c = Unary(p) {kind: Sqrt}
    d = Unary(p) {kind: Rsqrt}
    s = Unary(x) {kind: Square}
    e = Binary(x, s) {kind: Mul}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c)
    o4 = ret(d)
    o5 = ret(e))");
}

TEST(SimplifyPow, KeepsTheBitsUnderStrictAlgebra) {
  ExpectRewritten(SimplifyPow, R"(
    x = arg f32[2,3]
    a = Binary(x, const f32[] 2) {kind: Pow}
    b = Binary(x, const f32[] -1) {kind: Pow}
    o1 = ret(a)
    o2 = ret(b))",
                  R"(
    x = arg f32[2,3]
    a = Unary(x) {kind: Square}
    b = Unary(x) {kind: Reciprocal}
    o1 = ret(a)
    o2 = ret(b))",
                  {.context = Strict(), .tolerance = 0});
  ExpectUnchanged(SimplifyPow, R"(
    x = arg f32[2,3]
    a = Binary(x, const f32[] 3) {kind: Pow}
    b = Binary(x, const f32[] 0.5) {kind: Pow}
    c = Binary(x, const f32[] -0.5) {kind: Pow}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c))",
                  Strict());
}

TEST(SimplifyPow, KeepsOthers) {
  ExpectUnchanged(SimplifyPow, R"(
    x = arg f32[2]
    i = arg i32[2]
    a = Binary(x, const f32[] 2.5) {kind: Pow}
    b = Binary(const f32[] 2, x) {kind: Pow}
    c = Binary(x, const f32[3,1] {2, 2, 2}) {kind: Pow}
    d = Binary(x, const f32[2] {2, 3}) {kind: Pow}
    e = Binary(i, const i32[] 2) {kind: Pow}
    f = Binary(x, const f32[] 2) {kind: Pow, range: {min: 0, max: 6}}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c)
    o4 = ret(d)
    o5 = ret(e)
    o6 = ret(f))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(ChooseWinograd, TilesOf4WhereThereAreManyPixels) {
  ExpectRewritten(ChooseWinograd, R"(
    x = arg f32[1,28,30,32]
    c = Conv2D(x, const f32[24,3,3,32] seed=1) {pad_top: 1, pad_bottom: 1}
    out = ret(c))",
                  R"(
    x = arg f32[1,28,30,32]
    c = Conv2D(x, const f32[24,3,3,32] seed=1) {pad_top: 1, pad_bottom: 1, winograd: 4}
    out = ret(c))");
}

// Where tiles of 4 would read a filter that is more than twice as large for few pixels.
TEST(ChooseWinograd, TilesOf2WhereTheFilterIsLarge) {
  ExpectRewritten(ChooseWinograd, R"(
    x = arg f32[1,16,16,128]
    c = Conv2D(x, const f32[128,3,3,128] seed=1)
    out = ret(c))",
                  R"(
    x = arg f32[1,16,16,128]
    c = Conv2D(x, const f32[128,3,3,128] seed=1) {winograd: 2}
    out = ret(c))");
}

TEST(ChooseWinograd, NotUnderStrictAlgebra) {
  ExpectUnchanged(ChooseWinograd, R"(
    x = arg f32[1,28,28,32]
    c = Conv2D(x, const f32[32,3,3,32] seed=1)
    out = ret(c))",
                  Strict());
}

// Few channels: the transforms would cost more than they save. One row of windows: tiles would be
// mostly outside.
TEST(ChooseWinograd, NotWhereItDoesNotPay) {
  ExpectUnchanged(ChooseWinograd, R"(
    x = arg f32[1,28,28,3]
    c = Conv2D(x, const f32[8,3,3,3] seed=1)
    y = arg f32[1,3,40,32]
    d = Conv2D(y, const f32[32,3,3,32] seed=1)
    o1 = ret(c)
    o2 = ret(d))");
}

TEST(ChooseWinograd, OnlyWindowsOf3x3SideBySide) {
  ExpectUnchanged(ChooseWinograd, R"(
    x = arg f32[1,28,28,32]
    w = arg f32[32,3,3,32]
    a = Conv2D(x, const f32[32,3,1,32] seed=1)
    b = Conv2D(x, const f32[32,3,3,32] seed=1) {stride_w: 2}
    c = Conv2D(x, const f32[32,3,3,32] seed=1) {dilation_h: 2}
    d = Conv2D(x, const f32[32,3,3,16] seed=1) {groups: 2}
    e = Conv2D(x, w)
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c)
    o4 = ret(d)
    o5 = ret(e))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(FuseActivation, MovesTheClampIntoItsProducer) {
  ExpectRewritten(FuseActivation, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[3,1,1,2] seed=1)
    r = Clamp(c) {range: {min: 0, max: inf}}
    s = Clamp(r) {range: {min: -1, max: 6}}
    a = Binary(s, s) {kind: Add}
    t = Clamp(a) {range: {min: 0, max: 3}}
    out = ret(t))",
                  R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[3,1,1,2] seed=1) {range: {min: 0, max: 6}}
    a = Binary(c, c) {kind: Add, range: {min: 0, max: 3}}
    out = ret(a))",
                  {.tolerance = 0});
}

TEST(FuseActivation, KeepsTheClampOfASharedProducer) {
  ExpectUnchanged(FuseActivation, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[3,1,1,2] seed=1)
    r = Clamp(c) {range: {min: 0, max: inf}}
    o1 = ret(r)
    o2 = ret(c))");
}

TEST(FuseActivation, KeepsTheClampOfAnOpWithoutRange) {
  ExpectUnchanged(FuseActivation, R"(
    x = arg f32[4]
    c = Unary(x) {kind: Exp}
    r = Clamp(c) {range: {min: 0, max: 2}}
    out = ret(r))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// MobileNet's Relu6, as some exporters write it.
TEST(ClampFromMinMax, TurnsConstantBoundsIntoClamps) {
  ExpectRewritten(ClampFromMinMax, R"(
    x = arg f32[1,2]
    a = Binary(x, const f32[] 3) {kind: Minimum}
    b = Binary(const f32[2] {0, 0}, a) {kind: Maximum}
    out = ret(b))",
                  R"(
    x = arg f32[1,2]
    a = Clamp(x) {range: {min: -inf, max: 3}}
    b = Clamp(a) {range: {min: 0, max: inf}}
    out = ret(b))",
                  {.tolerance = 0});
}

TEST(ClampFromMinMax, KeepsOthers) {
  ExpectUnchanged(ClampFromMinMax, R"(
    x = arg f32[2]
    i = arg i32[2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Maximum}
    b = Binary(x, const f32[3,1] {1, 1, 1}) {kind: Maximum}
    c = Binary(x, const f32[] nan) {kind: Maximum}
    d = Binary(i, const i32[] 0) {kind: Maximum}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c)
    o4 = ret(d))");
}

}  // namespace
}  // namespace linnet::converter

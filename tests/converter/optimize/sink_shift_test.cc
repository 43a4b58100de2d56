// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(SinkShift, BehindAMaximum) {
  ExpectRewritten(SinkShift, R"(
    x = arg f32[1,4,4,2]
    a = Binary(x, const f32[2] {1, -2}) {kind: Add}
    m = Pool2D(a) {kind: Max, window_h: 3, window_w: 3, stride_h: 2, stride_w: 2, same: true}
    out = ret(m))",
                  R"(
    x = arg f32[1,4,4,2]
    p = Pool2D(x) {kind: Max, window_h: 3, window_w: 3, stride_h: 2, stride_w: 2, same: true}
    m = Binary(p, const f32[2] {1, -2}) {kind: Add}
    out = ret(m))",
                  {.tolerance = 0});
}

// Each average is over as many elements as lie in the picture.
TEST(SinkShift, BehindAnAverage) {
  ExpectRewritten(SinkShift, R"(
    x = arg f32[2,4,4,2]
    a = Binary(const f32[1,1,1,1] {3}, x) {kind: Add}
    m = Pool2D(a) {kind: Average, window_h: 3, window_w: 3, pad_top: 1, pad_left: 2}
    out = ret(m))",
                  R"(
    x = arg f32[2,4,4,2]
    p = Pool2D(x) {kind: Average, window_h: 3, window_w: 3, pad_top: 1, pad_left: 2}
    m = Binary(p, const f32[1,1,1,1] {3}) {kind: Add}
    out = ret(m))");
}

// Of two additions one after the other, both; what the pool clamps is clamped behind them.
TEST(SinkShift, TakesTheRangeAlong) {
  ExpectRewritten(SinkShift, R"(
    x = arg f32[1,2,2,2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Add}
    b = Binary(a, const f32[2] {3, 4}) {kind: Add}
    m = Pool2D(b) {kind: Max, window_h: 2, window_w: 2, range: {min: 0, max: 6}}
    out = ret(m))",
                  R"(
    x = arg f32[1,2,2,2]
    p = Pool2D(x) {kind: Max, window_h: 2, window_w: 2}
    q = Binary(p, const f32[2] {1, 2}) {kind: Add}
    m = Binary(q, const f32[2] {3, 4}) {kind: Add, range: {min: 0, max: 6}}
    out = ret(m))");
}

// A range before the maximum, another value for each pixel, a sum that has another reader, a
// constant that enlarges, a scale.
TEST(SinkShift, KeepsOthers) {
  ExpectUnchanged(SinkShift, R"(
    x = arg f32[1,2,2,2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Add, range: {min: 0, max: inf}}
    m = Pool2D(a) {kind: Max, window_h: 2, window_w: 2}
    b = Binary(x, const f32[1,2,2,1] seed=1) {kind: Add}
    n = Pool2D(b) {kind: Max, window_h: 2, window_w: 2}
    c = Binary(x, const f32[2] {1, 3}) {kind: Add}
    o = Pool2D(c) {kind: Max, window_h: 2, window_w: 2}
    y = arg f32[1,2,2,1]
    d = Binary(y, const f32[2] {1, 2}) {kind: Add}
    p = Pool2D(d) {kind: Max, window_h: 2, window_w: 2}
    e = Binary(x, const f32[2] {1, 2}) {kind: Mul}
    q = Pool2D(e) {kind: Max, window_h: 2, window_w: 2}
    o1 = ret(m)
    o2 = ret(n)
    o3 = ret(o)
    also = ret(c)
    o4 = ret(p)
    o5 = ret(q))");
}

TEST(SinkShift, DoesNothingUnderStrictAlgebra) {
  ExpectUnchanged(SinkShift, R"(
    x = arg f32[1,2,2,2]
    a = Binary(x, const f32[2] {1, 2}) {kind: Add}
    m = Pool2D(a) {kind: Max, window_h: 2, window_w: 2}
    out = ret(m))",
                  Strict());
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(NchwToNhwc, MovesBehindElementwiseOps) {
  ExpectRewritten(NchwToNhwc, R"(
    x = arg f32[1,2,3,4]
    t = Transpose(x) {perm: [0, 3, 1, 2]}
    a = Binary(t, const f32[4,1,1] {1, 2, 3, 4}) {kind: Add}
    r = Clamp(a) {range: {min: 0, max: inf}}
    s = Unary(r) {kind: Sigmoid}
    m = Binary(r, s) {kind: Mul}
    out = ret(m))",
                  R"(
    x = arg f32[1,2,3,4]
    a = Binary(x, const f32[1,1,1,4] {1, 2, 3, 4}) {kind: Add}
    r = Clamp(a) {range: {min: 0, max: inf}}
    s = Unary(r) {kind: Sigmoid}
    m = Binary(r, s) {kind: Mul}
    t = Transpose(m) {perm: [0, 3, 1, 2]}
    out = ret(t))",
                  {.tolerance = 0});
}

TEST(NchwToNhwc, MovesBehindConcatPadSliceAndReduce) {
  ExpectRewritten(NchwToNhwc, R"(
    x = arg f32[1,2,3,4]
    y = arg f32[1,2,3,5]
    t = Transpose(x) {perm: [0, 3, 1, 2]}
    u = Transpose(y) {perm: [0, 3, 1, 2]}
    c = Concat(t, u) {axis: 1}
    p = Pad(c) {before: [0, 0, 1, 2], after: [0, 0, 3, 4]}
    s = Slice(p) {begin: [0, 1, 0, 0], size: [1, 6, 4, 5], stride: [1, 1, 1, 1]}
    r = Reduce(s) {kind: Mean, axes: [2, 3], keep_dims: false}
    out = ret(r))",
                  R"(
    x = arg f32[1,2,3,4]
    y = arg f32[1,2,3,5]
    c = Concat(x, y) {axis: 3}
    p = Pad(c) {before: [0, 1, 2, 0], after: [0, 3, 4, 0]}
    s = Slice(p) {begin: [0, 0, 0, 1], size: [1, 4, 5, 6], stride: [1, 1, 1, 1]}
    r = Reduce(s) {kind: Mean, axes: [1, 2], keep_dims: false}
    out = ret(r))");
}

TEST(NchwToNhwc, LeavesAPermutationBehindAReduction) {
  ExpectRewritten(NchwToNhwc, R"(
    x = arg f32[1,2,3,4]
    t = Transpose(x) {perm: [0, 3, 1, 2]}
    r = Reduce(t) {kind: Max, axes: [2], keep_dims: false}
    out = ret(r))",
                  R"(
    x = arg f32[1,2,3,4]
    r = Reduce(x) {kind: Max, axes: [1], keep_dims: false}
    t = Transpose(r) {perm: [0, 2, 1]}
    out = ret(t))",
                  {.tolerance = 0});
}

TEST(NchwToNhwc, StaysWhenAReaderCannotTakeIt) {
  ExpectUnchanged(NchwToNhwc, R"(
    x = arg f32[1,2,3,4]
    y = arg f32[1,4,2,3]
    t = Transpose(x) {perm: [0, 3, 1, 2]}
    r = Clamp(t) {range: {min: 0, max: inf}}
    s = Softmax(t)
    u = Transpose(x) {perm: [0, 3, 1, 2]}
    a = Binary(u, y) {kind: Add}
    o1 = ret(r)
    o2 = ret(s)
    o3 = ret(a))");
}

}  // namespace
}  // namespace linnet::converter

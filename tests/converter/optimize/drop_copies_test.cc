// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(DropCopies, DropsNeutralElements) {
  ExpectRewritten(DropCopies, R"(
    x = arg f32[2,3]
    a = Binary(x, const f32[] 1) {kind: Mul}
    b = Binary(a, const f32[3] {1, 1, 1}) {kind: Div}
    c = Binary(const f32[] 0, b) {kind: Add}
    d = Binary(c, const f32[] 0) {kind: Sub}
    e = Binary(d, const f32[] 1) {kind: Pow}
    y = Unary(e) {kind: Exp}
    out = ret(y))",
                  R"(
    x = arg f32[2,3]
    y = Unary(x) {kind: Exp}
    out = ret(y))");
}

TEST(DropCopies, StrictAlgebraKeepsTheSignOfZero) {
  ExpectUnchanged(DropCopies, R"(
    x = arg f32[2]
    a = Binary(x, const f32[] 0) {kind: Add}
    b = Binary(a, const f32[] -0.0) {kind: Sub}
    out = ret(b))",
                  Strict());
  ExpectRewritten(DropCopies, R"(
    x = arg f32[2]
    a = Binary(x, const f32[] -0.0) {kind: Add}
    b = Binary(a, const f32[] 0) {kind: Sub}
    c = Unary(b) {kind: Exp}
    out = ret(c))",
                  R"(
    x = arg f32[2]
    c = Unary(x) {kind: Exp}
    out = ret(c))",
                  {.context = Strict(), .tolerance = 0});
}

TEST(DropCopies, DropsMovesThatMoveNothing) {
  ExpectRewritten(DropCopies, R"(
    x = arg f32[1,2,3,4]
    a = Reshape(x) {shape: [1, 2, 3, 4]}
    b = Transpose(a) {perm: [0, 1, 2, 3]}
    c = Slice(b) {begin: [0, 0, 0, 0], size: [1, 2, 3, 4], stride: [1, 1, 1, 1]}
    d = Concat(c) {axis: 3}
    e = Tile(d) {multiples: [1, 1, 1, 1]}
    f = Pad(e) {before: [0, 0, 0, 0], after: [0, 0, 0, 0]}
    g = BroadcastTo(f) {shape: [1, 2, 3, 4]}
    h = Resize(g) {mode: Bilinear, sampling: HalfPixel, output_h: 2, output_w: 3}
    i = Reduce(h) {kind: Mean, axes: [], keep_dims: true}
    y = Unary(i) {kind: Exp}
    out = ret(y))",
                  R"(
    x = arg f32[1,2,3,4]
    y = Unary(x) {kind: Exp}
    out = ret(y))",
                  {.tolerance = 0});
}

TEST(DropCopies, DropsClampsThatChangeNothing) {
  ExpectRewritten(DropCopies, R"(
    x = arg f32[2]
    a = Clamp(x) {range: {min: 0, max: 6}}
    b = Clamp(a) {range: {min: 0, max: inf}}
    c = Clamp(b)
    out = ret(c))",
                  R"(
    x = arg f32[2]
    a = Clamp(x) {range: {min: 0, max: 6}}
    out = ret(a))",
                  {.tolerance = 0});
}

TEST(DropCopies, KeepsReversalsAndEnlargingConstants) {
  ExpectUnchanged(DropCopies, R"(
    x = arg f32[2]
    a = Slice(x) {begin: [1], size: [2], stride: [-1]}
    b = Binary(a, const f32[1,1,1] 1) {kind: Mul}
    c = Binary(b, const f32[2] {1, 2}) {kind: Mul}
    d = Binary(const f32[] 1, c) {kind: Div}
    out = ret(d))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include <string>

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// Keras' stride-2 convolutions: an explicit Pad, then VALID.
TEST(FoldPad, IntoConvolutions) {
  ExpectRewritten(FoldPad, R"(
    x = arg f32[1,5,5,2]
    p = Pad(x) {before: [0, 0, 1, 0], after: [0, 1, 0, 0]}
    c = Conv2D(p, const f32[2,3,3,2] seed=1) {stride_h: 2, pad_right: 1}
    q = Pad(c) {before: [0, 1, 1, 0], after: [0, 1, 1, 0]}
    d = DepthwiseConv2D(q, const f32[3,3,2] seed=2)
    out = ret(d))",
                  R"(
    x = arg f32[1,5,5,2]
    c = Conv2D(x, const f32[2,3,3,2] seed=1) {stride_h: 2, pad_bottom: 1, pad_left: 1, pad_right: 1}
    d = DepthwiseConv2D(c, const f32[3,3,2] seed=2) {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1}
    out = ret(d))",
                  {.tolerance = 0});
}

// Such margins are computed from the picture with its border.
TEST(FoldPad, NotIntoWindowsWhoseMarginsFollowFromThePicture) {
  ExpectUnchanged(FoldPad, R"(
    x = arg f32[1,5,6,2]
    p = Pad(x) {before: [0, 1, 0, 0], after: [0, 0, 1, 0]}
    c = Conv2D(p, const f32[2,3,3,2] seed=1) {stride_h: 2, stride_w: 2, same: true}
    r = Clamp(c) {range: {min: 0, max: inf}}
    q = Pad(r) {before: [0, 1, 0, 0], after: [0, 0, 0, 0]}
    m = Pool2D(q) {kind: Max, window_h: 3, window_w: 3, stride_h: 2, same: true}
    out = ret(m))");
}

// ResNet's stem: zeros in front of a max pool are harmless behind a Relu.
TEST(FoldPad, IntoMaxPoolOfNonNegatives) {
  ExpectRewritten(FoldPad, R"(
    x = arg f32[1,6,6,2]
    r = Clamp(x) {range: {min: 0, max: inf}}
    p = Pad(r) {before: [0, 1, 1, 0], after: [0, 1, 1, 0]}
    m = Pool2D(p) {kind: Max, window_h: 3, window_w: 3, stride_h: 2, stride_w: 2}
    out = ret(m))",
                  R"(
    x = arg f32[1,6,6,2]
    r = Clamp(x) {range: {min: 0, max: inf}}
    m = Pool2D(r) {kind: Max, window_h: 3, window_w: 3, stride_h: 2, stride_w: 2, pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1}
    out = ret(m))",
                  {.tolerance = 0});
}

// Ops that move or pick elements of their input keep its sign; a bicubic Resize does not.
TEST(FoldPad, FollowsElementsThatMove) {
  const std::string moved[] = {
      "m = BroadcastTo(r) {shape: [2, 6, 6, 2]}",
      "m = Gather(r, const i32[2] {0, 0}) {axis: 3}",
      "m = Transpose(r) {perm: [0, 2, 1, 3]}",
      "m = Resize(r) {mode: Bilinear, output_h: 8, output_w: 8}",
  };
  const auto graph = [](const std::string& step, bool folded) {
    return "x = arg f32[1,6,6,2] r = Clamp(x) {range: {min: 0, max: inf}} " + step +
           (folded ? " p = Pool2D(m) {kind: Max, window_h: 3, window_w: 3, pad_top: 1, pad_left: 1}"
                   : " b = Pad(m) {before: [0, 1, 1, 0], after: [0, 0, 0, 0]} "
                     "p = Pool2D(b) {kind: Max, window_h: 3, window_w: 3}") +
           " out = ret(p)";
  };
  for (const std::string& step : moved)
    ExpectRewritten(FoldPad, graph(step, false), graph(step, true), {.tolerance = 0});
  ExpectUnchanged(FoldPad, graph("m = Resize(r) {mode: Bicubic, output_h: 8, output_w: 8}", false));
  // The sign of the indices does not matter, that of the values does.
  ExpectUnchanged(FoldPad, graph("m = Gather(x, const i32[2] {0, 0}) {axis: 3}", false));
}

TEST(FoldPad, KeepsTheBorderOfPoolsThatSeeIt) {
  ExpectUnchanged(FoldPad, R"(
    x = arg f32[1,6,6,2]
    r = Clamp(x) {range: {min: 0, max: inf}}
    p = Pad(x) {before: [0, 1, 1, 0], after: [0, 1, 1, 0]}
    q = Pad(r) {before: [0, 3, 1, 0], after: [0, 1, 1, 0]}
    s = Pad(r) {before: [0, 1, 1, 0], after: [0, 1, 1, 0]}
    a = Pool2D(p) {kind: Max, window_h: 3, window_w: 3}
    b = Pool2D(q) {kind: Max, window_h: 3, window_w: 3}
    c = Pool2D(s) {kind: Average, window_h: 3, window_w: 3}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c))");
}

TEST(FoldPad, KeepsOtherPaddings) {
  ExpectUnchanged(FoldPad, R"(
    x = arg f32[1,5,5,2]
    p = Pad(x) {before: [0, 1, 1, 0], after: [0, 1, 1, 0], value: 1}
    q = Pad(x) {before: [0, 1, 1, 0], after: [0, 1, 1, 0], mode: Reflect}
    r = Pad(x) {before: [0, 1, 1, 0], after: [0, 1, 1, 1]}
    a = Conv2D(p, const f32[2,3,3,2] seed=1)
    b = Conv2D(q, const f32[2,3,3,2] seed=1)
    c = Conv2D(r, const f32[2,3,3,3] seed=1)
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c))");
}

TEST(FoldPad, MergesPads) {
  ExpectRewritten(FoldPad, R"(
    x = arg f32[2,3]
    p = Pad(x) {before: [1, 0], after: [0, 2], value: 5}
    q = Pad(p) {before: [0, 1], after: [3, 0], value: 5}
    out = ret(q))",
                  R"(
    x = arg f32[2,3]
    q = Pad(x) {before: [1, 1], after: [3, 2], value: 5}
    out = ret(q))",
                  {.tolerance = 0});
}

}  // namespace
}  // namespace linnet::converter

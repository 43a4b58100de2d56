// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/session/strip_nets.h"

namespace linnet {

const char kInvertedResidual[] = R"(
    e = Conv2D(x, const f32[64,1,1,16] seed=1, const f32[64] seed=2) {range: {min: 0, max: 6}}
    d = DepthwiseConv2D(e, const f32[3,3,64] seed=3, const f32[64] seed=4) {same: true, range: {min: 0, max: 6}}
    p = Conv2D(d, const f32[16,1,1,64] seed=5, const f32[16] seed=6)
    y = Binary(p, x) {kind: Add})";

const char kTwoConvolutionsAndAdd[] = R"(
    a = Conv2D(x, const f32[16,3,3,16] seed=1, const f32[16] seed=2) {same: true, range: {min: 0, max: 1000}}
    b = Conv2D(a, const f32[16,3,3,16] seed=3, const f32[16] seed=4) {same: true}
    y = Binary(b, x) {kind: Add, range: {min: 0, max: 1000}})";

namespace {

struct Body {
  const char* name;
  const char* text;
};

constexpr char kInvertedWithStride[] = R"(
    e = Conv2D(x, const f32[64,1,1,16] seed=1, const f32[64] seed=2) {range: {min: 0, max: 6}}
    d = DepthwiseConv2D(e, const f32[3,3,64] seed=3, const f32[64] seed=4) {same: true, stride_h: 2, stride_w: 2, range: {min: 0, max: 6}}
    y = Conv2D(d, const f32[24,1,1,64] seed=5, const f32[24] seed=6))";

constexpr char kTwoBlocks[] = R"(
    e = Conv2D(x, const f32[64,1,1,16] seed=1, const f32[64] seed=2) {range: {min: 0, max: 6}}
    d = DepthwiseConv2D(e, const f32[5,5,64] seed=3, const f32[64] seed=4) {same: true, stride_h: 2, stride_w: 2}
    p = Conv2D(d, const f32[32,1,1,64] seed=5, const f32[32] seed=6)
    f = Conv2D(p, const f32[96,1,1,32] seed=7, const f32[96] seed=8) {range: {min: 0, max: 6}}
    g = DepthwiseConv2D(f, const f32[3,3,96] seed=9) {same: true, dilation_h: 2}
    q = Conv2D(g, const f32[32,1,1,96] seed=10, const f32[32] seed=11)
    y = Binary(q, p) {kind: Add})";

// The gate is [pictures,1,1,64].
constexpr char kGate[] = R"(
    h = Unary(x) {kind: Sigmoid}
    g = Reduce(h) {kind: Mean, axes: [1, 2], keep_dims: true}
    w = Conv2D(g, const f32[64,1,1,16] seed=7) {range: {min: 0, max: 1}}
    e = Conv2D(x, const f32[64,1,1,16] seed=1, const f32[64] seed=2) {range: {min: 0, max: 1000}}
    d = Binary(e, w) {kind: Mul}
    n = LayerNorm(d, const f32[64] seed=8, const f32[64] seed=9) {epsilon: 0.001}
    s = Binary(n, const f32[1,1,1,64] seed=10) {kind: Mul}
    y = Conv2D(s, const f32[16,1,1,64] seed=5, const f32[16] seed=6))";

constexpr char kPool[] = R"(
    c = Conv2D(x, const f32[64,3,3,16] seed=1, const f32[64] seed=2) {same: true, range: {min: 0, max: 1000}}
    m = Pool2D(c) {kind: Max, window_h: 3, window_w: 3, stride_h: 2, stride_w: 2, same: true}
    a = Pool2D(m) {kind: Average, window_h: 3, window_w: 3, pad_top: 1, pad_left: 1, pad_bottom: 1, pad_right: 1}
    y = FullyConnected(a, const f32[16,64] seed=5, const f32[16] seed=6))";

constexpr char kWinograd[] = R"(
    e = Conv2D(x, const f32[32,1,1,16] seed=1, const f32[32] seed=2) {range: {min: 0, max: 1000}}
    f = Conv2D(e, const f32[32,3,3,32] seed=3, const f32[32] seed=4) {same: true, winograd: 4, range: {min: 0, max: 1000}}
    g = Conv2D(f, const f32[32,3,3,32] seed=5, const f32[32] seed=6) {pad_top: 1, pad_bottom: 1, winograd: 2}
    h = DepthwiseConv2D(g, const f32[3,3,32] seed=7) {same: true}
    y = Conv2D(h, const f32[16,3,3,32] seed=8, const f32[16] seed=9) {same: true, winograd: 4})";

constexpr Body kBodies[] = {{"InvertedResidual", kInvertedResidual},
                            {"InvertedWithStride", kInvertedWithStride},
                            {"TwoConvolutionsAndAdd", kTwoConvolutionsAndAdd},
                            {"TwoBlocks", kTwoBlocks},
                            {"Gate", kGate},
                            {"Pool", kPool},
                            {"Winograd", kWinograd}};

}  // namespace

std::string StripNetText(std::string_view body, int pictures, int rows) {
  const int columns = 4000 / rows;  // a map of 32 channels has 500 KB
  return "x = arg f32[" + std::to_string(pictures) + "," + std::to_string(rows) + "," +
         std::to_string(columns) + ",16]" + std::string(body) + "\nout = ret(y)";
}

std::vector<StripNet> AllStripNets() {
  std::vector<StripNet> nets;
  for (const Body& body : kBodies)
    for (const int pictures : {1, 3})
      for (const int rows : {13, 24, 47})
        nets.push_back({body.name + std::to_string(pictures) + "x" + std::to_string(rows),
                        StripNetText(body.text, pictures, rows)});
  return nets;
}

}  // namespace linnet

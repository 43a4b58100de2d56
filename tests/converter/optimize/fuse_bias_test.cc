// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(FuseBias, TakesAChannelConstant) {
  ExpectRewritten(FuseBias, R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[3,1,1,2] seed=1)
    a = Binary(c, const f32[1,1,1,3] {1, 2, 3}) {kind: Add, range: {min: 0, max: 6}}
    s = Binary(a, const f32[] 1) {kind: Add}
    out = ret(s))",
                  R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[3,1,1,2] seed=1, const f32[3] {1, 2, 3}) {range: {min: 0, max: 6}}
    s = Binary(c, const f32[] 1) {kind: Add}
    out = ret(s))");
}

constexpr std::string_view kTwoBiases = R"(
    x = arg f32[3,2]
    c = FullyConnected(x, const f32[2,2] seed=1, const f32[2] {1, 2})
    a = Binary(c, const f32[] 0.5) {kind: Sub}
    out = ret(a))";

TEST(FuseBias, AddsToTheBiasUnlessStrict) {
  ExpectRewritten(FuseBias, kTwoBiases, R"(
    x = arg f32[3,2]
    c = FullyConnected(x, const f32[2,2] seed=1, const f32[2] {0.5, 1.5})
    out = ret(c))");
  ExpectUnchanged(FuseBias, kTwoBiases, Strict());
}

// Heads of attention: channels are split before the bias is added.
TEST(FuseBias, SeesThroughAReshapeThatSplitsChannels) {
  ExpectRewritten(FuseBias, R"(
    x = arg f32[1,3,4]
    c = FullyConnected(x, const f32[4,4] seed=1)
    r = Reshape(c) {shape: [1,3,2,2]}
    a = Binary(r, const f32[1,2,2] {1, 2, 3, 4}) {kind: Add}
    d = FullyConnected(x, const f32[4,4] seed=2, const f32[4] {1, 1, 2, 2})
    s = Reshape(d) {shape: [1,3,2,2]}
    b = Binary(s, const f32[2,1] {10, 20}) {kind: Sub}
    o1 = ret(a)
    o2 = ret(b))",
                  R"(
    x = arg f32[1,3,4]
    c = FullyConnected(x, const f32[4,4] seed=1, const f32[4] {1, 2, 3, 4})
    r = Reshape(c) {shape: [1,3,2,2]}
    d = FullyConnected(x, const f32[4,4] seed=2, const f32[4] {-9, -9, -18, -18})
    s = Reshape(d) {shape: [1,3,2,2]}
    o1 = ret(r)
    o2 = ret(s))");
  ExpectUnchanged(FuseBias, R"(
    x = arg f32[1,3,4]
    c = FullyConnected(x, const f32[4,4] seed=1)
    r = Reshape(c) {shape: [1,3,2,2]}
    a = Binary(r, const f32[3,2,2] seed=2) {kind: Add}
    d = FullyConnected(x, const f32[4,4] seed=3)
    s = Reshape(d) {shape: [1,2,6]}
    b = Binary(s, const f32[6] seed=4) {kind: Add}
    o1 = ret(a)
    o2 = ret(b))");
}

TEST(FuseBias, KeepsOtherAdditions) {
  ExpectUnchanged(FuseBias, R"(
    x = arg f32[1,2,2,2]
    c = Conv2D(x, const f32[2,1,1,2] seed=1) {range: {min: 0, max: 6}}
    d = Conv2D(x, const f32[2,1,1,2] seed=2)
    e = Conv2D(x, const f32[2,1,1,2] seed=3)
    a = Binary(c, const f32[2] {1, 2}) {kind: Add}
    b = Binary(d, const f32[1,2,2,2] seed=4) {kind: Add}
    f = Binary(const f32[2] {1, 2}, e) {kind: Sub}
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(f))");
}

}  // namespace
}  // namespace linnet::converter

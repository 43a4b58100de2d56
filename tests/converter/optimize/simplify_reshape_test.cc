// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(SimplifyReshape, MergesReshapes) {
  ExpectRewritten(SimplifyReshape, R"(
    x = arg f32[2,6]
    a = Reshape(x) {shape: [3, 4]}
    b = Reshape(a) {shape: [12]}
    o1 = ret(a)
    o2 = ret(b))",
                  R"(
    x = arg f32[2,6]
    a = Reshape(x) {shape: [3, 4]}
    b = Reshape(x) {shape: [12]}
    o1 = ret(a)
    o2 = ret(b))",
                  {.tolerance = 0});
}

// Squeeze-and-excite: Mean without dimensions, then Reshape to [N,1,1,C].
TEST(SimplifyReshape, MovesIntoReduce) {
  ExpectRewritten(SimplifyReshape, R"(
    x = arg f32[1,2,3,4]
    m = Reduce(x) {kind: Mean, axes: [1, 2]}
    r = Reshape(m) {shape: [1, 1, 1, 4]}
    k = Reduce(x) {kind: Sum, axes: [1, 2], keep_dims: true}
    s = Reshape(k) {shape: [1, 4]}
    o1 = ret(r)
    o2 = ret(s))",
                  R"(
    x = arg f32[1,2,3,4]
    m = Reduce(x) {kind: Mean, axes: [1, 2], keep_dims: true}
    k = Reduce(x) {kind: Sum, axes: [1, 2]}
    o1 = ret(m)
    o2 = ret(k))",
                  {.tolerance = 0});
}

TEST(SimplifyReshape, UnwrapsFullyConnected) {
  ExpectRewritten(SimplifyReshape, R"(
    x = arg f32[2,3,4]
    a = Reshape(x) {shape: [6, 4]}
    c = FullyConnected(a, const f32[5,4] seed=1)
    b = Reshape(c) {shape: [2, 3, 5]}
    out = ret(b))",
                  R"(
    x = arg f32[2,3,4]
    c = FullyConnected(x, const f32[5,4] seed=1)
    out = ret(c))",
                  {.tolerance = 0});
}

TEST(SimplifyReshape, ReductionOfOnes) {
  ExpectRewritten(SimplifyReshape, R"(
    x = arg f32[1,1,1,4]
    m = Reduce(x) {kind: Mean, axes: [1, 2]}
    out = ret(m))",
                  R"(
    x = arg f32[1,1,1,4]
    m = Reshape(x) {shape: [1, 4]}
    out = ret(m))",
                  {.tolerance = 0});
}

TEST(SimplifyReshape, KeepsOthers) {
  ExpectUnchanged(SimplifyReshape, R"(
    x = arg f32[2,3,4]
    a = Reshape(x) {shape: [4, 6]}
    c = FullyConnected(a, const f32[5,6] seed=1)
    b = Reshape(c) {shape: [2, 2, 5]}
    m = Reduce(x) {kind: Mean, axes: [1]}
    r = Reshape(m) {shape: [8]}
    o1 = ret(b)
    o2 = ret(r))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(SimplifySlice, MergesSlices) {
  ExpectRewritten(SimplifySlice, R"(
    x = arg f32[10]
    a = Slice(x) {begin: [9], size: [5], stride: [-2]}
    b = Slice(a) {begin: [1], size: [2], stride: [2]}
    out = ret(b))",
                  R"(
    x = arg f32[10]
    b = Slice(x) {begin: [7], size: [2], stride: [-4]}
    out = ret(b))",
                  {.tolerance = 0});
}

TEST(SimplifySlice, TakesThePartOfAConcat) {
  ExpectRewritten(SimplifySlice, R"(
    x = arg f32[2,3]
    y = arg f32[2,4]
    a = Concat(x, y) {axis: 1}
    b = Slice(a) {begin: [0, 4], size: [2, 2], stride: [1, 2]}
    out = ret(b))",
                  R"(
    x = arg f32[2,3]
    y = arg f32[2,4]
    b = Slice(y) {begin: [0, 1], size: [2, 2], stride: [1, 2]}
    out = ret(b))",
                  {.tolerance = 0});
}

TEST(SimplifySlice, SkipsTheBorder) {
  ExpectRewritten(SimplifySlice, R"(
    x = arg f32[2,3]
    a = Pad(x) {before: [1, 1], after: [1, 1]}
    b = Slice(a) {begin: [1, 2], size: [2, 2], stride: [1, 1]}
    out = ret(b))",
                  R"(
    x = arg f32[2,3]
    b = Slice(x) {begin: [0, 1], size: [2, 2], stride: [1, 1]}
    out = ret(b))",
                  {.tolerance = 0});
}

TEST(SimplifySlice, KeepsSlicesAcrossParts) {
  ExpectUnchanged(SimplifySlice, R"(
    x = arg f32[2,3]
    y = arg f32[2,4]
    a = Concat(x, y) {axis: 1}
    b = Slice(a) {begin: [0, 2], size: [2, 2], stride: [1, 1]}
    p = Pad(x) {before: [1, 1], after: [1, 1]}
    c = Slice(p) {begin: [0, 1], size: [2, 2], stride: [1, 1]}
    o1 = ret(b)
    o2 = ret(c))");
}

}  // namespace
}  // namespace linnet::converter

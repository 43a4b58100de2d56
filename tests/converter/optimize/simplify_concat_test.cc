// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "runtime/ops/op_def.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(SimplifyConcat, SplicesInnerAndDropsEmpty) {
  ExpectRewritten(SimplifyConcat, R"(
    x = arg f32[1,2]
    y = arg f32[1,3]
    z = arg f32[1,0]
    a = Concat(x, y) {axis: 1}
    b = Concat(a, z, x) {axis: 1}
    out = ret(b))",
                  R"(
    x = arg f32[1,2]
    y = arg f32[1,3]
    z = arg f32[1,0]
    b = Concat(x, y, x) {axis: 1}
    out = ret(b))",
                  {.tolerance = 0});
}

TEST(SimplifyConcat, JoinsNeighbouringSlices) {
  ExpectRewritten(SimplifyConcat, R"(
    x = arg f32[2,6]
    a = Slice(x) {begin: [0, 1], size: [2, 2], stride: [1, 1]}
    b = Slice(x) {begin: [0, 3], size: [2, 1], stride: [1, 1]}
    c = Slice(x) {begin: [0, 0], size: [2, 1], stride: [1, 1]}
    d = Concat(a, b, c) {axis: 1}
    out = ret(d))",
                  R"(
    x = arg f32[2,6]
    a = Slice(x) {begin: [0, 1], size: [2, 3], stride: [1, 1]}
    c = Slice(x) {begin: [0, 0], size: [2, 1], stride: [1, 1]}
    d = Concat(a, c) {axis: 1}
    out = ret(d))",
                  {.tolerance = 0});
}

TEST(SimplifyConcat, KeepsOtherAxesAndSharedParts) {
  ExpectUnchanged(SimplifyConcat, R"(
    x = arg f32[2,2]
    a = Concat(x, x) {axis: 0}
    b = Concat(a, a) {axis: 1}
    c = Concat(x, x) {axis: 1}
    d = Concat(c, x) {axis: 1}
    o1 = ret(b)
    o2 = ret(c)
    o3 = ret(d))");
}

// Splicing the inner Concat adds one input, and hands on the device that it asks for. Whether that
// would be too many inputs is checked before anything changes.
TEST(SimplifyConcat, KeepsWhatWouldHaveTooManyInputs) {
  const auto graph = [](int outer) {
    std::string text = "x = arg f32[1] a = Concat(x, x) {axis: 0} @\"/gpu:0\" b = Concat(a";
    for (int i = 1; i < outer; ++i) text += ", x";
    return text + ") {axis: 0} out = ret(b)";
  };
  ExpectUnchanged(SimplifyConcat, graph(kMaxOpInputs));
  std::string most = "x = arg f32[1] b = Concat(x";
  for (int i = 1; i < kMaxOpInputs; ++i) most += ", x";
  ExpectRewritten(SimplifyConcat, graph(kMaxOpInputs - 1),
                  most + ") {axis: 0} @\"/gpu:0\" out = ret(b)", {.tolerance = 0});
}

}  // namespace
}  // namespace linnet::converter

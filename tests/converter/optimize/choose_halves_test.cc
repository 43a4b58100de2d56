// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

PassContext Halves() {
  PassContext context;
  context.cpu_precision = CpuPrecision::kF16;
  return context;
}

TEST(ChooseHalves, ProductsOfManyRows) {
  ExpectRewritten(ChooseHalves, R"(
    x = arg f32[1,8,8,32]
    c = Conv2D(x, const f32[24,1,1,32] seed=1)
    y = arg f32[5,16]
    f = FullyConnected(y, const f32[8,16] seed=2)
    o1 = ret(c)
    o2 = ret(f))",
                  R"(
    x = arg f32[1,8,8,32]
    c = Conv2D(x, const f32[24,1,1,32] seed=1) {halves: true}
    y = arg f32[5,16]
    f = FullyConnected(y, const f32[8,16] seed=2) {halves: true}
    o1 = ret(c)
    o2 = ret(f))",
                  {.context = Halves()});
}

TEST(ChooseHalves, OnlyWhereAsked) {
  ExpectUnchanged(ChooseHalves, R"(
    x = arg f32[1,8,8,32]
    c = Conv2D(x, const f32[24,1,1,32] seed=1)
    out = ret(c))");
}

// Few rows, Winograd's method, groups, filters that are computed.
TEST(ChooseHalves, OnlyConstantFiltersThatManyRowsReadAsTheyAre) {
  ExpectUnchanged(ChooseHalves, R"(
    x = arg f32[1,8,8,32]
    w = arg f32[24,1,1,32]
    y = arg f32[4,16]
    a = Conv2D(x, const f32[32,3,3,32] seed=1) {winograd: 2}
    b = Conv2D(x, const f32[32,1,1,16] seed=1) {groups: 2}
    c = Conv2D(x, w)
    f = FullyConnected(y, const f32[8,16] seed=2)
    o1 = ret(a)
    o2 = ret(b)
    o3 = ret(c)
    o4 = ret(f))",
                  Halves());
}

}  // namespace
}  // namespace linnet::converter

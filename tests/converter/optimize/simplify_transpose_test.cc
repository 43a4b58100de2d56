// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(SimplifyTranspose, MergesTransposes) {
  ExpectRewritten(SimplifyTranspose, R"(
    x = arg f32[2,3,4,5]
    a = Transpose(x) {perm: [0, 3, 1, 2]}
    b = Transpose(a) {perm: [1, 0, 2, 3]}
    out = ret(b))",
                  R"(
    x = arg f32[2,3,4,5]
    b = Transpose(x) {perm: [3, 0, 1, 2]}
    out = ret(b))",
                  {.tolerance = 0});
}

TEST(SimplifyTranspose, MovingOnesIsAReshape) {
  ExpectRewritten(SimplifyTranspose, R"(
    x = arg f32[1,3,4,1]
    a = Transpose(x) {perm: [0, 3, 1, 2]}
    out = ret(a))",
                  R"(
    x = arg f32[1,3,4,1]
    a = Reshape(x) {shape: [1, 1, 3, 4]}
    out = ret(a))",
                  {.tolerance = 0});
}

TEST(SimplifyTranspose, BecomesAFlagOfAProduct) {
  ExpectRewritten(SimplifyTranspose, R"(
    x = arg f32[2,3,4]
    y = arg f32[2,5,4]
    a = Transpose(x) {perm: [0, 2, 1]}
    b = Transpose(y) {perm: [0, 2, 1]}
    p = BatchMatMul(a, b) {transpose_a: true}
    out = ret(p))",
                  R"(
    x = arg f32[2,3,4]
    y = arg f32[2,5,4]
    p = BatchMatMul(x, y) {transpose_b: true}
    out = ret(p))",
                  {.tolerance = 0});
}

TEST(SimplifyTranspose, KeepsRealOnes) {
  ExpectUnchanged(SimplifyTranspose, R"(
    x = arg f32[1,3,4,2]
    a = Transpose(x) {perm: [0, 3, 1, 2]}
    out = ret(a))");
}

}  // namespace
}  // namespace linnet::converter

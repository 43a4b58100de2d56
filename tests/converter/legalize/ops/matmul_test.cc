// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(LegalizeMatMul, AConstantOnTheRightBecomesAFilter) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[3,2]
    y = tf.MatMul(x, const f32[2,2] {1, 2, 3, 4})
    z = tf.MatMul(y, const f32[2,2] {1, 2, 3, 4}) {transpose_b: true}
    out = ret(z))",
                  R"(
    x = arg f32[3,2]
    y = FullyConnected(x, const f32[2,2] {1, 3, 2, 4})
    z = FullyConnected(y, const f32[2,2] {1, 2, 3, 4})
    out = ret(z))");
}

TEST(LegalizeMatMul, AComputedMatrixStaysOne) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[3,2]
    w = arg f32[3,4]
    y = tf.MatMul(x, w) {transpose_a: true}
    out = ret(y))",
                  R"(
    x = arg f32[3,2]
    w = arg f32[3,4]
    y = BatchMatMul(x, w) {transpose_a: true}
    out = ret(y))");
}

TEST(LegalizeMatMul, OneConstantMatrixForABatchIsALayer) {
  ExpectRewritten(Legalize, R"(
    x = arg f32[5,3,2]
    y = tf.BatchMatMulV2(x, const f32[1,2,2] {1, 2, 3, 4})
    out = ret(y))",
                  R"(
    x = arg f32[5,3,2]
    y = FullyConnected(x, const f32[2,2] {1, 3, 2, 4})
    out = ret(y))");
}

TEST(LegalizeEinsum, AttentionNeedsNoTransposeOfTheKeys) {
  ExpectRewritten(Legalize, R"(
    q = arg f32[2,3,4]
    k = arg f32[2,5,4]
    s = tf.Einsum(q, k) {N: 2, equation: "bqd,bkd->bqk"}
    out = ret(s))",
                  R"(
    q = arg f32[2,3,4]
    k = arg f32[2,5,4]
    s = BatchMatMul(q, k) {transpose_b: true}
    out = ret(s))");
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(DropDropout, DropsDropoutThatDropsNothing) {
  ExpectRewritten(DropDropout, R"(
    x = arg f32[2]
    r = tf.RandomUniform(const i32[1] {2}) {dtype: DT_FLOAT, T: DT_INT32}
    g = tf.GreaterEqual(r, const f32[] 0)
    m = tf.Cast(g) {SrcT: DT_BOOL, DstT: DT_FLOAT}
    y = tf.Mul(x, m)
    k = tf.Add(const f32[] 1, r)
    f = tf.Floor(k)
    z = tf.Mul(y, f)
    out = ret(z))",
                  R"(
    x = arg f32[2]
    out = ret(x))");
}

TEST(DropDropout, KeepsARealOne) {
  ExpectUnchanged(DropDropout, R"(
    x = arg f32[2]
    r = tf.RandomUniform(const i32[1] {2}) {dtype: DT_FLOAT, T: DT_INT32}
    g = tf.GreaterEqual(r, const f32[] 0.5)
    m = tf.Cast(g) {SrcT: DT_BOOL, DstT: DT_FLOAT}
    y = tf.Mul(x, m)
    out = ret(y))");
}

}  // namespace
}  // namespace linnet::converter

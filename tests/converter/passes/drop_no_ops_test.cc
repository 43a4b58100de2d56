// SPDX-License-Identifier: Apache-2.0
#include "converter/passes/drop_no_ops.h"

#include "tests/converter/passes/pass_test.h"

namespace linnet::converter {
namespace {

TEST(DropNoOps, PassesValuesThrough) {
  ExpectRewritten(DropNoOps, R"(
    x = arg f32[2]
    a = tf.Identity(x)
    b = tf.StopGradient(a)
    c = tf.CheckNumerics(b) {message: "finite?"}
    d = tf.IdentityN(c, x) {T: [DT_FLOAT, DT_FLOAT]}
    e = tf.AddV2(d, d:1)
    out = ret(e))", R"(
    x = arg f32[2]
    e = tf.AddV2(x, x)
    out = ret(e))");
}

// The only sink of a frozen Keras graph: Identity behind a NoOp with hundreds of control inputs.
TEST(DropNoOps, DropsControlEdgesThatOrderNothing) {
  ExpectRewritten(DropNoOps, R"(
    x = arg f32[2]
    w = const f32[2] {1, 2}
    r = tf.Identity(w)
    n = tf.NoOp(^r, ^w)
    y = tf.Mul(x, r)
    z = tf.Identity(y, ^n)
    out = ret(z))", R"(
    x = arg f32[2]
    y = tf.Mul(x, const f32[2] {1, 2})
    out = ret(y))");
}

TEST(DropNoOps, KeepsTheOrderOfEffects) {
  ExpectRewritten(DropNoOps, R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: [2]}
    s = tf.AssignVariableOp(v, x)
    n = tf.NoOp(^s)
    y = tf.ReadVariableOp(v, ^n) {dtype: DT_FLOAT}
    i = tf.Identity(y, ^s)
    out = ret(i))", R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: [2]}
    s = tf.AssignVariableOp(v, x)
    y = tf.ReadVariableOp(v, ^s) {dtype: DT_FLOAT}
    i = tf.Identity(y, ^s)
    out = ret(i))");
}

TEST(DropNoOps, KeepsAnIdentityBehindASwitch) {
  ExpectUnchanged(DropNoOps, R"(
    x = arg f32[2]
    p = arg bool[]
    s = tf.Switch(x, p)
    i = tf.Identity(s:1)
    c = const f32[2] {1, 2} (^i)
    out = ret(c))");
}

}  // namespace
}  // namespace linnet::converter

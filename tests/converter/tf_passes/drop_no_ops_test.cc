// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// TensorFlow graph row 75: Identity nodes
TEST(DropNoOps, PassesValuesThrough) {
  ExpectRewritten(DropNoOps, R"(
    x = arg f32[2]
    a = tf.Identity(x)
    b = tf.StopGradient(a)
    c = tf.CheckNumerics(b) {message: "finite?"}
    d = tf.IdentityN(c, x) {T: [DT_FLOAT, DT_FLOAT]}
    e = tf.AddV2(d, d:1)
    out = ret(e))",
                  R"(
    x = arg f32[2]
    e = tf.AddV2(x, x)
    out = ret(e))");
}

// The only sink of a frozen Keras graph: an Identity behind a NoOp with hundreds of control inputs.
TEST(DropNoOps, DropsControlEdgesThatOrderNothing) {
  ExpectRewritten(DropNoOps, R"(
    x = arg f32[2]
    w = const f32[2] {1, 2}
    r = tf.Identity(w)
    n = tf.NoOp(^r, ^w)
    y = tf.Mul(x, r)
    z = tf.Identity(y, ^n)
    out = ret(z))",
                  R"(
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
    out = ret(i))",
                  R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: [2]}
    s = tf.AssignVariableOp(v, x)
    y = tf.ReadVariableOp(v, ^s) {dtype: DT_FLOAT}
    i = tf.Identity(y, ^s)
    out = ret(i))");
}

// TensorFlow graph row 75: an Identity behind a Switch stays
TEST(DropNoOps, KeepsAnIdentityBehindASwitch) {
  ExpectUnchanged(DropNoOps, R"(
    x = arg f32[2]
    p = arg bool[]
    s = tf.Switch(x, p)
    i = tf.Identity(s:1)
    c = const f32[2] {1, 2} (^i)
    out = ret(c))");
}

// TensorFlow graph row 73: _ListToArray, _ArrayToList
TEST(DropNoOps, ListsAndArraysAreTheirElements) {
  ExpectRewritten(DropNoOps, R"(
    x = arg f32[2]
    y = arg f32[2]
    l = tf._ListToArray(x, y) {N: 2, T: DT_FLOAT}
    a = tf._ArrayToList(l:1, l) {N: 2, T: DT_FLOAT, out_types: [DT_FLOAT, DT_FLOAT]}
    z = tf.Sub(a, a:1)
    out = ret(z))",
                  R"(
    x = arg f32[2]
    y = arg f32[2]
    z = tf.Sub(y, x)
    out = ret(z))");
}

// tensorflow/python/framework/graph_util_test.py: GraphUtilTest.testRemoveIdentityChains
TEST(DropNoOps, ChainsOfIdentities) {
  ExpectRewritten(DropNoOps, R"(
    d = arg f32[2]
    c = tf.Identity(d)
    b = tf.Identity(c)
    a = tf.Neg(b)
    out = ret(a))",
                  R"(
    d = arg f32[2]
    a = tf.Neg(d)
    out = ret(a))");
}

// tensorflow/python/framework/graph_util_test.py: GraphUtilTest.testRemoveTrainingNodes
TEST(DropNoOps, ChecksThatAnIdentityWaitsFor) {
  ExpectRewritten(DropNoOps, R"(
    a = arg f32[]
    b = arg f32[]
    ac = tf.CheckNumerics(a) {message: "a"}
    bc = tf.CheckNumerics(b) {message: "b"}
    ai = tf.Identity(a, ^ac)
    bi = tf.Identity(b, ^bc)
    sum = tf.Add(ai, bi)
    out = ret(sum))",
                  R"(
    a = arg f32[]
    b = arg f32[]
    sum = tf.Add(a, b)
    out = ret(sum))");
}

}  // namespace
}  // namespace linnet::converter

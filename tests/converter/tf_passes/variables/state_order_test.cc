// SPDX-License-Identifier: Apache-2.0
// The order that data and control edges give to reads and assignments of variables. Expected values
// follow TensorFlow's semantics: a node runs when everything that it reads and waits for has run,
// and a call runs as a whole.
#include "tests/converter/tf_passes/variables/state_test.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;

class StateOrder : public StateTest {};

TEST_F(StateOrder, FollowsControlEdgesThroughAnotherVariable) {
  ASSERT_EQ(Convert(Model(R"(
    s1 = tf.AssignVariableOp(b, x)
    r1 = tf.ReadVariableOp(b, ^s1) {dtype: DT_FLOAT}
    s2 = tf.AssignVariableOp(a, r1)
    y = tf.ReadVariableOp(b, ^s2) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5));
  EXPECT_EQ(State("a"), 5);
}

TEST_F(StateOrder, AReadBeforeAnAssignmentSeesTheOldValue) {
  ASSERT_EQ(Convert(Model(R"(
    old = tf.ReadVariableOp(b) {dtype: DT_FLOAT}
    s1 = tf.AssignVariableOp(a, x, ^old)
    s2 = tf.AssignAddVariableOp(b, x, ^s1) {dtype: DT_FLOAT}
    new = tf.ReadVariableOp(b, ^s2) {dtype: DT_FLOAT}
    out = ret(old)
    out2 = ret 1(new))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(-3, 2));
  EXPECT_THAT(Run({{"x", 1}}), ElementsAre(2, 3));
}

TEST_F(StateOrder, HandlesOfOneNameAreOneVariable) {
  ASSERT_EQ(Convert(Model(R"(
    other = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[], shared_name: "a"}
    s1 = tf.AssignVariableOp(a, x)
    s2 = tf.AssignSubVariableOp(other, const f32[] 1, ^s1) {dtype: DT_FLOAT}
    y = tf.ReadVariableOp(a, ^s2) {dtype: DT_FLOAT}
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(4));
}

// --- A call runs as a whole.

TEST_F(StateOrder, ACallWaitsForAllItsArguments) {
  Function("read_first", std::string(kArgA) + "unused = arg f32[]\n" + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    out = ret(r))");
  for (const char* op : {"PartitionedCall", "StatefulPartitionedCall"}) {
    ASSERT_EQ(Convert(Model(
                  std::string(R"(
      s = tf.AssignVariableOp(a, x)
      late = tf.Identity(x, ^s)
      y = tf.)") + op +
                  R"((a, late) {f: @"read_first", Tin: [DT_RESOURCE, DT_FLOAT], Tout: [DT_FLOAT]}
      out = ret(y))")),
              "");
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5));
  }
}

TEST_F(StateOrder, UsersOfAResultComeAfterTheWholeCall) {
  Function("store", std::string(kArgA) + "v = arg f32[]\n" + R"(
    old = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    s = tf.AssignVariableOp(arg_a, v, ^old)
    one = const f32[] 1
    out = ret(one)
    out2 = ret 1(v)
    out3 = ret 2(old))");
  for (const char* used : {"c", "c:1", "c:2"}) {
    ASSERT_EQ(Convert(Model(std::string(R"(
      c = tf.StatefulPartitionedCall(a, x) {f: @"store", Tin: [DT_RESOURCE, DT_FLOAT],
        Tout: [DT_FLOAT, DT_FLOAT, DT_FLOAT]}
      s = tf.AssignAddVariableOp(a, )") +
                            used + R"() {dtype: DT_FLOAT}
      y = tf.ReadVariableOp(a, ^s) {dtype: DT_FLOAT}
      out = ret(y)
      out2 = ret 1(c:2))")),
              "");
    const float added = used[1] == '\0' ? 1 : used[2] == '1' ? 5 : 10;
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5 + added, 10)) << used;
  }
}

TEST_F(StateOrder, AResultThatWasReadIsNotReadAgain) {
  Function("both", std::string(kArgA) + R"(
    r = tf.ReadVariableOp(arg_a) {dtype: DT_FLOAT}
    one = const f32[] 1
    out = ret(r)
    out2 = ret 1(one))");
  // The assignment reads only the constant, but the call has already read the variable.
  ASSERT_EQ(Convert(Model(R"(
    c = tf.PartitionedCall(a) {f: @"both", Tin: [DT_RESOURCE], Tout: [DT_FLOAT, DT_FLOAT]}
    s = tf.AssignVariableOp(a, c:1)
    y = tf.Identity(c, ^s)
    out = ret(y))")),
            "");
  EXPECT_THAT(Run(), ElementsAre(10));
  EXPECT_EQ(State("a"), 1);
}

}  // namespace
}  // namespace linnet::converter

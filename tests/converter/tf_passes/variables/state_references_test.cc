// SPDX-License-Identifier: Apache-2.0
// Variables of TensorFlow 1, which are assigned and read by reference.
#include "fmt/format.h"
#include "tests/converter/tf_passes/variables/state_test.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StateReferences : public StateTest {};

constexpr char kReferences[] = R"(
    va = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[], shared_name: "a"}
    vb = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[], shared_name: "b"}
)";

TEST_F(StateReferences, ASwitchOfAReference) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    sv = tf.RefSwitch(va, p)
    n = tf.Neg(sv:1)
    m = tf.Merge(sv, n)
    y = tf.Identity(va, ^m)
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"p", 1}}), ElementsAre(10, -10));
  EXPECT_THAT(Run({{"p", 0}}), ElementsAre(10, 10));
}

TEST_F(StateReferences, ReferencesAreAssignedAndRead) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    s1 = tf.Assign(va, x)
    s2 = tf.AssignAdd(s1, x)
    twice = tf.Mul(s2, const f32[] 2)
    s3 = tf.AssignSub(vb, x, ^s2)
    y = tf.Identity(va, ^s3)
    out = ret(y)
    out2 = ret 1(twice)
    out3 = ret 2(s3))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(10, 20, -8));
  EXPECT_THAT(Run({{"x", 1}}), ElementsAre(2, 4, -9));
}

TEST_F(StateReferences, AReferenceIsReadWhenItsReaderRuns) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    s1 = tf.Assign(va, x)
    y = tf.AddV2(va, x, ^s1)
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(10));
}

TEST_F(StateReferences, AReferenceIsAssignedInABranch) {
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    sv = tf.RefSwitch(va, p)
    sx = tf.Switch(x, p)
    set = tf.Assign(sv:1, sx:1)
    m = tf.Merge(sx, set)
    y = tf.Identity(va, ^m)
    out = ret(y)
    out2 = ret 1(m))")),
            "");
  EXPECT_THAT(Run({{"x", 5}, {"p", 0}}), ElementsAre(10, 5));
  EXPECT_THAT(Run({{"x", 6}, {"p", 1}}), ElementsAre(6, 6));
}

TEST_F(StateReferences, ACallRunsWholeInTheirOrderToo) {
  Function("first", R"(
    v = arg f32[]
    unused = arg f32[]
    out = ret(v))");
  ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
    s1 = tf.Assign(va, x)
    late = tf.Identity(x, ^s1)
    c = tf.PartitionedCall(x, late) {f: @"first", Tin: [DT_FLOAT, DT_FLOAT], Tout: [DT_FLOAT]}
    y = tf.Identity(va, ^c)
    out = ret(y))")),
            "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(5));
}

// Whichever way the reader gets the references, it runs after the last of them is there.
TEST_F(StateReferences, AReaderOfTwoReferencesSeesOneValue) {
  for (const char* operands : {"late, early", "early, late"}) {
    ASSERT_EQ(Convert(Model(std::string(kReferences) + R"(
      s1 = tf.Assign(va, x)
      late = tf.RefIdentity(va, ^s1)
      early = tf.RefIdentity(va)
      y = tf.AddV2()" + operands +
                            R"()
      out = ret(y))")),
              "");
    EXPECT_THAT(Run({{"x", 5}}), ElementsAre(10)) << operands;
  }
}

TEST_F(StateReferences, OneReaderOfManyReferences) {
  std::string nodes = kReferences, names;
  nodes += "set = tf.Assign(va, x)\n";
  for (int i = 0; i < 3'000; ++i) {
    nodes += fmt::format("r{} = tf.RefIdentity(va, ^set)\n", i);
    names += fmt::format("{}r{}", i == 0 ? "" : ", ", i);
  }
  nodes += "sum = tf.AddN(" + names + ")\nout = ret(sum)";
  ASSERT_EQ(Convert(Model(nodes)), "");
  EXPECT_THAT(Run({{"x", 5}}), ElementsAre(15'000));
}

TEST_F(StateReferences, OtherChangesOfReferencesAreRefused) {
  EXPECT_THAT(Convert(Model(R"(
    v = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[2]}
    s = tf.ScatterAdd(v, k, x) {Tindices: DT_INT32}
    out = ret(s))")),
              HasSubstr("ScatterAdd 's': changes the variable 'v' in a way that is not supported"));
}

}  // namespace
}  // namespace linnet::converter

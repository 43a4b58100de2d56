// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "converter/graph/text/text.h"
#include "converter/resources/variables.h"
#include "gmock/gmock.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

// "w" is [1, 2], "table" [[1, 2], [3, 4]]; "broken" cannot be read.
class TwoVariables : public Variables {
 public:
  absl::StatusOr<Constant> Read(const std::string& name) const override {
    if (name == "w") return Constant::Of<float>(Shape{2}, {1, 2});
    if (name == "box/table") return Constant::Of<float>(Shape{2, 2}, {1, 2, 3, 4});
    if (name == "broken")
      return absl::DataLossError("checkpoint tensor 'b': Checksum does not match");
    return absl::NotFoundError("the checkpoint has no value for it");
  }
};

const TwoVariables kTwoVariables;

PassContext WithVariables() {
  PassContext context;
  context.variables = &kTwoVariables;
  return context;
}

void ExpectFrozen(std::string_view before, std::string_view after) {
  ExpectRewritten(FreezeVariables, before, after, {.context = WithVariables()});
}

std::string Refusal(std::string_view text, const PassContext& context = WithVariables()) {
  const std::unique_ptr<Graph> graph = Parse(text);
  const absl::StatusOr<int> frozen = FreezeVariables(*graph, context);
  if (frozen.ok()) return "ok";
  return std::string(frozen.status().message().data(), frozen.status().message().size());
}

TEST(FreezeVariables, ResourcesThroughIdentities) {
  ExpectFrozen(R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "w"}
    i = tf.Identity(v)
    n = tf.IdentityN(x, i) {T: [DT_FLOAT, DT_RESOURCE]}
    r = tf.ReadVariableOp(n:1) {dtype: DT_FLOAT}
    s = tf.ReadVariableOp(v, ^r) {dtype: DT_FLOAT}
    y = tf.AddV2(r, s)
    z = tf.Mul(y, x)
    out = ret(z))",
               R"(
    x = arg f32[2]
    v = const f32[2] {1, 2}
    y = tf.AddV2(v, v)
    z = tf.Mul(y, x)
    out = ret(z))");
}

TEST(FreezeVariables, References) {
  ExpectFrozen(R"(
    x = arg f32[2]
    w = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[2]}
    r = tf.Identity(w)
    y = tf.AddV2(r, w)
    z = tf.Mul(y, x)
    out = ret(z))",
               R"(
    x = arg f32[2]
    w = const f32[2] {1, 2}
    r = tf.Identity(w)
    y = tf.AddV2(r, w)
    z = tf.Mul(y, x)
    out = ret(z))");
}

TEST(FreezeVariables, GathersAndShapeQueries) {
  ExpectFrozen(R"(
    i = arg i32[3]
    j = arg i32[3,2]
    t = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[?,2], shared_name: "table", container: "box"}
    g = tf.ResourceGather(t, i) {dtype: DT_FLOAT}
    n = tf.ResourceGatherNd(t, j) {dtype: DT_FLOAT}
    s = tf.VariableShape(t)
    k = tf.VarIsInitializedOp(t)
    a = ret(g)
    b = ret(n)
    c = ret(s)
    d = ret(k))",
               R"(
    i = arg i32[3]
    j = arg i32[3,2]
    t = const f32[2,2] {1, 2, 3, 4}
    g = tf.GatherV2(t, i, const i32[] 0)
    n = tf.GatherNd(t, j)
    s = tf.Shape(t) {out_type: DT_INT32}
    k = const bool[] 1
    a = ret(g)
    b = ret(n)
    c = ret(s)
    d = ret(k))");
}

TEST(FreezeVariables, KeepsNames) {
  const auto graph = Parse(R"(
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "w"}
    r = tf.ReadVariableOp(v) {dtype: DT_FLOAT}
    out = ret(r))");
  ASSERT_TRUE(FreezeVariables(*graph, WithVariables()).ok());
  ASSERT_NE(graph->FindNode("v"), nullptr);
  EXPECT_TRUE(graph->FindNode("v")->IsConstant());
}

// A handle that is passed to a function becomes the variable's value; legalize handles the reads
// inside.
TEST(FreezeVariables, GivesControlFlowTheValue) {
  ExpectFrozen(R"(
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "w"}
    p = arg bool[]
    y = tf.If(p, v) {then_branch: @"f", else_branch: @"f", Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))",
               R"(
    v = const f32[2] {1, 2}
    p = arg bool[]
    y = tf.If(p, v) {then_branch: @"f", else_branch: @"f", Tin: [DT_RESOURCE], Tout: [DT_FLOAT]}
    out = ret(y))");
}

TEST(FreezeVariables, AProblemForEach) {
  const std::string text = Refusal(R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "w"}
    a = tf.AssignVariableOp(v, x)
    b = tf.AssignAddVariableOp(v, x)
    gone = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2]}
    c = tf.ReadVariableOp(gone) {dtype: DT_FLOAT}
    broken = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2]}
    d = tf.ReadVariableOp(broken) {dtype: DT_FLOAT}
    u = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[3], shared_name: "w"}
    e = tf.ReadVariableOp(u) {dtype: DT_FLOAT}
    w = tf.VariableV2() {dtype: DT_FLOAT, shape: shape[2]}
    f = tf.Assign(w, x)
    out = ret(f))");
  for (const char* part :
       {"AssignVariableOp 'a': changes the variable 'v': state is not supported yet",
        "AssignAddVariableOp 'b': changes the variable 'v'",
        "VarHandleOp 'gone': the checkpoint has no value for it",
        "VarHandleOp 'broken': checkpoint tensor 'b': Checksum does not match",
        "VarHandleOp 'u': the checkpoint has another shape",
        "Assign 'f': changes the variable 'w'"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(FreezeVariables, ReadAsAnotherType) {
  EXPECT_THAT(Refusal(R"(
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "w"}
    r = tf.ReadVariableOp(v) {dtype: DT_INT32}
    out = ret(r))"),
              HasSubstr("ReadVariableOp 'r': reads its variable as int32, but it holds float"));
}

TEST(FreezeVariables, AnOutputIsAValue) {
  EXPECT_THAT(
      Refusal(R"(
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "w"}
    out = ret(v))"),
      HasSubstr("the output is the handle of variable 'v', not its value; name the node that "
                "reads it (ReadVariableOp) with --output"));
}

TEST(FreezeVariables, WithoutACheckpoint) {
  EXPECT_THAT(Refusal(R"(
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2]}
    r = tf.ReadVariableOp(v) {dtype: DT_FLOAT}
    out = ret(r))",
                      {}),
              HasSubstr("VarHandleOp 'v': the model has no checkpoint with a value for it; "
                        "convert the SavedModel's folder"));
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/session_state.h"
#include "converter/graph/text/text.h"
#include "converter/pass/passes.h"
#include "converter/resources/variables.h"
#include "gmock/gmock.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

class OneVariable : public Variables {
 public:
  absl::StatusOr<Constant> Read(const std::string& name) const override {
    if (name == "w") return Constant::Of<float>(Shape{2}, {1, 2});
    return absl::NotFoundError("the checkpoint has no value for it");
  }
};

const OneVariable kOneVariable;

constexpr char kHandle[] = R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "w"})";

// What `node` reads, as "op(op(..))" down to nodes without inputs.
std::string Expression(Output value) {
  std::string text = StateName(*value.node).empty() ? value.node->op_name() : "state";
  if (value.node->num_inputs() == 0)
    return value.node->node_class() == NodeClass::kArg && text != "state" ? value.node->name()
                                                                          : text;
  text += "(";
  for (int i = 0; i < value.node->num_inputs(); ++i)
    text += (i == 0 ? "" : ", ") + Expression(value.node->input(i));
  return text + ")";
}

struct Carried {
  std::string next;    // the state's next value
  std::string result;  // the graph's output
  std::string problem;
};

Carried Carry(const std::string& nodes, const std::string& handle = kHandle) {
  const std::unique_ptr<Graph> graph = Parse(handle + nodes);
  PassContext context;
  context.variables = &kOneVariable;
  const absl::StatusOr<int> changes = CarryState(*graph, context);
  Carried carried;
  if (!changes.ok()) {
    carried.problem =
        std::string(changes.status().message().data(), changes.status().message().size());
    return carried;
  }
  EXPECT_EQ(*CarryState(*graph, context), 0);
  for (const Node* node : graph->op_nodes())
    if (node->node_class() == NodeClass::kRetval)
      (IsState(*node) ? carried.next : carried.result) = Expression(node->input(0));
  return carried;
}

TEST(CarryState, ReadsSeeWhatWasAssignedBefore) {
  const Carried carried = Carry(R"(
    first = tf.ReadVariableOp(v) {dtype: DT_FLOAT}
    sum = tf.AddV2(first, x)
    a = tf.AssignVariableOp(v, sum)
    second = tf.ReadVariableOp(v, ^a) {dtype: DT_FLOAT}
    y = tf.Mul(first, second)
    out = ret(y))");
  EXPECT_EQ(carried.problem, "");
  EXPECT_EQ(carried.next, "AddV2(state, x)");
  EXPECT_EQ(carried.result, "Mul(state, AddV2(state, x))");
}

TEST(CarryState, AssignmentsFollowEachOther) {
  const Carried carried = Carry(R"(
    a = tf.AssignAddVariableOp(v, x) {dtype: DT_FLOAT}
    b = tf.AssignSubVariableOp(v, x, ^a) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(v, ^a) {dtype: DT_FLOAT}
    c = tf.AssignVariableOp(v, r, ^b)
    out = ret(x))");
  EXPECT_EQ(carried.problem, "");
  EXPECT_EQ(carried.next, "AddV2(state, x)");
}

TEST(CarryState, UnassignedVariablesAreUnchanged) {
  ExpectUnchanged(CarryState, std::string(kHandle) + R"(
    r = tf.ReadVariableOp(v) {dtype: DT_FLOAT}
    y = tf.AddV2(r, x)
    out = ret(y))");
}

TEST(CarryState, UnorderedAssignmentsGetAnOrder) {
  const Carried carried = Carry(R"(
    a = tf.AssignVariableOp(v, x)
    b = tf.AssignAddVariableOp(v, x) {dtype: DT_FLOAT}
    r = tf.ReadVariableOp(v) {dtype: DT_FLOAT}
    out = ret(r))");
  EXPECT_EQ(carried.problem, "");
  EXPECT_EQ(carried.next, "AddV2(x, x)");
  EXPECT_EQ(carried.result, "state");
}

TEST(CarryState, NeedsAnInitialValue) {
  EXPECT_THAT(Carry(R"(
    a = tf.AssignVariableOp(v, x)
    out = ret(x))",
                    R"(
    x = arg f32[2]
    v = tf.VarHandleOp() {dtype: DT_FLOAT, shape: shape[2], shared_name: "gone"})")
                  .problem,
              HasSubstr("no value for it"));
}

}  // namespace
}  // namespace linnet::converter

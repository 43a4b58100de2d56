// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/context/emitted.h"

#include <gtest/gtest.h>

#include "converter/graph/text/text.h"
#include "converter/legalize/context/building_blocks.h"

namespace linnet::converter {
namespace {

TEST(Operands, TheFirstErrorIsThatOfAll) {
  const Emitted good = Output(), bad = absl::UnimplementedError("first"),
                worse = absl::InvalidArgumentError("second");
  EXPECT_EQ(Operands({good, bad, worse}).status(), bad.status());
  EXPECT_EQ(Operands({good, good}).status(), absl::OkStatus());
  EXPECT_EQ(Operands({good, good}).outputs().size(), 2u);
}

class EmitTest : public testing::Test {
 protected:
  void SetUp() override {
    auto graph = ParseGraph("x = arg f32[2,3] y = tf.Relu(x) out = ret(y)");
    ASSERT_TRUE(graph.ok()) << graph.status();
    graph_ = *std::move(graph);
    state_.constant_room = &room_;
  }

  int64_t room_ = 1 << 20;
  LegalizeState state_;
  std::unique_ptr<Graph> graph_;
};

// After an op that cannot be emitted the formula continues, but emits nothing more. The node stays,
// and the error is that of the op.
TEST_F(EmitTest, AnErrorPassesThroughAFormula) {
  Node& node = *graph_->FindNode("y");
  LegalizeContext context(*graph_, node, &state_);
  const Emitted sum = EmitReduce(context, ReduceKind::Sum, {7}, false, context.input(0), "sum");
  ASSERT_FALSE(sum.ok());
  const int ops = graph_->num_op_nodes();
  const Emitted root = EmitUnary(context, UnaryKind::Sqrt, sum, "root");
  const Emitted cast = EmitCast(context, DType::kInt32, root, "cast");
  const Emitted rows = EmitReshape(context, {6}, cast, "rows");
  const Emitted all = EmitJoined(context, {context.input(0), rows}, 0, "all");
  EXPECT_EQ(context.Replace(EmitSlice(context, {0}, {1}, all)), sum.status());
  EXPECT_EQ(graph_->num_op_nodes(), ops);
  EXPECT_EQ(graph_->FindNode("y"), &node);
}

// Wherever a limit on the size of the converted model is reached, the error names the node.
TEST_F(EmitTest, TheSizeLimitMayBeReachedAnywhereInAFormula) {
  Node& node = *graph_->FindNode("y");
  int num_failed = 0;
  for (int64_t room = 0; room < 4'000; room += 200) {
    room_ = room;
    LegalizeContext context(*graph_, node, &state_);
    Emitted y = context.input(0);
    for (const char* name : {"a", "b", "c", "d"}) {
      const Emitted power = EmitUnary(context, UnaryKind::Exp, y, name);
      y = EmitBinary(context, BinaryKind::Add, power, y, name);
    }
    if (y.ok()) continue;
    EXPECT_EQ(y.status().code(), absl::StatusCode::kResourceExhausted);
    ++num_failed;
  }
  EXPECT_GE(num_failed, 8);
  EXPECT_LT(num_failed, 20);
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/tensorflow/op_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "converter/graph/tensorflow/op_binding.h"

namespace linnet::converter {
namespace {

TEST(OpRegistry, KnowsTensorFlowsOps) {
  const OpRegistry& ops = *OpRegistry::Global();
  for (const char* name : {"Conv2D",
                           "_FusedConv2D",
                           "FusedDepthwiseConv2dNative",
                           "_FusedMatMul",
                           "Prelu",
                           "Const",
                           "Placeholder",
                           "_Arg",
                           "_Retval",
                           "While",
                           "StatelessIf",
                           "TensorListReserve",
                           "NonMaxSuppressionV5",
                           "VarHandleOp",
                           "RestoreV2",
                           "XlaDynamicSlice",
                           "_SwitchN",
                           "UniformQuantize",
                           "CudnnRNNV3",
                           "RaggedGather",
                           "_MklFusedConv2D",
                           "AudioMicrofrontend"})
    EXPECT_NE(ops.LookUp(name), nullptr) << name;
  EXPECT_EQ(ops.LookUp("NoSuchOp"), nullptr);
  EXPECT_EQ(ops.LookUp("Conv2D"), ops.LookUp("Conv2D"));
  EXPECT_TRUE(ops.LookUp("AddV2")->is_commutative());
  EXPECT_FALSE(ops.LookUp("Add")->is_commutative());
  EXPECT_TRUE(ops.LookUp("VarHandleOp")->is_stateful());
  EXPECT_EQ(ops.LookUp("BatchNormWithGlobalNormalization")->deprecation().version(), 9);
}

// TensorFlow 2.21 registers 1,908 ops, its internal and its test ops among them; two more are of
// tfjs' optimiser.
TEST(OpRegistry, HasAllOps) {
  const auto names = TensorFlowOpNames();
  EXPECT_EQ(names.size(), 1910u);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  for (const std::string_view name : names) {
    const tf::OpDef* op = OpRegistry::Global()->LookUp(name);
    ASSERT_NE(op, nullptr) << name;
    EXPECT_EQ(op->name(), name);
  }
}

TEST(OpRegistry, StartsFast) {
  const auto start = std::chrono::steady_clock::now();
  OpRegistry::Global()->LookUp("Conv2D");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
}

// tensorflow/core/graph/validate_test.cc: ValidateGraphDefAgainstOpListTest.GraphWithOpOnlyInOpList
// tensorflow/core/graph/validate_test.cc:
// ValidateGraphDefAgainstOpListTest.GraphWithGlobalOpNotInOpList
TEST(OpTable, LaysOverItsBase) {
  OpTable table(OpRegistry::Global());
  ASSERT_TRUE(table.AddText(R"(op { name: "Mine" } op { name: "Conv2D" summary: "mine" })").ok());
  EXPECT_EQ(table.LookUp("Conv2D")->summary(), "mine");
  EXPECT_NE(table.LookUp("Mine"), nullptr);
  EXPECT_NE(table.LookUp("Add"), nullptr);
  EXPECT_EQ(table.AddText("nonsense").code(), absl::StatusCode::kInvalidArgument);
  OpTable alone;
  EXPECT_EQ(alone.LookUp("Add"), nullptr);
}

}  // namespace
}  // namespace linnet::converter

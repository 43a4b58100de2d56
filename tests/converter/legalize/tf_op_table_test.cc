// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/tf_op_table.h"

#include <gtest/gtest.h>

#include "converter/graph/tensorflow/op_registry.h"

namespace linnet::converter {
namespace {

TEST(TfOpTable, EveryRowIsAnOpThatTensorFlowOrTfjsHas) {
  for (const TfOp& op : TfOpTable()) {
    EXPECT_NE(OpRegistry::Global()->LookUp(op.name), nullptr) << op.name;
    EXPECT_FALSE(op.becomes.empty()) << op.name;
  }
}

TEST(TfOpTable, IsSortedWithoutRepeats) {
  const auto table = TfOpTable();
  for (size_t i = 1; i < table.size(); ++i) EXPECT_LT(table[i - 1].name, table[i].name);
  EXPECT_EQ(FindTfOp("Conv2D")->name, "Conv2D");
  EXPECT_EQ(FindTfOp("Conv2DD"), nullptr);
}

TEST(TfOpTable, NothingIsBothSupportedAndRejectedByName) {
  for (const RejectedTfOp& op : RejectedTfOps()) EXPECT_EQ(FindTfOp(op.name), nullptr) << op.name;
}

TEST(TfOpTable, RejectionsHaveReasons) {
  EXPECT_NE(RejectionReason("QueueDequeueV2").find("input pipeline"), std::string_view::npos);
  EXPECT_NE(RejectionReason("TensorArrayGradV3").find("lists"), std::string_view::npos);
  EXPECT_NE(RejectionReason("ReluGrad").find("training"), std::string_view::npos);
  EXPECT_NE(RejectionReason("Cholesky").find("matrix"), std::string_view::npos);
  EXPECT_EQ(RejectionReason("Frobnicate"), "this op is not supported");
}

TEST(TfOpTable, ComplexFormsAreOpsThatExist) {
  for (const TfOp& op : ComplexForms()) EXPECT_NE(FindTfOp(op.name), nullptr) << op.name;
  EXPECT_NE(FindComplexTfOp("RFFT"), nullptr);
  EXPECT_EQ(FindComplexTfOp("Conv2D"), nullptr);
}

}  // namespace
}  // namespace linnet::converter

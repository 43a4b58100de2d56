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

TEST(TfOpTable, ComplexFormsAreOpsThatExist) {
  for (const TfOp& op : ComplexForms()) {
    ASSERT_NE(FindTfOp(op.name), nullptr) << op.name;
    EXPECT_FALSE(FindTfOp(op.name)->takes_complex()) << op.name << " has two rows for them";
  }
  EXPECT_NE(FindComplexTfOp("RFFT"), nullptr);
  EXPECT_EQ(FindComplexTfOp("Roll"), FindTfOp("Roll"));
  EXPECT_NE(FindComplexTfOp("Mul"), FindTfOp("Mul"));
  EXPECT_EQ(FindComplexTfOp("Conv2D"), nullptr);
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/import/custom_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/graph/tensorflow/function_library.h"
#include "tests/converter/import/small_saved_model.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;

constexpr char kPlaceholder[] = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } } })";

const Node& NodeOf(const ImportedModel& model, const char* name) {
  const Node* node = model.graph->FindNode(name);
  EXPECT_NE(node, nullptr) << name;
  return *node;
}

TEST(CustomOps, ModelsOfTensorFlowsOpsHaveNone) {
  const auto model = ImportPbtxt(kPlaceholder);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->custom_ops, nullptr);
}

TEST(CustomOps, TakeTheTypesOfTheirNeighbours) {
  const auto model = ImportPbtxt(std::string(kPlaceholder) + R"(
node { name: "own" op: "My>Op" input: "x" input: "x" input: "^x" attr { key: "k" value { i: 3 } } }
node { name: "b" op: "Neg" input: "own:2" attr { key: "T" value { type: DT_INT64 } } }
node { name: "c" op: "AddV2" input: "own" input: "own" attr { key: "T" value { type: DT_HALF } } }
node { name: "next" op: "My>Op" input: "own:1" })");
  ASSERT_TRUE(model.ok()) << model.status();
  const Node& own = NodeOf(*model, "own");
  EXPECT_THAT(own.tf_input_types(), ElementsAre(tf::DT_INT32, tf::DT_INT32));
  EXPECT_THAT(own.tf_output_types(), ElementsAre(tf::DT_HALF, tf::DT_FLOAT, tf::DT_INT64));
  EXPECT_EQ(own.FindAttr("k")->i(), 3);
  const Node& next = NodeOf(*model, "next");
  EXPECT_THAT(next.tf_input_types(), ElementsAre(tf::DT_FLOAT));
  EXPECT_THAT(next.tf_output_types(), ElementsAre(tf::DT_FLOAT));  // so that it can be fetched
}

constexpr char kFunction[] = R"(
library { function {
  signature { name: "f" input_arg { name: "a" type: DT_INT32 } output_arg { name: "r" type: DT_FLOAT }
    output_arg { name: "s" type: DT_FLOAT } }
  node_def { name: "own" op: "My>Op" input: "a" attr { key: "N" value { i: 2 } } }
  node_def { name: "n" op: "Neg" input: "own:rows:1" attr { key: "T" value { type: DT_INT64 } } }
  node_def { name: "top" op: "TopKV2" input: "own:best:0" input: "a" attr { key: "T" value { type: DT_FLOAT } } }
  node_def { name: "last" op: "My>Op" input: "top:indices:0" }
  ret { key: "r" value: "top:values:0" }
  ret { key: "s" value: "last:best:0" }
} })";

TEST(CustomOps, HaveNamedOutputsInFunctions) {
  const auto model = ImportPbtxt(kFunction);
  ASSERT_TRUE(model.ok()) << model.status();
  const FunctionLibrary& library = model->graph->functions();
  const tf::OpDef* op = library.LookUp("My>Op");
  ASSERT_NE(op, nullptr);
  ASSERT_EQ(op->output_arg_size(), 2);
  EXPECT_EQ(op->output_arg(0).name(), "best");
  EXPECT_EQ(op->output_arg(1).name(), "rows");
  const tf::NodeDef& own = library.Find("f")->node_def(0);
  EXPECT_THAT(own.attr().at("linnet_inputs").list().type(), ElementsAre(tf::DT_INT32));
  EXPECT_THAT(own.attr().at("linnet_outputs_best").list().type(), ElementsAre(tf::DT_FLOAT));
  EXPECT_THAT(own.attr().at("linnet_outputs_rows").list().type(),
              ElementsAre(tf::DT_FLOAT, tf::DT_INT64));
  const tf::NodeDef& last = library.Find("f")->node_def(3);
  EXPECT_THAT(last.attr().at("linnet_inputs").list().type(), ElementsAre(tf::DT_INT32));
}

TEST(CustomOps, AreDefinedByTheModelsOwnList) {
  std::string text = kSmallSavedModel;
  text.replace(text.find("tags: \"serve\""), 0, R"(stripped_op_list {
    op { name: "Mul" summary: "TensorFlow's own stays" }
    op { name: "My>Op" input_arg { name: "in" type_attr: "T" } output_arg { name: "out" type: DT_BOOL }
         attr { name: "T" type: "type" } } } )");
  text.replace(text.find("node { name: \"file\""), 0, R"(
    node { name: "own" op: "My>Op" input: "x" attr { key: "T" value { type: DT_FLOAT } } } )");
  const auto model = ImportSmallSavedModel(Files(Checkpoint()), {}, text);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_THAT(NodeOf(*model, "own").tf_output_types(), ElementsAre(tf::DT_BOOL));
  EXPECT_EQ(model->graph->functions().LookUp("Mul")->summary(), "");
}

// Numbers in untrusted files must not make definitions large.
TEST(CustomOps, HaveFewOutputs) {
  const auto model = ImportPbtxt(std::string(kPlaceholder) + R"(
node { name: "own" op: "My>Op" input: "x" }
node { name: "b" op: "Neg" input: "own:2000000000" attr { key: "T" value { type: DT_INT64 } } })");
  EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument) << model.status();
}

}  // namespace
}  // namespace linnet::converter

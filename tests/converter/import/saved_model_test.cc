// SPDX-License-Identifier: Apache-2.0
#include "converter/import/saved_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/tensorflow/saved_model.pb.h"
#include "tests/converter/graph/test_ops.h"
#include "tests/converter/import/small_saved_model.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SavedModel, SignaturesAndTags) {
  const auto model = ImportSmallSavedModel(Files(Checkpoint()));
  ASSERT_TRUE(model.ok()) << Message(model.status());
  EXPECT_EQ(model->format, "saved_model");
  EXPECT_THAT(model->tag_sets, ElementsAre(ElementsAre("serve"), ElementsAre("gpu", "train")));
  ASSERT_EQ(model->signatures.size(), 1u);
  EXPECT_EQ(model->signatures[0].inputs[0].key, "input");
  EXPECT_EQ(model->signatures[0].outputs[0].tensor, "y");
}

TEST(SavedModel, BinaryAndTextAreTheSame) {
  const auto text = ReadSavedModelText(kSmallSavedModel);
  ASSERT_TRUE(text.ok()) << Message(text.status());
  tf::SavedModel proto;
  proto.set_saved_model_schema_version(1);
  for (const RawMetaGraph& graph : *text) {
    tf::MetaGraphDef& meta = *proto.add_meta_graphs();
    meta = graph.meta;
    *meta.mutable_graph_def() = graph.graph_message;
  }
  const std::string bytes = proto.SerializeAsString();
  auto graphs = ReadSavedModel({std::as_bytes(std::span(bytes)), nullptr});
  ASSERT_TRUE(graphs.ok()) << Message(graphs.status());
  ASSERT_EQ(graphs->size(), 2u);
  EXPECT_FALSE((*graphs)[0].meta.has_graph_def());
  const auto model = ImportSavedModel(*std::move(graphs), Files(Checkpoint()), {});
  ASSERT_TRUE(model.ok()) << Message(model.status());
  EXPECT_EQ(model->graph->num_op_nodes(), 10);
  EXPECT_FALSE(
      ReadSavedModel({std::as_bytes(std::span(bytes)).first(bytes.size() / 2), nullptr}).ok());
}

TEST(SavedModel, Tags) {
  ImportOptions options;
  options.tags = {"gpu", "train"};
  EXPECT_EQ(ImportSmallSavedModel(Files({}), options)->graph->num_op_nodes(), 1);
  options.tags = {"train"};
  EXPECT_THAT(
      Message(ImportSmallSavedModel(Files({}), options).status()),
      HasSubstr("Could not find meta graph def matching supplied tags: { train }; the model "
                "has { serve }, { gpu train }"));
  options.any_tags = true;
  EXPECT_EQ(ImportSmallSavedModel(Files(Checkpoint()), options)->graph->num_op_nodes(), 10);
}

TEST(SavedModel, SparseSignatures) {
  std::string text = kSmallSavedModel;
  text.replace(text.find("name: \"x:0\""), 11, "coo_sparse { values_tensor_name: \"x:0\" }");
  EXPECT_THAT(Message(ImportSmallSavedModel(Files(Checkpoint()), {}, text).status()),
              HasSubstr("signature 'serving_default': 'input' is a sparse or composite tensor"));
}

TEST(SavedModel, WithoutSignatures) {
  constexpr std::string_view kText = R"(
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" }
  graph_def {
    node { name: "saver_filename" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
    node { name: "out" op: "Identity" input: "saver_filename" attr { key: "T" value { type: DT_STRING } } }
  }
  saver_def { filename_tensor_name: "saver_filename:0" }
})";
  EXPECT_THAT(Message(ImportSmallSavedModel(Files({}), {}, kText).status()),
              HasSubstr("the SavedModel has no signatures"));
  // One of TensorFlow 1 computes something without any.
  std::string text(kText);
  text.insert(text.find("    node"), R"(
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } })");
  EXPECT_TRUE(ImportSmallSavedModel(Files({}), {}, text).ok());
}

}  // namespace
}  // namespace linnet::converter

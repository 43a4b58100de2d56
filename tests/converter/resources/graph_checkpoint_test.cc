// SPDX-License-Identifier: Apache-2.0
// Graphs that come without their variables: a .pb with --checkpoint, a .meta file.
#include <gmock/gmock.h>

#include "converter/functions/variable_ops.h"
#include "converter/graph/graph_def.h"
#include "converter/resources/resources.h"
#include "tests/converter/graph/test_ops.h"
#include "tests/converter/import/small_saved_model.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

class GraphCheckpointTest : public testing::Test {
 protected:
  GraphCheckpointTest() {
    meta_ = std::move(ReadSavedModelText(kSmallSavedModel)->at(0).meta);
    *meta_.mutable_graph_def() = ReadSavedModelText(kSmallSavedModel)->at(0).graph_message;
    graph_ = WriteAll(folder_ / "graph.pb", meta_.graph_def().SerializeAsString());
  }
  // A checkpoint in which variable w is {value, 4}.
  void Save(const std::string& name, float value) {
    BundleBuilder builder;
    for (const char* key : {"w", "layer/kernel"})
      builder.Put(key, builder.Entry<float>(tf::DT_FLOAT, {2}, {value, 4}));
    WriteAll(folder_ / (name + ".index"), Table(builder.entries));
    WriteAll(folder_ / (name + ".data-00000-of-00001"), builder.data);
  }
  // The first element of w, or what is wrong.
  std::string FirstOfW(const std::string& model, const std::string& checkpoint) {
    ImportOptions options;
    options.checkpoint = checkpoint;
    absl::StatusOr<ImportedModel> imported = ImportModel(model, options);
    if (!imported.ok()) return Message(imported.status());
    const absl::StatusOr<Resources> resources = LoadResources(&*imported);
    if (!resources.ok()) return Message(resources.status());
    const auto value = ReadVariable(resources->variables.get(), *imported->graph->FindNode("w"));
    return value.ok() ? fmt::format("{}", value->as<float>()[0]) : Message(value.status());
  }
  std::string FirstOfW(const std::string& checkpoint) { return FirstOfW(graph_, checkpoint); }

  ScratchFolder folder_;
  tf::MetaGraphDef meta_;
  std::string graph_;
};

TEST_F(GraphCheckpointTest, ByPrefixByFileAndByFolder) {
  EXPECT_THAT(FirstOfW(""), HasSubstr("the model has no checkpoint"));
  Save("model.ckpt-1", 1);
  for (const char* name :
       {"model.ckpt-1", "model.ckpt-1.index", "model.ckpt-1.data-00000-of-00001", ""})
    EXPECT_EQ(FirstOfW(folder_ / name), "1") << name;
}

TEST_F(GraphCheckpointTest, TheLatestOfSeveral) {
  Save("model.ckpt-1", 1);
  Save("model.ckpt-20", 20);
  EXPECT_THAT(FirstOfW(folder_ / ""),
              HasSubstr("several checkpoints: choose one of model.ckpt-1, model.ckpt-20"));
  WriteAll(
      folder_ / "checkpoint",
      "model_checkpoint_path: \"/elsewhere/model.ckpt-20\"\nall_model_checkpoint_paths: \"m\"");
  EXPECT_EQ(FirstOfW(folder_ / ""), "20");
}

TEST_F(GraphCheckpointTest, WhatIsNoCheckpoint) {
  EXPECT_THAT(FirstOfW(folder_ / ""), HasSubstr("has no checkpoint"));
  EXPECT_THAT(FirstOfW(folder_ / "nothing"), HasSubstr("there is no checkpoint"));
  EXPECT_THAT(FirstOfW(WriteAll(folder_ / "old.ckpt", "table")), HasSubstr("of version 1"));
  Save("broken", 1);
  WriteAll(folder_ / "broken.index", "no table");
  EXPECT_THAT(FirstOfW(folder_ / "broken"), HasSubstr("broken.index"));
}

TEST_F(GraphCheckpointTest, MetaFilesFindTheirCheckpoint) {
  meta_.mutable_meta_info_def()->set_tensorflow_version("1.15.5");
  const std::string meta = WriteAll(folder_ / "model.ckpt-7.meta", meta_.SerializeAsString());
  EXPECT_THAT(FirstOfW(meta, ""), HasSubstr("the model has no checkpoint"));
  Save("model.ckpt-7", 7);
  Save("other", 8);
  EXPECT_EQ(FirstOfW(meta, ""), "7");
  EXPECT_EQ(FirstOfW(meta, folder_ / "other"), "8");
  const auto model = ImportModel(meta);
  ASSERT_TRUE(model.ok()) << Message(model.status());
  EXPECT_EQ(model->format, "meta_graph");
  EXPECT_EQ(model->signatures.at(0).key, "serving_default");
  WriteAll(folder_ / "half.meta", meta_.SerializeAsString().substr(0, 200));
  EXPECT_THAT(FirstOfW(folder_ / "half.meta", ""), HasSubstr("not a MetaGraphDef, or damaged"));
}

TEST_F(GraphCheckpointTest, OtherModelsHaveTheirVariables) {
  const std::string exported = folder_ / "exported";
  std::filesystem::create_directory(exported);
  WriteAll(exported + "/saved_model.pbtxt", kSmallSavedModel);
  Save("model", 1);
  EXPECT_THAT(FirstOfW(exported, folder_ / "model"), HasSubstr("has its variables already"));
}

}  // namespace
}  // namespace linnet::converter

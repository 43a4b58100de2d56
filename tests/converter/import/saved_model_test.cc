// SPDX-License-Identifier: Apache-2.0
#include "converter/import/saved_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/tensorflow/saved_model.pb.h"
#include "tests/converter/graph/test_ops.h"
#include "tests/converter/import/table_builder.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// x * w, where save/assign restores w from the checkpoint's "layer/kernel".
constexpr char kModel[] = R"(
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" }
  graph_def {
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "shape" value { shape { dim { size: 2 } } } } }
    node { name: "r" op: "ReadVariableOp" input: "w" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "y" op: "Mul" input: "x" input: "r" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
    node { name: "names" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value {
           tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: "layer/kernel" } } } }
    node { name: "slices" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value {
           tensor { dtype: DT_STRING tensor_shape { dim { size: 1 } } string_val: "" } } } }
    node { name: "restore" op: "RestoreV2" input: "file" input: "names" input: "slices"
           attr { key: "dtypes" value { list { type: DT_FLOAT } } } }
    node { name: "assign" op: "AssignVariableOp" input: "w" input: "restore"
           attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "all" op: "NoOp" input: "^assign" }
  }
  saver_def { filename_tensor_name: "file:0" restore_op_name: "all" version: V2 }
  signature_def { key: "serving_default" value {
    inputs { key: "input" value { name: "x:0" dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } }
    outputs { key: "output" value { name: "y:0" dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } } } }
  signature_def { key: "__saved_model_init_op" value {
    outputs { key: "__saved_model_init_op" value { name: "all" tensor_shape { unknown_rank: true } } } } }
}
meta_graphs { meta_info_def { tags: "train" tags: "gpu" } graph_def { node { name: "n" op: "NoOp" } } })";

BundleBuilder Checkpoint() {
  BundleBuilder builder;
  builder.Put("layer/kernel", builder.Entry<float>(tf::DT_FLOAT, {2}, {3, 4}));
  return builder;
}

// The files of a SavedModel with this checkpoint.
SavedModelFiles Files(const BundleBuilder& checkpoint) {
  return [index = Table(checkpoint.entries),
          data = checkpoint.data](const std::string& path) -> absl::StatusOr<OwnedBytes> {
    const bool is_index = path == "variables/variables.index";
    if (!is_index && path != "variables/variables.data-00000-of-00001")
      return absl::NotFoundError(path);
    auto kept = std::make_shared<std::string>(is_index ? index : data);
    return OwnedBytes{std::as_bytes(std::span(*kept)), kept};
  };
}

absl::StatusOr<ImportedModel> Import(const SavedModelFiles& files,
                                     const ImportOptions& options = {},
                                     std::string_view text = kModel) {
  absl::StatusOr<std::vector<RawMetaGraph>> graphs = ReadSavedModelText(text);
  if (!graphs.ok()) return graphs.status();
  return ImportSavedModel(*std::move(graphs), files, options);
}

TEST(SavedModel, SignaturesTagsAndVariables) {
  const auto model = Import(Files(Checkpoint()));
  ASSERT_TRUE(model.ok()) << Message(model.status());
  EXPECT_EQ(model->format, "saved_model");
  EXPECT_THAT(model->tag_sets, ElementsAre(ElementsAre("serve"), ElementsAre("gpu", "train")));
  ASSERT_EQ(model->signatures.size(), 1u);
  EXPECT_EQ(model->signatures[0].inputs[0].key, "input");
  EXPECT_EQ(model->signatures[0].outputs[0].tensor, "y");
  ASSERT_NE(model->variables, nullptr);
  const auto w = model->variables->Read("w");
  ASSERT_TRUE(w.ok()) << Message(w.status());
  EXPECT_THAT(w->Plain().as<float>(), ElementsAre(3, 4));
  EXPECT_EQ(model->variables->Read("v").status().code(), absl::StatusCode::kNotFound);
}

TEST(SavedModel, BinaryAndTextAreTheSame) {
  const auto text = ReadSavedModelText(kModel);
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
  EXPECT_EQ(Import(Files({}), options)->graph->num_op_nodes(), 1);
  options.tags = {"train"};
  EXPECT_THAT(
      Message(Import(Files({}), options).status()),
      HasSubstr("Could not find meta graph def matching supplied tags: { train }; the model "
                "has { serve }, { gpu train }"));
  options.any_tags = true;
  EXPECT_EQ(Import(Files(Checkpoint()), options)->graph->num_op_nodes(), 10);
}

TEST(SavedModel, WithoutVariables) {
  const auto model = Import([](const std::string& path) -> absl::StatusOr<OwnedBytes> {
    return absl::NotFoundError(path);
  });
  ASSERT_TRUE(model.ok()) << Message(model.status());
  EXPECT_EQ(model->variables, nullptr);
}

// TensorFlow 2 restores inside a function, by the same ops.
TEST(SavedModel, FullNamesAndOwnNames) {
  BundleBuilder builder;
  builder.Put("w", builder.Entry<float>(tf::DT_FLOAT, {2}, {5, 6}));
  std::string text = kModel;
  text.replace(text.find("restore_op_name: \"all\""), 22, "");
  const auto model = Import(Files(builder), {}, text);
  ASSERT_TRUE(model.ok()) << Message(model.status());
  EXPECT_THAT(model->variables->Read("w")->Plain().as<float>(), ElementsAre(5, 6));
}

TEST(SavedModel, DamagedIndex) {
  const auto files = [](const std::string&) -> absl::StatusOr<OwnedBytes> {
    static const std::string kBytes = "no table";
    return OwnedBytes{std::as_bytes(std::span(kBytes)), nullptr};
  };
  EXPECT_THAT(Message(Import(files).status()), HasSubstr("variables/variables.index: not a table"));
}

TEST(SavedModel, SparseSignatures) {
  std::string text = kModel;
  text.replace(text.find("name: \"x:0\""), 11, "coo_sparse { values_tensor_name: \"x:0\" }");
  EXPECT_THAT(Message(Import(Files(Checkpoint()), {}, text).status()),
              HasSubstr("signature 'serving_default': 'input' is a sparse or composite tensor"));
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/resources/restored_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/resources/resources.h"
#include "tests/converter/graph/test_ops.h"
#include "tests/converter/import/small_saved_model.h"

namespace linnet::converter {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<Resources> Load(const FileLoader& files, std::string_view text = kSmallSavedModel) {
  absl::StatusOr<ImportedModel> model = ImportSmallSavedModel(files, {}, text);
  if (!model.ok()) return model.status();
  return LoadResources(&*model);
}

// Variables are restored by the restore op that saver_def names.
TEST(RestoredVariables, AsTheRestoreOpAssigns) {
  const auto resources = Load(Files(Checkpoint()));
  ASSERT_TRUE(resources.ok()) << Message(resources.status());
  ASSERT_NE(resources->variables, nullptr);
  const auto w = resources->variables->Read("w");
  ASSERT_TRUE(w.ok()) << Message(w.status());
  EXPECT_THAT(w->Plain().as<float>(), ElementsAre(3, 4));
  EXPECT_EQ(resources->variables->Read("v").status().code(), absl::StatusCode::kNotFound);
}

TEST(RestoredVariables, ModelWithoutVariables) {
  const auto resources = Load([](const std::string& path) -> absl::StatusOr<OwnedBytes> {
    return absl::NotFoundError(path);
  });
  ASSERT_TRUE(resources.ok()) << Message(resources.status());
  EXPECT_EQ(resources->variables, nullptr);
}

// TensorFlow 2 restores in a function, with the same ops.
TEST(RestoredVariables, FullNamesAndOwnNames) {
  BundleBuilder builder;
  builder.Put("w", builder.Entry<float>(tf::DT_FLOAT, {2}, {5, 6}));
  std::string text = kSmallSavedModel;
  text.replace(text.find("restore_op_name: \"all\""), 22, "");
  const auto resources = Load(Files(builder), text);
  ASSERT_TRUE(resources.ok()) << Message(resources.status());
  EXPECT_THAT(resources->variables->Read("w")->Plain().as<float>(), ElementsAre(5, 6));
}

TEST(RestoredVariables, DamagedIndex) {
  const auto files = [](const std::string&) -> absl::StatusOr<OwnedBytes> {
    static const std::string kBytes = "no table";
    return OwnedBytes{std::as_bytes(std::span(kBytes)), nullptr};
  };
  EXPECT_THAT(Message(Load(files).status()), HasSubstr("variables/variables.index: not a table"));
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/set_flag.h"

#include <gmock/gmock.h>

#include "converter/convert.h"
#include "runtime/tools/npy.h"
#include "tests/converter/cli/small_model.h"
#include "tests/scratch_folder.h"

namespace linnet::cli {
namespace {

using converter::FixedTensor;
using testing::HasSubstr;

template <typename T>
std::string WriteArray(const std::string& path, linnet_dtype dtype, const std::vector<T>& values) {
  linnet_tensor_info info{};
  info.dtype = dtype;
  info.rank = 1;
  info.dims[0] = static_cast<int64_t>(values.size());
  info.bytes = static_cast<int64_t>(values.size() * sizeof(T));
  EXPECT_EQ(tools::WriteNpy(path, info, values.data()), "");
  return path;
}

TEST(SetFlag, TextAndFiles) {
  const ScratchFolder folder;
  std::vector<FixedTensor> fixed;
  EXPECT_EQ(ParseSetFlag("a/b:1=0.25", &fixed), "");
  EXPECT_EQ(
      ParseSetFlag("size=" + WriteArray<int64_t>(folder / "i.npy", LINNET_INT64, {3, 5}), &fixed),
      "");
  EXPECT_EQ(
      ParseSetFlag("rate=" + WriteArray<double>(folder / "d.npy", LINNET_FLOAT64, {0.5}), &fixed),
      "");
  ASSERT_EQ(fixed.size(), 3u);
  EXPECT_EQ(fixed[0].tensor, "a/b:1");
  EXPECT_EQ(fixed[0].text, "0.25");
  EXPECT_FALSE(fixed[0].array);
  EXPECT_EQ(fixed[1].array->ToInt64(), (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(fixed[2].array->as<float>()[0], 0.5F);  // float64 becomes what Linnet computes in
}

TEST(SetFlag, SaysWhatIsWrong) {
  std::vector<FixedTensor> fixed;
  for (const char* text : {"a", "a=", "=1"})
    EXPECT_THAT(ParseSetFlag(text, &fixed), HasSubstr("write NAME=VALUE")) << text;
  EXPECT_THAT(ParseSetFlag("a=nowhere.npy", &fixed), HasSubstr("nowhere.npy"));
  EXPECT_TRUE(fixed.empty());
}

class SetValueTest : public testing::Test {
 protected:
  SetValueTest() {
    const std::string exported = folder_ / "exported";
    std::filesystem::create_directory(exported);
    WriteAll(exported + "/saved_model.pbtxt", converter::SmallSavedModel());
    options_.model = exported;
  }
  std::string Message() {
    report_ = {};
    const absl::Status status = converter::Convert(options_, &report_);
    return {status.message().data(), status.message().size()};
  }

  ScratchFolder folder_;
  converter::ConvertOptions options_;
  converter::ConversionReport report_;
};

TEST_F(SetValueTest, WhatIsSetIsNoInput) {
  options_.fixed = {{"k", "1,1"}};
  ASSERT_EQ(Message(), "");
  ASSERT_EQ(report_.inputs.size(), 1u);
  EXPECT_EQ(report_.inputs[0].name, "image");
  EXPECT_FALSE(report_.ops_after.contains("Mul")) << "x * 1 was not folded";
}

TEST_F(SetValueTest, TensorsInFunctions) {
  options_.fixed = {{"call/product", "2"}};
  ASSERT_EQ(Message(), "");
  ASSERT_EQ(report_.inputs.size(), 1u) << "k is not needed any more";
  EXPECT_EQ(report_.inputs[0].name, "image");
}

TEST_F(SetValueTest, Contradictions) {
  options_.fixed = {{"k", "1,1"}, {"y", "1"}, {"nothing", "1"}};
  options_.inputs = {{"k", std::nullopt}};
  const std::string message = Message();
  for (const char* part : {"--set k: it is also an input", "--set y: it is also an output",
                           "--set nothing: there is no such tensor"})
    EXPECT_THAT(message, HasSubstr(part));
  options_.inputs.clear();
  options_.signatures = {"serving_default", "negate"};
  EXPECT_THAT(Message(), HasSubstr("--set and --place-node say nothing"));
}

// A branch that only training takes is gone, with the input that chose it.
TEST_F(SetValueTest, BranchesOfTraining) {
  options_.model = WriteAll(folder_ / "training.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "training" op: "Placeholder" attr { key: "dtype" value { type: DT_BOOL } }
  attr { key: "shape" value { shape { } } } }
node { name: "switch" op: "Switch" input: "x" input: "training" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "inverse" op: "Reciprocal" input: "switch:1" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "negated" op: "Neg" input: "switch" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "merge" op: "Merge" input: "negated" input: "inverse"
  attr { key: "N" value { i: 2 } } attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Exp" input: "merge" attr { key: "T" value { type: DT_FLOAT } } })");
  options_.outputs = {"y"};
  options_.fixed = {{"training", "false"}};
  ASSERT_EQ(Message(), "");
  ASSERT_EQ(report_.inputs.size(), 1u);
  EXPECT_EQ(report_.inputs[0].name, "x");
  std::vector<std::string> sources;
  for (const auto& step : report_.steps) sources.push_back(step.source);
  EXPECT_THAT(sources, testing::ElementsAre("negated", "y"));
}

}  // namespace
}  // namespace linnet::cli

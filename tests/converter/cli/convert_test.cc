// SPDX-License-Identifier: Apache-2.0
#include "converter/convert.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "converter/cli/plan_file.h"
#include "tests/converter/cli/small_model.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

class ConvertTest : public testing::Test {
 protected:
  ConvertTest() {
    options_.model = WriteAll(folder_ / "model.pbtxt", SmallModel());
    options_.output = folder_ / "model.linnet";
  }
  std::string Message() {
    const absl::Status status = Convert(options_, &report_);
    return {status.message().data(), status.message().size()};
  }

  ScratchFolder folder_;
  ConvertOptions options_;
  ConversionReport report_;
};

// TensorFlow graph row 43: build
TEST_F(ConvertTest, TellsWhatItDid) {
  ASSERT_EQ(Message(), "");
  EXPECT_TRUE(report_.succeeded);
  EXPECT_EQ(report_.format, "pbtxt");
  ASSERT_EQ(report_.inputs.size(), 1u);
  EXPECT_EQ(report_.inputs[0].name, "x");
  EXPECT_EQ(report_.inputs[0].source, "x:0");
  EXPECT_EQ(report_.inputs[0].type, (TensorType{DType::kFloat32, {1, 4, 4, 1}}));
  ASSERT_EQ(report_.outputs.size(), 2u);
  EXPECT_EQ(report_.ops_before.at("BiasAdd"), 1);
  EXPECT_EQ(report_.ops_after.at("Conv2D"), 1);
  EXPECT_FALSE(report_.ops_after.contains("BiasAdd"));
  EXPECT_FALSE(report_.notes.empty());  // the batch size
  EXPECT_EQ(report_.stages.size(), 5u);
  EXPECT_EQ(report_.plan_bytes, static_cast<int64_t>(ReadAll(options_.output).size()));
  EXPECT_GE(report_.memory.arena_bytes, report_.memory.lower_bound);
  EXPECT_GT(report_.memory.lower_bound, 0);
  int64_t macs = 0;
  for (const auto& step : report_.steps) macs += step.macs;
  EXPECT_EQ(macs, 16 * 2 * 9);
}

TEST_F(ConvertTest, SameModelSameBytes) {
  ASSERT_EQ(Message(), "");
  const std::string first = ReadAll(options_.output);
  options_.output = folder_ / "again.linnet";
  ConversionReport report;
  ASSERT_TRUE(Convert(options_, &report).ok());
  EXPECT_EQ(ReadAll(options_.output), first);
}

// Found by fuzzing. Constants determine the extent of Range, and its 2^27 elements are too many to
// fold.
TEST_F(ConvertTest, ShapeRulesReadThePlansConstants) {
  const auto scalar = [](const char* name, int value) {
    return fmt::format(
        R"(node {{ name: "{}" op: "Const" attr {{ key: "dtype" value {{ type: DT_INT32 }} }}
             attr {{ key: "value" value {{ tensor {{ dtype: DT_INT32 tensor_shape {{}} int_val: {} }} }} }} }}
)",
        name, value);
  };
  WriteAll(options_.model, scalar("start", 0) + scalar("limit", 1 << 27) + scalar("delta", 1) + R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "shape" value { shape {} } } }
versions { producer: 1395 }
node { name: "range" op: "Range" input: "start" input: "limit" input: "delta"
  attr { key: "Tidx" value { type: DT_INT32 } } }
node { name: "y" op: "Minimum" input: "range" input: "x" attr { key: "T" value { type: DT_INT32 } } })");
  ASSERT_EQ(Message(), "");
  EXPECT_EQ(report_.ops_after.at("Range"), 1);
  const std::string bytes = ReadAll(options_.output);
  ConversionReport plan;
  const absl::Status described = cli::DescribePlanFile(std::as_bytes(std::span(bytes)), &plan);
  EXPECT_TRUE(described.ok()) << described;
}

// Found by fuzzing. The planner puts n where its first copy in the concatenation belongs; the
// second copy is then read from there.
TEST_F(ConvertTest, OneTensorMayBeSeveralPartsOfAConcatenation) {
  WriteAll(options_.model, R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "n" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Pack" input: "n" input: "n" input: "n" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "N" value { i: 3 } } attr { key: "axis" value { i: 0 } } })");
  ASSERT_EQ(Message(), "");
  const std::string bytes = ReadAll(options_.output);
  ConversionReport plan;
  const absl::Status described = cli::DescribePlanFile(std::as_bytes(std::span(bytes)), &plan);
  EXPECT_TRUE(described.ok()) << described;
}

TEST_F(ConvertTest, NamesChooseInputsAndOutputs) {
  options_.inputs = {{"biased", std::vector<int64_t>{3, 4, 4, 2}}};
  options_.outputs = {"negated:0", "relu"};
  ASSERT_EQ(Message(), "");
  ASSERT_EQ(report_.inputs.size(), 1u);  // x is no longer needed
  EXPECT_EQ(report_.inputs[0].name, "biased");
  ASSERT_EQ(report_.outputs.size(), 2u);
  EXPECT_EQ(report_.outputs[0].name, "negated:0");
  EXPECT_EQ(report_.outputs[0].source, "negated:0");
  EXPECT_EQ(report_.outputs[1].type, (TensorType{DType::kFloat32, {3, 4, 4, 2}}));
}

TEST_F(ConvertTest, NamesInFunctions) {
  const std::string folder = folder_ / "exported";
  std::filesystem::create_directory(folder);
  WriteAll(folder + "/saved_model.pbtxt", SmallSavedModel());
  options_.model = folder;
  options_.inputs = {{"call/sum", std::vector<int64_t>{3, 2}}};
  ASSERT_EQ(Message(), "");
  ASSERT_EQ(report_.inputs.size(), 1u);  // neither x nor k is needed
  EXPECT_EQ(report_.inputs[0].name, "call/sum");
  EXPECT_EQ(report_.outputs[0].type, (TensorType{DType::kFloat32, {3, 2}}));

  options_.inputs = {{"call/product", std::vector<int64_t>{3, 2}}};
  options_.outputs = {"call/sum"};
  report_ = {};
  ASSERT_EQ(Message(), "");
  ASSERT_EQ(report_.inputs.size(), 2u);
  EXPECT_EQ(report_.inputs[1].name, "image");

  options_.inputs[0].tensor = "product";
  report_ = {};
  EXPECT_EQ(Message(),
            "FeedInputs: unable to find feed output product; there is 'call/product'; the model's "
            "inputs are 'image', 'k'");
}

// x -> Relu "r" -> MyNms "nms" -> Neg "y" (float), Cast "z" (of int32)
constexpr char kOwnOp[] = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } } } } }
node { name: "r" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "nms" op: "MyNms" input: "r" attr { key: "most" value { i: 10 } } }
node { name: "y" op: "Neg" input: "nms" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "z" op: "Cast" input: "nms:1" attr { key: "SrcT" value { type: DT_INT32 } }
  attr { key: "DstT" value { type: DT_FLOAT } } })";

TEST_F(ConvertTest, OwnOpsAreRefusedWithWaysOutThatWork) {
  WriteAll(options_.model, kOwnOp);
  EXPECT_EQ(
      Message(),
      "MyNms 'nms': it is not one of TensorFlow's ops; compute it in the app; --output r ends "
      "the model before it");
  options_.outputs = {"r"};
  report_ = {};
  EXPECT_EQ(Message(), "");
  options_.outputs = {};
  options_.inputs = {{"nms", std::vector<int64_t>{2, 3}}, {"nms:1", std::vector<int64_t>{5}}};
  report_ = {};
  ASSERT_EQ(Message(), "");
  ASSERT_EQ(report_.inputs.size(), 2u);
  EXPECT_EQ(report_.inputs[0].type, (TensorType{DType::kFloat32, {2, 3}}));
  EXPECT_EQ(report_.inputs[1].type, (TensorType{DType::kInt32, {5}}));
}

TEST_F(ConvertTest, RefusalsTellTheGroupsWayOut) {
  WriteAll(options_.model, R"(
node { name: "names" op: "MatchingFiles" input: "pattern" }
node { name: "pattern" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
node { name: "next" op: "IteratorGetNext" input: "all" attr { key: "output_types" value { list { type: DT_FLOAT } } }
  attr { key: "output_shapes" value { list { shape { dim { size: 2 } } } } } }
node { name: "all" op: "OneShotIterator" attr { key: "output_types" value { list { type: DT_FLOAT } } }
  attr { key: "output_shapes" value { list { shape { dim { size: 2 } } } } }
  attr { key: "dataset_factory" value { func { name: "f" } } } }
node { name: "y" op: "Neg" input: "next" attr { key: "T" value { type: DT_FLOAT } } })");
  options_.outputs = {"y"};
  const std::string message = Message();
  EXPECT_NE(message.find("IteratorGetNext 'next': it belongs to an input pipeline; feed what it "
                         "would deliver; --input next=DIMxDIMx.. begins the model behind it"),
            std::string::npos)
      << message;
  options_.inputs = {{"next", std::vector<int64_t>{2}}};
  report_ = {};
  EXPECT_EQ(Message(), "");
}

TEST_F(ConvertTest, PlanDescribesItselfAsTheProgramDid) {
  ASSERT_EQ(Message(), "");
  ConversionReport plan;
  const std::string bytes = ReadAll(options_.output);
  ASSERT_TRUE(cli::DescribePlanFile(std::as_bytes(std::span(bytes)), &plan).ok());
  EXPECT_EQ(plan.memory.arena_bytes, report_.memory.arena_bytes);
  EXPECT_EQ(plan.memory.placements.size(), report_.memory.placements.size());
  EXPECT_EQ(plan.weights.bytes, report_.weights.bytes);
  ASSERT_EQ(plan.steps.size(), report_.steps.size());
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    EXPECT_EQ(plan.steps[i].op, report_.steps[i].op);
    EXPECT_EQ(plan.steps[i].attributes, report_.steps[i].attributes);
    EXPECT_EQ(plan.steps[i].backend, report_.steps[i].backend);
    EXPECT_EQ(plan.steps[i].reads, report_.steps[i].reads);
    EXPECT_EQ(plan.steps[i].source, report_.steps[i].source);
  }
}

TEST_F(ConvertTest, HalvesWeightsOnRequest) {
  ASSERT_EQ(Message(), "");
  const int64_t plain = report_.weights.bytes;
  options_.weights = WeightEncoding::kF16;
  report_ = {};
  ASSERT_EQ(Message(), "");
  EXPECT_EQ(report_.weights.by_encoding.at("float16"), 18 * 2);
  EXPECT_EQ(report_.weights.bytes, plain - 18 * 2);
}

TEST_F(ConvertTest, ListsEveryProblemAndWritesNothing) {
  WriteAll(options_.model, RefusedModel());
  EXPECT_NE(Message().find("2 problems:"), std::string::npos);
  EXPECT_FALSE(report_.succeeded);
  ASSERT_EQ(report_.problems.size(), 2u);
  EXPECT_EQ(report_.problems[0].node, "root");
  EXPECT_EQ(report_.problems[0].op, "MatrixSquareRoot");
  EXPECT_EQ(report_.problems[1].op, "MatrixExponential");
  EXPECT_EQ(folder_.NumFiles(), 1);
}

TEST_F(ConvertTest, OutputsThatWouldShareAFileAreRefused) {
  WriteAll(options_.model, ReadAll(options_.model) + R"(
node { name: "relu_0" op: "Neg" input: "relu" attr { key: "T" value { type: DT_FLOAT } } })");
  options_.outputs = {"relu", "relu:0", "relu_0"};
  const std::string message = Message();
  EXPECT_NE(message.find("relu_0.npy"), std::string::npos) << message;
  EXPECT_EQ(folder_.NumFiles(), 1);
}

TEST_F(ConvertTest, DumpsTheGraphAfterAPass) {
  options_.dump_after = "legalize";
  options_.dump_dir = folder_ / "dumps";
  ASSERT_EQ(Message(), "");
  const std::string text = ReadAll(folder_ / "dumps/000_legalize.txt");
  EXPECT_NE(text.find("Conv2D"), std::string::npos) << text;
}

TEST_F(ConvertTest, UnknownSignatureNamesTheKnownOnes) {
  options_.signatures = {"train"};
  EXPECT_EQ(Message(), "--signature train: the model has no signatures; leave the option out");
}

TEST_F(ConvertTest, AnUnwritablePlanIsReported) {
  options_.output = folder_ / "no/such/folder/x.linnet";
  EXPECT_NE(Message().find("cannot write"), std::string::npos);
}

}  // namespace
}  // namespace linnet::converter

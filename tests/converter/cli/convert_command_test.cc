// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <filesystem>
#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/verify/kept_inputs.h"
#include "runtime/verify/verify_plan.h"
#include "tests/converter/cli/linnet_fixture.h"
#include "tests/converter/cli/small_model.h"

namespace linnet::converter {
namespace {

using ConvertCommandTest = LinnetTest;

// The runtime says so of each input, from where the plan's steps write.
TEST_F(ConvertCommandTest, KeepsInputs) {
  const auto arena_bytes = [&](const char* option) {
    EXPECT_EQ(Run(fmt::format("convert {} -o {}{}", model_, plan_, option)), 0) << err_;
    const std::string text = ReadAll(plan_);
    const auto* file = reinterpret_cast<const std::byte*>(text.data());
    linnet::Region region;
    VerifiedPlan plan;
    EXPECT_TRUE(VerifyPlan({file, text.size()}, region, &plan, nullptr).ok());
    bool kept = false;
    EXPECT_TRUE(FindKeptInputs(plan.programs[0], region, {&kept, 1}).ok());
    EXPECT_EQ(kept, *option != '\0') << option;
    return plan.view.programs[0].arena().bytes;
  };
  EXPECT_LT(arena_bytes(""), arena_bytes(" --keep-inputs"));
}

// Ten iterations that double the input; of the counter nothing is read.
TEST_F(ConvertCommandTest, KeepsLoopsAsAsked) {
  const std::string model = WriteAll(folder_ / "loop.pbtxt", R"(
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shape" value { shape { dim { size: 4 } } } } }
    node { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } } } }
    node { name: "loop" op: "StatelessWhile" input: "zero" input: "x"
      attr { key: "T" value { list { type: DT_INT32 type: DT_FLOAT } } }
      attr { key: "cond" value { func { name: "cond" } } } attr { key: "body" value { func { name: "body" } } } }
    node { name: "y" op: "Neg" input: "loop:1" attr { key: "T" value { type: DT_FLOAT } } }
    versions { producer: 1395 }
    library {
      function { signature { name: "cond" input_arg { name: "i" type: DT_INT32 }
          input_arg { name: "v" type: DT_FLOAT } output_arg { name: "r" type: DT_BOOL } }
        node_def { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
          attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 10 } } } }
        node_def { name: "n" op: "Less" input: "i" input: "c:output:0" attr { key: "T" value { type: DT_INT32 } } }
        ret { key: "r" value: "n:z:0" } }
      function { signature { name: "body" input_arg { name: "i" type: DT_INT32 }
          input_arg { name: "v" type: DT_FLOAT } output_arg { name: "j" type: DT_INT32 }
          output_arg { name: "w" type: DT_FLOAT } }
        node_def { name: "c" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
          attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 1 } } } }
        node_def { name: "n" op: "AddV2" input: "i" input: "c:output:0" attr { key: "T" value { type: DT_INT32 } } }
        node_def { name: "m" op: "AddV2" input: "v" input: "v" attr { key: "T" value { type: DT_FLOAT } } }
        ret { key: "j" value: "n:z:0" } ret { key: "w" value: "m:z:0" } } })");
  const auto has_loop = [&](const char* options) {
    EXPECT_EQ(Run(fmt::format("convert {} -o {} {}", model, plan_, options)), 0) << err_;
    EXPECT_EQ(Run(fmt::format("inspect {}", plan_)), 0) << err_;
    return out_.find("body of step") != std::string::npos;
  };
  EXPECT_FALSE(has_loop(""));
  EXPECT_FALSE(has_loop("--unroll auto"));
  EXPECT_FALSE(has_loop("--unroll 10"));
  EXPECT_TRUE(has_loop("--unroll 9"));
  EXPECT_TRUE(has_loop("--unroll never"));
  EXPECT_TRUE(has_loop("--unroll never --place vulkan"));
  for (const char* wrong : {"--unroll sometimes", "--unroll -1", "--unroll 1.5"}) {
    EXPECT_EQ(Run(fmt::format("convert {} -o {} {}", model, plan_, wrong)), 1) << wrong;
    EXPECT_NE(err_.find("neither auto nor never nor a number"), std::string::npos) << err_;
  }
}

TEST_F(ConvertCommandTest, TagsAndSignatures) {
  const std::string folder = folder_ / "exported";
  std::filesystem::create_directory(folder);
  WriteAll(folder + "/saved_model.pbtxt", SmallSavedModel());
  ASSERT_EQ(Run(fmt::format("inspect {}", folder)), 0) << err_;
  for (const char* line :
       {"tags        serve\n", "tags        gpu train\n", "signature   negate\n",
        "signature   serving_default\n", "  input     image = x float[?,2]\n",
        "  input     k float[2]\n", "  output    scores = y float[?,2]\n  converts  yes\n",
        "1 call of a function is shown", "call/product = tf.Mul(Func/call/input/_0, "})
    EXPECT_NE(out_.find(line), std::string::npos) << line << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --tag gpu --tag train --format json", folder)), 0) << err_;
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["tag_sets"], nlohmann::json::parse(R"([["serve"], ["gpu", "train"]])"));
  EXPECT_EQ(json["signatures"][0]["key"], "learn");
  EXPECT_EQ(json["signatures"][0]["outputs"][0]["dtype"], "int32");
  EXPECT_EQ(json["signatures"][0]["outputs"][0]["shape"], nlohmann::json::array({3}));

  const auto convert = [&](const char* flags) {
    return Run(fmt::format("convert {} -o {} {}", folder, plan_, flags));
  };
  EXPECT_EQ(convert(""), 0) << err_;
  EXPECT_EQ(convert("--signature negate"), 0) << err_;
  EXPECT_NE(out_.find("negated"), std::string::npos) << out_;
  EXPECT_EQ(convert("--tag train --tag gpu"), 0) << err_;
  EXPECT_EQ(convert("--signature negate --signature serving_default"), 0) << err_;
  EXPECT_NE(out_.find("also has a program for signature 'serving_default'"), std::string::npos)
      << out_;
  EXPECT_EQ(convert("--signature negate --signature negate"), 2);
  EXPECT_NE(err_.find("--signature negate is given twice"), std::string::npos) << err_;
  EXPECT_EQ(convert("--signature negate --signature serving_default --output y"), 2);
  EXPECT_EQ(convert("--signature nope"), 2);
  EXPECT_NE(err_.find("--signature nope: the model has negate, serving_default"), std::string::npos)
      << err_;
  EXPECT_EQ(convert("--tag train"), 2);
  EXPECT_NE(err_.find("supplied tags: { train }; the model has { serve }, { gpu train }"),
            std::string::npos)
      << err_;
}

TEST_F(ConvertCommandTest, ListsAllProblemsThenOneSentence) {
  WriteAll(model_, RefusedModel());
  const std::string report = folder_ / "report";
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --report {}.json --report {}.html", model_, plan_,
                            report, report)),
            2);
  EXPECT_EQ(out_, "");
  EXPECT_NE(err_.find("MatrixSquareRoot 'root'"), std::string::npos) << err_;
  EXPECT_NE(err_.find("MatrixExponential 'power'"), std::string::npos) << err_;
  EXPECT_EQ(LastLine(), fmt::format("linnet: {}: 2 problems, no plan written", model_));
  const auto json = nlohmann::json::parse(ReadAll(report + ".json"));
  EXPECT_EQ(json["succeeded"], false);
  EXPECT_EQ(json["problems"].size(), 2u);
  EXPECT_NE(ReadAll(report + ".html").find("MatrixExponential"), std::string::npos);
  EXPECT_EQ(ReadAll(plan_), "");
}

// Producers up to version 21, and files without version, wrote a scalar shape for an unknown shape.
TEST_F(ConvertCommandTest, ScalarShapesOfOldProducersAreUnknown) {
  const std::string model = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { } } } }
node { name: "y" op: "Sqrt" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
)";
  const auto convert = [&](const char* versions, const char* flags) {
    WriteAll(model_, model + versions);
    return Run(fmt::format("convert {} -o {} {}", model_, plan_, flags));
  };
  for (const char* versions : {"", "versions { producer: 0 }", "versions { producer: 21 }"}) {
    EXPECT_EQ(convert(versions, "--input x=2"), 0) << versions << err_;
    EXPECT_EQ(convert(versions, "--input x=scalar"), 0) << versions << err_;
    EXPECT_EQ(convert(versions, ""), 2) << versions;
    EXPECT_NE(LastLine().find("--input x=DIMxDIMx.."), std::string::npos) << err_;
    EXPECT_NE(LastLine().find("scalar"), std::string::npos) << err_;
  }
  EXPECT_EQ(convert("versions { producer: 22 }", "--input x=2"), 2);
  EXPECT_EQ(convert("versions { producer: 22 }", ""), 0) << err_;
}

TEST_F(ConvertCommandTest, UnwritableOutputFails) {
  EXPECT_EQ(Run(fmt::format("convert {} -o {}", model_, folder_ / "no/folder/p.linnet")), 3)
      << err_;
}

TEST_F(ConvertCommandTest, PlansForARelease) {
  for (const char* release : {"0.1", "0.1.7"})
    EXPECT_EQ(Run(fmt::format("convert {} -o {} --for {}", model_, plan_, release)), 0) << err_;
  std::filesystem::remove(plan_);
  for (const char* release : {"9.0", "0", "0.1.", "0.1.x", "0.10"}) {
    EXPECT_EQ(Run(fmt::format("convert {} -o {} --for {}", model_, plan_, release)), 1) << release;
    EXPECT_NE(LastLine().find("--for"), std::string::npos) << err_;
    EXPECT_NE(LastLine().find("releases known here are 0.1"), std::string::npos) << err_;
  }
  EXPECT_FALSE(std::filesystem::exists(plan_));
}

}  // namespace
}  // namespace linnet::converter

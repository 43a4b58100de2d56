// SPDX-License-Identifier: Apache-2.0
// The program itself: its exit codes, and its messages on standard output and standard error.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>

#include "converter/plan/plan_structure.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "runtime/tools/npy.h"
#include "runtime/verify/kept_inputs.h"
#include "runtime/verify/verify_plan.h"
#include "tests/converter/cli/small_model.h"
#include "tests/program_fixture.h"

namespace linnet::converter {
namespace {

class LinnetTest : public ProgramFixture {
 protected:
  LinnetTest() : ProgramFixture(LINNET_PROGRAM) {
    model_ = WriteAll(folder_ / "model.pbtxt", SmallModel());
    plan_ = folder_ / "model.linnet";
  }

  std::string model_, plan_;
};

TEST_F(LinnetTest, ConvertsAndInspects) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --explain-placement", model_, plan_)), 0) << err_;
  EXPECT_EQ(err_, "");
  for (const char* part : {"lower bound", "passes", "Conv2D", "scores", "conv"})
    EXPECT_NE(out_.find(part), std::string::npos) << part << "\n" << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --verify-hash", plan_)), 0) << err_;
  EXPECT_NE(out_.find("hash is right"), std::string::npos) << out_;
  for (const char* file : {"model.pbtxt", "model.linnet"}) {
    ASSERT_EQ(Run(fmt::format("inspect {} --format json -o {}", folder_ / file, folder_ / "json")),
              0)
        << err_;
    EXPECT_TRUE(nlohmann::json::accept(ReadAll(folder_ / "json"))) << file;
    ASSERT_EQ(Run(fmt::format("inspect {} --format dot", folder_ / file)), 0) << err_;
    EXPECT_TRUE(out_.starts_with("digraph"));
    ASSERT_EQ(Run(fmt::format("inspect {} --format html", folder_ / file)), 0) << err_;
    EXPECT_NE(out_.find("</svg>"), std::string::npos);
  }
}

// The runtime says so of each input, from where the plan's steps write.
TEST_F(LinnetTest, KeepsInputs) {
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
TEST_F(LinnetTest, KeepsLoopsAsAsked) {
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

TEST_F(LinnetTest, FlippedWeightByteIsFound) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 0) << err_;
  std::string bytes = ReadAll(plan_);
  bytes[bytes.size() - 150] ^= 1;  // a byte before the padding behind the last weight
  WriteAll(plan_, bytes);
  EXPECT_EQ(Run(fmt::format("inspect {}", plan_)), 0) << err_;
  EXPECT_EQ(Run(fmt::format("inspect {} --verify-hash", plan_)), 2);
  EXPECT_NE(LastLine().find("damaged"), std::string::npos) << err_;
}

TEST_F(LinnetTest, TagsAndSignatures) {
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

TEST_F(LinnetTest, ListsAllProblemsThenOneSentence) {
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

TEST_F(LinnetTest, InspectSaysWhatDoesNotConvert) {
  WriteAll(model_, RefusedModel());
  ASSERT_EQ(Run(fmt::format("inspect {}", model_)), 0) << err_;
  for (const char* line : {"  converts  no: 2 problems\n",
                           "    MatrixSquareRoot 'root': ", "    MatrixExponential 'power': "})
    EXPECT_NE(out_.find(line), std::string::npos) << line << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --format json", model_)), 0) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["signatures"][0]["problems"].size(), 2u);
}

TEST_F(LinnetTest, InspectListsProblemsToo) {
  WriteAll(model_, "node { name: 'a' op: 'Neg' } node { name: 'b' op: 'Split' }");
  EXPECT_EQ(Run(fmt::format("inspect {}", model_)), 2);
  EXPECT_NE(err_.find("NodeDef missing attr 'T' from Op<name=Neg"), std::string::npos) << err_;
  EXPECT_EQ(LastLine(), fmt::format("linnet: {}: 2 problems, no graph", model_));
}

TEST_F(LinnetTest, InspectShowsOpsThatTensorFlowDoesNotHave) {
  WriteAll(model_, "node { name: 'a' op: 'NoSuchOp' }");
  EXPECT_EQ(Run(fmt::format("inspect {}", model_)), 0) << err_;
  EXPECT_NE(out_.find("NoSuchOp"), std::string::npos) << out_;
}

TEST_F(LinnetTest, EmbedWritesSources) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 0) << err_;
  const std::string sources = folder_ / "sources";
  ASSERT_EQ(Run(fmt::format("embed {} -o {} --backend xnnpack", plan_, sources)), 0) << err_;
  EXPECT_EQ(out_ + err_, "");
  EXPECT_NE(ReadAll(sources + "/model.h").find("typedef float model_input_0[16];"),
            std::string::npos);
  EXPECT_NE(ReadAll(sources + "/model.cc").find("/model.linnet"), std::string::npos);
  EXPECT_NE(ReadAll(sources + "/linked_ops.cc").find("&kConv2DOp"), std::string::npos);
  const std::string others = folder_ / "others";
  ASSERT_EQ(Run(fmt::format("embed {} -o {} --write ops", plan_, others)), 0) << err_;
  EXPECT_EQ(ReadAll(others + "/model.h"), "");
  EXPECT_NE(ReadAll(others + "/linked_ops.cc"), "");
}

TEST_F(LinnetTest, EmbedListsAllProblems) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 0) << err_;
  const std::string sources = folder_ / "sources";
  EXPECT_EQ(Run(fmt::format("embed {} {} -o {}", model_, folder_ / "none", sources)), 2);
  EXPECT_NE(err_.find("not a plan"), std::string::npos) << err_;
  EXPECT_NE(err_.find("none: "), std::string::npos) << err_;
  EXPECT_EQ(LastLine(), "linnet: 2 problems, nothing written");
  EXPECT_EQ(Run(fmt::format("embed {} {} -o {}", plan_, plan_, sources)), 2);
  EXPECT_NE(LastLine().find("would both be called model"), std::string::npos) << err_;
  EXPECT_FALSE(std::filesystem::exists(sources));
  EXPECT_EQ(Run(fmt::format("embed {} -o {} --backend abacus", plan_, sources)), 1);
}

TEST_F(LinnetTest, BisectFindsNothingBetweenBackends) {
  ASSERT_EQ(Run(fmt::format("bisect {} --against portable", model_)), 0) << err_;
  EXPECT_NE(out_.find("no difference in "), std::string::npos) << out_;
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --place cpu", model_, plan_)), 0) << err_;
  EXPECT_EQ(Run(fmt::format("bisect {} --against vulkan", plan_)), 2);
  EXPECT_NE(LastLine().find("--place vulkan"), std::string::npos) << err_;
  // A model is converted for the GPU first, but this machine may have none.
  for (const char* precision :
       {"", " --gpu-precision f32", " --gpu-precision f16 --tolerance 2e-2"})
    if (Run(fmt::format("bisect {} --against vulkan{}", model_, precision)) == 0)
      EXPECT_NE(out_.find("no difference in "), std::string::npos) << out_;
    else
      EXPECT_NE(LastLine().find("the GPU does not run it: "), std::string::npos) << err_;
}

TEST_F(LinnetTest, BisectNamesTheFirstStepThatDiffers) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 0) << err_;
  const std::string folder = folder_ / "reference";
  std::filesystem::create_directory(folder);
  const auto bisect = [&] { return Run(fmt::format("bisect {} --against {}", plan_, folder)); };
  EXPECT_EQ(bisect(), 1);
  EXPECT_NE(LastLine().find("no file for any tensor"), std::string::npos) << err_;
  linnet_tensor_info info{};
  info.dtype = LINNET_FLOAT32;
  info.rank = 2;
  info.dims[0] = 1;
  info.dims[1] = 32;
  info.bytes = 128;
  const std::vector<float> wrong(32, 2.0f);
  ASSERT_EQ(tools::WriteNpy(folder + "/scores.npy", info, wrong.data()), "");
  EXPECT_EQ(bisect(), 3);
  EXPECT_NE(out_.find("Softmax 'scores' output 0 f32[1,32]"), std::string::npos) << out_;
  EXPECT_NE(out_.find("32 of 32 elements"), std::string::npos) << out_;
  EXPECT_NE(LastLine().find("'scores' is the first that differs"), std::string::npos) << err_;
}

// A picture of one colour, as a BMP with 24 bits per pixel.
std::string Bmp(int width, int height, uint8_t value) {
  const int row = (3 * width + 3) / 4 * 4, size = 54 + row * height;
  std::string file(static_cast<size_t>(size), static_cast<char>(value));
  const auto number = [&](size_t at, int count, int what) {
    for (int i = 0; i < count; ++i) file[at + i] = static_cast<char>(what >> 8 * i);
  };
  file.replace(0, 54, std::string(54, '\0'));
  file.replace(0, 2, "BM");
  for (const auto& [at, what] : {std::pair(2, size), {10, 54}, {14, 40}, {18, width}, {22, height}})
    number(at, 4, what);
  number(26, 2, 1);
  number(28, 2, 24);
  return file;
}

TEST_F(LinnetTest, RunsAModelOnAPicture) {
  const std::string picture = WriteAll(folder_ / "grey.bmp", Bmp(9, 7, 51));
  ASSERT_EQ(Run(fmt::format("run {} --input x={}", model_, picture)), 0) << err_;
  EXPECT_NE(err_.find("unknown batch size set to 1"), std::string::npos) << err_;
  EXPECT_NE(err_.find("grey.bmp, 9x7, as 4x4 pixels with values 0..1"), std::string::npos) << err_;
  EXPECT_NE(out_.find("scores   f32[1,32]  "), std::string::npos) << out_;
  EXPECT_NE(out_.find("largest: "), std::string::npos) << out_;
  // The same values from a file: 51 / 255.
  linnet_tensor_info info{};
  info.dtype = LINNET_FLOAT32;
  info.rank = 4;
  info.dims[0] = info.dims[3] = 1;
  info.dims[1] = info.dims[2] = 4;
  info.bytes = 64;
  const std::vector<float> values(16, 0.2f);
  const std::string array = folder_ / "x.npy";
  ASSERT_EQ(tools::WriteNpy(array, info, values.data()), "");
  const std::string of_picture = out_;
  ASSERT_EQ(Run(fmt::format("run {} --input {}", model_, array)), 0) << err_;
  EXPECT_EQ(out_, of_picture);
  ASSERT_EQ(Run(fmt::format("run {} --input {},-1..1 --output scores", model_, picture)), 0)
      << err_;
  EXPECT_NE(err_.find("values -1..1"), std::string::npos) << err_;
  EXPECT_NE(out_, of_picture);
}

TEST_F(LinnetTest, RunsPlansAndBatches) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 0) << err_;
  ASSERT_EQ(Run(fmt::format("run {} --output-dir {}", plan_, folder_ / "results")), 0) << err_;
  EXPECT_NE(err_.find("input 'x': noise (seed 0)"), std::string::npos) << err_;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "results/scores.npy"));
  // The shape of a file is what the model gets.
  linnet_tensor_info info{};
  info.dtype = LINNET_FLOAT32;
  info.rank = 4;
  info.dims[0] = 3;
  info.dims[1] = info.dims[2] = 4;
  info.dims[3] = 1;
  info.bytes = 192;
  const std::vector<float> values(48, 0.2f);
  const std::string array = folder_ / "three.npy";
  ASSERT_EQ(tools::WriteNpy(array, info, values.data()), "");
  ASSERT_EQ(Run(fmt::format("run {} --input x={}", model_, array)), 0) << err_;
  EXPECT_NE(out_.find("scores   f32[3,32]  "), std::string::npos) << out_;
  ASSERT_EQ(Run(fmt::format("run {} --input x=2x4x4x1", model_)), 0) << err_;
  EXPECT_NE(out_.find("scores   f32[2,32]  "), std::string::npos) << out_;
  EXPECT_EQ(Run(fmt::format("run {} --input x=2x4x4x1", plan_)), 1);
  EXPECT_NE(LastLine().find("a plan has its shapes"), std::string::npos) << err_;
  EXPECT_EQ(Run(fmt::format("run {} --input x={}", plan_, array)), 1);
  EXPECT_NE(LastLine().find("f32[3,4,4,1]"), std::string::npos) << err_;
}

TEST_F(LinnetTest, RunsAPictureInItsOwnSize) {
  const std::string model = WriteAll(folder_ / "any.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: -1 } dim { size: -1 } dim { size: 3 } } } } }
node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } })");
  const std::string picture = WriteAll(folder_ / "grey.bmp", Bmp(9, 70, 51));
  ASSERT_EQ(
      Run(fmt::format("run {} --input x=1x4..32x4..32x3 --input x={},0..255", model, picture)), 0)
      << err_;
  EXPECT_EQ(out_, "y  f32[1,32,9,3]  -51..-51\n");
  EXPECT_NE(err_.find("9x70, as 9x32 pixels with values 0..255"), std::string::npos) << err_;
  EXPECT_EQ(Run(fmt::format("run {} --input x={}", model, picture)), 2);
  EXPECT_NE(LastLine().find("give it with --input x="), std::string::npos) << err_;
}

TEST_F(LinnetTest, RunListsAllProblems) {
  EXPECT_EQ(Run(fmt::format("run {} --input x=a.txt --input x=b.npy,0..1", model_)), 1);
  EXPECT_NE(err_.find("'a.txt' is neither a .npy file nor a picture"), std::string::npos) << err_;
  EXPECT_NE(err_.find("only pictures have a range"), std::string::npos) << err_;
  EXPECT_EQ(Run(fmt::format("run {} --input y=noise", model_)), 2);
  EXPECT_NE(LastLine().find("unable to find feed output y"), std::string::npos) << err_;
  ASSERT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 0) << err_;
  EXPECT_EQ(Run(fmt::format("run {} --input y=noise", plan_)), 1);
  EXPECT_NE(LastLine().find("the plan has no input 'y'; it has 'x'"), std::string::npos) << err_;
  // A tensor in the middle of the model.
  EXPECT_EQ(Run(fmt::format("run {} --input biased=1x4x4x2 --input biased=noise --output negated",
                            model_)),
            0)
      << err_;
  EXPECT_NE(out_.find("negated  f32[1,4,4,2]"), std::string::npos) << out_;
  const std::string broken = WriteAll(folder_ / "broken.png", "PNG");
  EXPECT_EQ(Run(fmt::format("run {} --input {}", model_, broken)), 1);
  EXPECT_EQ(Run(fmt::format("run {} --input {}", model_, folder_ / "missing.jpg")), 1);
  EXPECT_EQ(Run(fmt::format("run {} --input x={}", model_, folder_ / "missing.npy")), 1);
  EXPECT_EQ(Run(fmt::format("run {}", WriteAll(folder_ / "refused.pbtxt", RefusedModel()))), 2);
  EXPECT_EQ(LastLine().substr(LastLine().find("2 problems")), "2 problems, nothing was run")
      << err_;
}

TEST_F(LinnetTest, TellsItsVersion) {
  ASSERT_EQ(Run("--version"), 0) << err_;
  EXPECT_TRUE(out_.starts_with("linnet 0.")) << out_;
}

TEST_F(LinnetTest, UsageErrors) {
  for (const char* arguments :
       {"", "frobnicate", "convert", "run", "convert m.pb -o p --weights f64",
        "convert m.pb -o p --input x=8..1", "convert m.pb -o p --report r.txt",
        "convert m.pb -o p --dump-after nothing", "convert m.pb -o p --dump-dir d",
        "convert m.pb -o p --bogus", "convert m.pb -o p --gpu-precision f8",
        "bisect m.pb --against vulkan --gpu-precision 16", "inspect m.pb --format xml",
        "bisect m.pb"}) {
    EXPECT_EQ(Run(arguments), 1) << arguments << "\n" << err_;
    EXPECT_TRUE(LastLine().starts_with("linnet: ")) << arguments << "\n" << err_;
  }
}

TEST_F(LinnetTest, BadModels) {
  EXPECT_EQ(Run(fmt::format("convert {} -o {}", folder_ / "missing.pb", plan_)), 2);
  EXPECT_NE(LastLine().find("missing.pb"), std::string::npos) << err_;
  WriteAll(folder_ / "noise.pb", "this is no model");
  EXPECT_EQ(Run(fmt::format("convert {} -o {}", folder_ / "noise.pb", plan_)), 2) << err_;
  EXPECT_EQ(Run(fmt::format("inspect {}", folder_ / "missing.linnet")), 2);
  WriteAll(folder_ / "short.linnet", "LNNT too short");
  EXPECT_EQ(Run(fmt::format("inspect {}", folder_ / "short.linnet")), 2);
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --output nowhere", model_, plan_)), 2);
  EXPECT_NE(LastLine().find("nowhere"), std::string::npos) << err_;
  EXPECT_EQ(ReadAll(plan_), "");
}

std::string ConstantNode(const std::string& dtype, const std::string& tensor) {
  return fmt::format(R"(node {{ name: "c" op: "Const" attr {{ key: "dtype" value {{ type: {} }} }}
    attr {{ key: "value" value {{ tensor {{ {} }} }} }} }}
)",
                     dtype, tensor);
}

// A model may compute with such values, but a plan cannot hold them: exit code 2, not an internal
// error.
TEST_F(LinnetTest, FetchedConstantsOfTypesThatLinnetLacks) {
  const std::pair<const char*, const char*> cases[] = {{"complex64", "scomplex_val: [1, 2]"},
                                                       {"complex128", "dcomplex_val: [1, 2]"},
                                                       {"uint32", "uint32_val: 1"},
                                                       {"uint64", "uint64_val: 1"},
                                                       {"variant", ""},
                                                       {"resource", ""},
                                                       {"int4", "int_val: 1"},
                                                       {"float8_e5m2", ""}};
  for (const auto& [type, value] : cases) {
    std::string name = std::string("DT_") + type;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    // Large enough that constants are views of the mapped file; in text form they are written out.
    for (const char* size : {"1", "2000"}) {
      WriteAll(model_,
               ConstantNode(name, fmt::format("dtype: {} tensor_shape {{ dim {{ size: {} }} }} {}",
                                              name, size, value)));
      EXPECT_EQ(Run(fmt::format("convert {} -o {} --output c", model_, plan_)), 2) << err_;
      EXPECT_NE(LastLine().find(fmt::format("'c': Linnet has no tensors of type {}", type)),
                std::string::npos)
          << err_;
      EXPECT_NE(LastLine().find("fetch what is made of it"), std::string::npos) << err_;
      EXPECT_FALSE(std::filesystem::exists(plan_));
    }
  }
}

TEST_F(LinnetTest, ConstantsWhoseTensorHasAnotherType) {
  const std::string identity =
      R"(node { name: "y" op: "Identity" input: "c" attr { key: "T" value { type: DT_FLOAT } } })";
  for (const auto& [tensor, reason] :
       {std::pair{"float_val: 1", "attr 'dtype' is float, but the value is of no type"},
        std::pair{"dtype: DT_INT32 int_val: 1", "attr 'dtype' is float, but the value is int32"},
        std::pair{"dtype: DT_UINT32 uint32_val: 1",
                  "attr 'dtype' is float, but the value is uint32"},
        std::pair{"dtype: DT_STRING string_val: 'a'",
                  "attr 'dtype' is float, but the value is string"}}) {
    WriteAll(model_, ConstantNode("DT_FLOAT", tensor) + identity);
    EXPECT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 2) << err_;
    EXPECT_NE(LastLine().find(fmt::format("'c': {}", reason)), std::string::npos) << err_;
  }
  // The same bits with another meaning.
  WriteAll(model_, ConstantNode("DT_QINT8", "dtype: DT_INT8 int_val: 1"));
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --output c", model_, plan_)), 2) << err_;
  WriteAll(model_, ConstantNode("DT_QINT8", "dtype: DT_QINT8 int_val: 1"));
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --output c", model_, plan_)), 0) << err_;
}

TEST_F(LinnetTest, ComplexConstantsThatAreDamagedOrTooLarge) {
  const std::string part = R"(node { name: "y" op: "Real" input: "c" })";
  const auto convert = [&](const char* size, const char* value) {
    const std::string shape = fmt::format("tensor_shape {{ dim {{ size: {} }} }}", size);
    WriteAll(model_,
             ConstantNode("DT_COMPLEX64", fmt::format("dtype: DT_COMPLEX64 {} {}", shape, value)) +
                 part);
    return Run(fmt::format("convert {} -o {}", model_, plan_));
  };
  EXPECT_EQ(convert("3", "scomplex_val: [1, 2]"), 0) << err_;
  EXPECT_EQ(convert("3", "tensor_content: 'abc'"), 2) << err_;
  EXPECT_NE(LastLine().find("'c': the complex value has 3 bytes, want 24"), std::string::npos)
      << err_;
  EXPECT_EQ(convert("1000000000", "scomplex_val: [1, 2]"), 2) << err_;
  EXPECT_NE(LastLine().find("would need 8000000000 bytes"), std::string::npos) << err_;
}

// Producers up to version 21, and files without version, wrote a scalar shape for an unknown shape.
TEST_F(LinnetTest, ScalarShapesOfOldProducersAreUnknown) {
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

// Opening a pipe without a writer would block forever.
TEST_F(LinnetTest, PipesAreRefused) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& command :
       {fmt::format("convert {} -o {}", pipe, plan_), fmt::format("inspect {}", pipe),
        fmt::format("bisect {} --against portable", pipe),
        fmt::format("convert {} -o {} --device-profile {}", model_, plan_, pipe)}) {
    EXPECT_EQ(Run(command), 2) << command;
    EXPECT_NE(LastLine().find("it is a pipe"), std::string::npos) << command << err_;
  }
  EXPECT_EQ(Run(fmt::format("convert {} -o {}", model_, pipe)), 3);
  EXPECT_NE(LastLine().find("is not a regular file"), std::string::npos) << err_;
}

TEST_F(LinnetTest, PlacesSteps) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --explain-placement --report {}", model_, plan_,
                            folder_ / "explained.json")),
            0)
      << err_;
  const auto explained = nlohmann::json::parse(ReadAll(folder_ / "explained.json"));
  ASSERT_FALSE(explained["steps"].empty());
  for (const auto& step : explained["steps"]) {
    const std::string backend = step["backend"], reason = step["reason"];
    const std::string kernel = backend == "none" ? "no work" : backend;
    const std::string text = "; " + kernel + (reason.empty() ? "" : ": " + reason);
    EXPECT_NE(out_.find(text), std::string::npos) << text << "\n" << out_;
  }
  for (const char* part : {": (Conv2D): /device:CPU:0  ", "1 segment, 0 copies"})
    EXPECT_NE(out_.find(part), std::string::npos) << part << "\n" << out_;
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place-node scores=cpu", model_, plan_)), 0) << err_;
}

// `--place vulkan` writes a second program; the first is what `--place cpu` writes.
TEST_F(LinnetTest, PlacesOnAGpu) {
  const std::string cpu = folder_ / "cpu.linnet";
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --place cpu", model_, cpu)), 0) << err_;
  ASSERT_EQ(Run(fmt::format("convert {} -o {} --place vulkan --explain-placement --report {}",
                            model_, plan_, folder_ / "r.json")),
            0)
      << err_;
  EXPECT_NE(out_.find("The program 'host' runs all steps on the CPU. The program 'vulkan'"),
            std::string::npos)
      << out_;
  EXPECT_NE(out_.find("program     'vulkan', which runs instead"), std::string::npos) << out_;
  const auto report = nlohmann::json::parse(ReadAll(folder_ / "r.json"));
  EXPECT_EQ(report["variant"], "host");
  ASSERT_EQ(report["variants"].size(), 1);
  EXPECT_EQ(report["variants"][0]["variant"], "vulkan");
  EXPECT_EQ(report["placement"]["devices"][0]["device"], "cpu");
  EXPECT_EQ(report["placement"]["devices"][1]["device"], "vulkan");
  for (const auto& step : report["steps"]) EXPECT_EQ(step["device"], "cpu");

  const auto structure_of = [](const std::string& file) {
    const std::string bytes = ReadAll(file);
    return ReadStructure(std::as_bytes(std::span(bytes)));
  };
  PlanStructure alone = structure_of(cpu), both = structure_of(plan_);
  ASSERT_EQ(alone.programs.size(), 1);
  ASSERT_EQ(both.programs.size(), 2);
  EXPECT_EQ(both.programs[1]->variant, "vulkan");
  both.programs.pop_back();
  const auto bytes_alone = PackStructure(alone), bytes_both = PackStructure(both);
  EXPECT_TRUE(std::ranges::equal(std::span(bytes_alone.data(), bytes_alone.size()),
                                 std::span(bytes_both.data(), bytes_both.size())))
      << "the host's program is the same, and weights are stored once";

  ASSERT_EQ(Run(fmt::format("inspect {}", plan_)), 0) << err_;
  EXPECT_NE(out_.find("program 'vulkan':\n   0"), std::string::npos) << out_;
  EXPECT_EQ(out_.find("also has a program"), std::string::npos) << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --format dot", plan_)), 0) << err_;
  EXPECT_NE(out_.find("subgraph \"cluster_vulkan\""), std::string::npos) << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --format html", plan_)), 0) << err_;
  EXPECT_NE(out_.find("<h2>Graph of program vulkan</h2>"), std::string::npos);
}

TEST_F(LinnetTest, KeepsFloatsOfAGpuIn16Bits) {
  const auto bytes_with = [&](const char* precision) {
    EXPECT_EQ(
        Run(fmt::format(
            "convert {} -o {} --input x=64x4x4x1 --place vulkan --gpu-precision {} --report {}",
            model_, plan_, precision, folder_ / "r.json")),
        0)
        << err_;
    const auto report = nlohmann::json::parse(ReadAll(folder_ / "r.json"));
    const auto& space = report["variants"][0]["memory"]["devices"][0];
    EXPECT_EQ(space["layout"], std::string_view(precision) == "f16" ? "rows4_half" : "rows4");
    return space["bytes"].get<int64_t>();
  };
  const int64_t single = bytes_with("f32"), half = bytes_with("f16");
  EXPECT_LT(half, single);
  EXPECT_GE(half, single / 2);
  ASSERT_EQ(Run(fmt::format("inspect {}", plan_)), 0) << err_;
  EXPECT_NE(out_.find("layout rows4_half"), std::string::npos) << out_;
}

TEST_F(LinnetTest, BadPlacement) {
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place tpu", model_, plan_)), 1);
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place-node conv", model_, plan_)), 1);
  EXPECT_NE(LastLine().find("want NAME=DEVICE"), std::string::npos) << err_;
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --place-node conv=tpu --place-node nowhere=cpu",
                            model_, plan_)),
            2);
  EXPECT_NE(err_.find("there is no device 'tpu'"), std::string::npos) << err_;
  EXPECT_NE(err_.find("'nowhere'"), std::string::npos) << err_;
  EXPECT_EQ(Run(fmt::format("convert {} -o {} --device-profile {}", model_, plan_, model_)), 2);
  EXPECT_NE(LastLine().find("not a device profile"), std::string::npos) << err_;
}

TEST_F(LinnetTest, UnwritableOutputFails) {
  EXPECT_EQ(Run(fmt::format("convert {} -o {}", model_, folder_ / "no/folder/p.linnet")), 3)
      << err_;
}

TEST_F(LinnetTest, PlansForARelease) {
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

TEST_F(LinnetTest, OpsListsAllOfTensorFlows) {
  EXPECT_EQ(Run("ops"), 0);
  for (const char* part : {"DepthwiseConv2dNative", "refused, by group", "strings (",
                           "XlaCallModule", "tokens\n    AsString DecodeBase64 EncodeBase64"})
    EXPECT_NE(out_.find(part), std::string::npos) << part;
  EXPECT_EQ(Run("ops --json"), 0);
  const auto ops = nlohmann::json::parse(out_);
  EXPECT_GT(ops["supported"].size(), 100u);
  EXPECT_GT(ops["settled"].size(), 20u);
  EXPECT_GT(ops["rejected"].size(), 1000u);
  EXPECT_EQ(ops["unknown"].size(), 0u);
  EXPECT_EQ(ops["rejected"][0]["op"], "A");
  EXPECT_EQ(ops["rejected"][0]["group"], "tests of TensorFlow");
}

TEST_F(LinnetTest, OpsAnswersForNames) {
  EXPECT_EQ(Run("ops conv2d StringSplit VarHandleOp"), 0) << err_;
  for (const char* part :
       {"Conv2D: converts\n  becomes   Conv2D", "backends  portable", "StringSplit: refused",
        "group     strings", "reason    there are no strings in a plan\n  way out   prepare text",
        "VarHandleOp: folded", "else      it reads or writes state"})
    EXPECT_NE(out_.find(part), std::string::npos) << part << "\n" << out_;
  EXPECT_EQ(Run("ops --json MatMul MatrixExponential Switch Frobnicate"), 1);
  const auto ops = nlohmann::json::parse(out_);
  EXPECT_EQ(ops["supported"][0]["op"], "MatMul");
  EXPECT_EQ(ops["settled"][0]["fate"], "folded");
  EXPECT_EQ(ops["rejected"][0]["group"], "linear algebra");
  EXPECT_NE(ops["rejected"][0]["way_out"], "");
  EXPECT_EQ(ops["unknown"][0]["op"], "Frobnicate");
  EXPECT_EQ(Run("ops Relu Conv2 BatchMatMull"), 1);
  EXPECT_NE(out_.find("Relu: converts"), std::string::npos) << out_;
  EXPECT_NE(err_.find("Conv2: it is not one of TensorFlow's ops; there is 'Conv'"),
            std::string::npos)
      << err_;
  EXPECT_NE(LastLine().find("BatchMatMull: it is not one of TensorFlow's ops; there is "
                            "'BatchMatMul'"),
            std::string::npos)
      << err_;
}

TEST_F(LinnetTest, TablesAndHelp) {
  EXPECT_EQ(Run("passes"), 0);
  for (const char* part : {"prune", "legalize", "tensorflow", "fold_batch_norm", "rounds"})
    EXPECT_NE(out_.find(part), std::string::npos) << part;
  EXPECT_EQ(Run("--help"), 0);
  EXPECT_NE(out_.find("linnet convert model.pb"), std::string::npos);
  EXPECT_EQ(Run("convert --help"), 0);
  for (const char* option : {"--weights", "--keep-inputs"})
    EXPECT_NE(out_.find(option), std::string::npos) << option;
}

}  // namespace
}  // namespace linnet::converter

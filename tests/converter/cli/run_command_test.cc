// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "runtime/tools/npy.h"
#include "tests/converter/cli/linnet_fixture.h"
#include "tests/converter/cli/small_model.h"

namespace linnet::converter {
namespace {

using RunCommandTest = LinnetTest;

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

TEST_F(RunCommandTest, AModelOnAPicture) {
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

TEST_F(RunCommandTest, PlansAndBatches) {
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

TEST_F(RunCommandTest, APictureInItsOwnSize) {
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

TEST_F(RunCommandTest, ListsAllProblems) {
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

}  // namespace
}  // namespace linnet::converter

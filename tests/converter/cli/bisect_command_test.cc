// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "runtime/tools/npy.h"
#include "tests/converter/cli/linnet_fixture.h"

namespace linnet::converter {
namespace {

using BisectCommandTest = LinnetTest;

TEST_F(BisectCommandTest, FindsNothingBetweenBackends) {
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

TEST_F(BisectCommandTest, NamesTheFirstStepThatDiffers) {
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

}  // namespace
}  // namespace linnet::converter

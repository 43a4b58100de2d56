// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/converter/cli/linnet_fixture.h"

namespace linnet::converter {
namespace {

using EmbedCommandTest = LinnetTest;

TEST_F(EmbedCommandTest, WritesSources) {
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

TEST_F(EmbedCommandTest, ListsAllProblems) {
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

}  // namespace
}  // namespace linnet::converter

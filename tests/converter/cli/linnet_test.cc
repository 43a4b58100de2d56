// SPDX-License-Identifier: Apache-2.0
// The program as a whole: what all its subcommands have in common.
#include <sys/stat.h>

#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "tests/converter/cli/linnet_fixture.h"

namespace linnet::converter {
namespace {

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
        "bisect m.pb", "convert m.pb -o p --cpu-precision f64",
        "convert m.pb -o p --cpu-precision f16 --weights f32",
        "convert m.pb -o p --cpu-precision f16 --weight-order rows"}) {
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

TEST_F(LinnetTest, Help) {
  EXPECT_EQ(Run("--help"), 0);
  EXPECT_NE(out_.find("linnet convert model.pb"), std::string::npos);
  EXPECT_EQ(Run("convert --help"), 0);
  for (const char* option : {"--weights", "--keep-inputs"})
    EXPECT_NE(out_.find(option), std::string::npos) << option;
}

}  // namespace
}  // namespace linnet::converter

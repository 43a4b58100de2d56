// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/convert_outcome.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "tests/converter/cli/small_model.h"
#include "tests/scratch_folder.h"

namespace linnet::cli {
namespace {

class ConvertOutcomeTest : public testing::Test {
 protected:
  // Converts the model in this text with these further arguments.
  ConvertOutcome Convert(const std::string& model, std::vector<std::string> flags) {
    CLI::App app;
    ConvertArguments arguments;
    AddConvertFlags(&app, &arguments);
    WriteAll(folder_ / "model.pbtxt", model);
    flags.insert(flags.end(), {folder_ / "model.pbtxt", "-o", folder_ / "model.linnet"});
    std::ranges::reverse(flags);  // as CLI11 wants them
    app.parse(flags);
    return ConvertAsAsked(arguments, [this](std::string_view) { ++stages_; });
  }

  ScratchFolder folder_;
  int stages_ = 0;
};

TEST_F(ConvertOutcomeTest, Succeeds) {
  const ConvertOutcome outcome =
      Convert(converter::SmallModel(), {"--explain-placement", "--report", folder_ / "r.json"});
  EXPECT_EQ(outcome.exit_code, kGood);
  EXPECT_EQ(outcome.error, "");
  EXPECT_NE(outcome.out.find("lower bound"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("1 segment, 0 copies"), std::string::npos) << outcome.out;
  EXPECT_TRUE(outcome.report.succeeded);
  EXPECT_GE(stages_, 5);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r.json"));
}

TEST_F(ConvertOutcomeTest, ListsEveryProblem) {
  const ConvertOutcome outcome =
      Convert(converter::RefusedModel(), {"--report", folder_ / "r.json"});
  EXPECT_EQ(outcome.exit_code, kBadModel);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.report.problems.size(), 2u);
  for (const char* part :
       {"MatrixSquareRoot 'root'", "MatrixExponential 'power'", "2 problems, no plan"})
    EXPECT_NE(outcome.error.find(part), std::string::npos) << outcome.error;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "r.json"));
}

TEST_F(ConvertOutcomeTest, RefusesFlagsBeforeItConverts) {
  const ConvertOutcome outcome = Convert(converter::SmallModel(), {"--report", "r.txt"});
  EXPECT_EQ(outcome.exit_code, kUsage);
  EXPECT_EQ(outcome.error, "linnet: --report r.txt: the name must end in .json or .html\n");
  EXPECT_EQ(stages_, 0);
}

TEST(ConvertFlags, APlanIsCalledAsItsModel) {
  for (const auto& [model, plan] : {std::pair("some/where/model.pb", "model.linnet"),
                                    {"exported/", "exported.linnet"},
                                    {"/a/b/web/model.json", "model.linnet"},
                                    {"/a/exported/.", "exported.linnet"}}) {
    ConvertArguments arguments;
    converter::ConvertOptions options;
    options.model = model;
    EXPECT_EQ(FillOptions(arguments, &options), "");
    EXPECT_EQ(options.output, plan) << model;
  }
}

// The plan is written, and the text of a success stands beside the problem.
TEST_F(ConvertOutcomeTest, AReportThatCannotBeWritten) {
  const ConvertOutcome outcome =
      Convert(converter::SmallModel(), {"--report", folder_ / "no/folder/r.json"});
  EXPECT_EQ(outcome.exit_code, kFailed);
  EXPECT_NE(outcome.error.find("cannot write"), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.out.find("lower bound"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "model.linnet"));
}

}  // namespace
}  // namespace linnet::cli

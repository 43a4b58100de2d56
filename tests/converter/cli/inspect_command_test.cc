// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/converter/cli/linnet_fixture.h"
#include "tests/converter/cli/small_model.h"

namespace linnet::converter {
namespace {

using InspectCommandTest = LinnetTest;

TEST_F(InspectCommandTest, ShowsModelsAndPlans) {
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

TEST_F(InspectCommandTest, FlippedWeightByteIsFound) {
  ASSERT_EQ(Run(fmt::format("convert {} -o {}", model_, plan_)), 0) << err_;
  std::string bytes = ReadAll(plan_);
  bytes[bytes.size() - 150] ^= 1;  // a byte before the padding behind the last weight
  WriteAll(plan_, bytes);
  EXPECT_EQ(Run(fmt::format("inspect {}", plan_)), 0) << err_;
  EXPECT_EQ(Run(fmt::format("inspect {} --verify-hash", plan_)), 2);
  EXPECT_NE(LastLine().find("damaged"), std::string::npos) << err_;
}

TEST_F(InspectCommandTest, SaysWhatDoesNotConvert) {
  WriteAll(model_, RefusedModel());
  ASSERT_EQ(Run(fmt::format("inspect {}", model_)), 0) << err_;
  for (const char* line : {"  converts  no: 2 problems\n",
                           "    MatrixSquareRoot 'root': ", "    MatrixExponential 'power': "})
    EXPECT_NE(out_.find(line), std::string::npos) << line << out_;
  ASSERT_EQ(Run(fmt::format("inspect {} --format json", model_)), 0) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["signatures"][0]["problems"].size(), 2u);
}

TEST_F(InspectCommandTest, ListsProblems) {
  WriteAll(model_, "node { name: 'a' op: 'Neg' } node { name: 'b' op: 'Split' }");
  EXPECT_EQ(Run(fmt::format("inspect {}", model_)), 2);
  EXPECT_NE(err_.find("NodeDef missing attr 'T' from Op<name=Neg"), std::string::npos) << err_;
  EXPECT_EQ(LastLine(), fmt::format("linnet: {}: 2 problems, no graph", model_));
}

TEST_F(InspectCommandTest, ShowsOpsThatTensorFlowDoesNotHave) {
  WriteAll(model_, "node { name: 'a' op: 'NoSuchOp' }");
  EXPECT_EQ(Run(fmt::format("inspect {}", model_)), 0) << err_;
  EXPECT_NE(out_.find("NoSuchOp"), std::string::npos) << out_;
}

}  // namespace
}  // namespace linnet::converter

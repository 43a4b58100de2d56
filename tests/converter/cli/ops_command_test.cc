// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/converter/cli/linnet_fixture.h"

namespace linnet::converter {
namespace {

using OpsCommandTest = LinnetTest;

TEST_F(OpsCommandTest, ListsAllOfTensorFlows) {
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

TEST_F(OpsCommandTest, AnswersForNames) {
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

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/input_flag.h"

#include <gtest/gtest.h>

namespace linnet::cli {
namespace {

using Dims = std::vector<int64_t>;

std::string Problem(const std::string& text) {
  const auto feed = ParseInputFlag(text);
  return std::string(feed.status().message().data(), feed.status().message().size());
}

TEST(InputFlag, NameAlone) {
  EXPECT_EQ(ParseInputFlag("a/b:1")->tensor, "a/b:1");
  EXPECT_FALSE(ParseInputFlag("a/b:1")->shape.has_value());
}

TEST(InputFlag, Extents) {
  EXPECT_EQ(ParseInputFlag("x=1x224x224x3")->shape, Dims({1, 224, 224, 3}));
  EXPECT_EQ(ParseInputFlag("x=7")->shape, Dims({7}));
  EXPECT_EQ(ParseInputFlag("x=?x-1x2")->shape, Dims({-1, -1, 2}));
  EXPECT_EQ(ParseInputFlag("x=scalar")->shape, Dims());
  EXPECT_EQ(ParseInputFlag("a=b=2x3")->tensor, "a=b");
  EXPECT_EQ(ParseInputFlag("x=1x1..128")->shape, Dims({1, 128}));
  EXPECT_EQ(ParseInputFlag("x=1x1..128")->smallest, std::vector<int64_t>({1, 1}));
  EXPECT_TRUE(ParseInputFlag("x=1x128")->smallest.empty());
}

TEST(MaxFlag, IsANameAndANumber) {
  std::map<std::string, int64_t, std::less<>> most;
  EXPECT_TRUE(ParseMaxFlag("a=b=7", &most).ok());
  EXPECT_EQ(most["a=b"], 7);
  for (const char* text : {"", "x", "=3", "x=", "x=-1", "x=3y", "x=99999999999999999999"})
    EXPECT_FALSE(ParseMaxFlag(text, &most).ok()) << text;
}

TEST(InputFlag, ExplainsWhatIsWrong) {
  for (const char* text : {"x=", "x=1x", "x=axb", "x=1,2", "x=-2", "x=99999999999999999999"})
    EXPECT_NE(Problem(text).find("is no extent"), std::string::npos) << text;
  EXPECT_NE(Problem("=1x2").find("name is missing"), std::string::npos);
  EXPECT_NE(Problem("x=8..1x3").find("is empty"), std::string::npos);
  EXPECT_NE(Problem("x=1..x3").find("is no extent"), std::string::npos);
  EXPECT_NE(Problem("x=1x1x1x1x1x1x1x1x1").find("at most 8"), std::string::npos);
}

}  // namespace
}  // namespace linnet::cli

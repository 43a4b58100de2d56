// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/einsum_equation.h"

#include <gtest/gtest.h>

namespace linnet::converter {
namespace {

std::string Error(std::string_view text, std::vector<Shape> shapes) {
  const auto equation = ParseEinsum(text, shapes);
  if (equation.ok()) return "";
  return std::string(equation.status().message().data(), equation.status().message().size());
}

TEST(ParseEinsum, CountsEllipsesFromTheRight) {
  const std::vector<Shape> shapes = {{7, 1, 2, 3}, {5, 3, 4}};
  const auto equation = ParseEinsum("...ab, ...bc -> ...ac", shapes);
  ASSERT_TRUE(equation.ok()) << equation.status();
  EXPECT_EQ(equation->inputs[0], (std::vector<int>{-2, -1, 'a', 'b'}));
  EXPECT_EQ(equation->inputs[1], (std::vector<int>{-1, 'b', 'c'}));
  EXPECT_EQ(equation->output, (std::vector<int>{-2, -1, 'a', 'c'}));
  EXPECT_EQ(equation->sizes.at(-1), 5);
  EXPECT_EQ(equation->sizes.at(-2), 7);
}

TEST(ParseEinsum, SaysWhatIsWrong) {
  const Shape m = {2, 2};
  EXPECT_NE(Error("ab,bc", {m, m}).find("want one '->'"), std::string::npos);
  EXPECT_NE(Error("ab->ab->ab", {m}).find("want one '->'"), std::string::npos);
  EXPECT_NE(Error("ab->ab", {m, m}).find("there are 2 inputs"), std::string::npos);
  EXPECT_NE(Error("aa->a", {{2, 3}}).find("2 and 3 elements"), std::string::npos);
  EXPECT_NE(Error("ab->ac", {m}).find("'c' is in no input"), std::string::npos);
  EXPECT_NE(Error("abc->a", {m}).find("does not fit shape [2,2]"), std::string::npos);
  EXPECT_NE(Error("a1->a", {m}).find("unexpected '1'"), std::string::npos);
  EXPECT_NE(Error("...a->a", {m}).find("'...' is summed over"), std::string::npos);
  EXPECT_NE(Error("ab,bc->ac", {m, {3, 2}}).find("2 and 3 elements"), std::string::npos);
  EXPECT_NE(Error("a->...a...", {{2}}), "");
}

}  // namespace
}  // namespace linnet::converter

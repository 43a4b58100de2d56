// SPDX-License-Identifier: Apache-2.0
#include "converter/report/problem_paths.h"

#include <gtest/gtest.h>

namespace linnet::converter {
namespace {

// x -> a -> b -> c, and a -> c; d has no input.
Drawing SomeDrawing() {
  Drawing drawing;
  for (const char* name : {"x", "call", "call/b", "c", "d"})
    drawing.boxes.push_back({name, "", drawing.boxes.empty() ? "input" : "other", name});
  drawing.arrows = {{0, 1}, {1, 2}, {2, 3}, {1, 3}, {4, 3}};
  return drawing;
}

Problem At(const std::string& node) {
  return {.node = node, .op = "Foo", .reason = "no", .remedy = ""};
}

TEST(BoxOfNode, IsTheCallForNodesInFunctions) {
  const Drawing drawing = SomeDrawing();
  EXPECT_EQ(BoxOfNode(drawing, "c"), 3);
  EXPECT_EQ(BoxOfNode(drawing, "call/b/inner"), 2);
  EXPECT_EQ(BoxOfNode(drawing, "call/other"), 1);
  EXPECT_EQ(BoxOfNode(drawing, "caller"), -1);
  EXPECT_EQ(BoxOfNode(drawing, ""), -1);
}

TEST(PathTo, IsAShortestOne) {
  const Drawing drawing = SomeDrawing();
  EXPECT_EQ(PathTo(drawing, 3), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(PathTo(drawing, 0), std::vector<int>{0});
  EXPECT_EQ(PathTo(drawing, 4), std::vector<int>{4}) << "no input leads there";
}

TEST(PathTo, EndsInACircle) {
  Drawing drawing = SomeDrawing();
  drawing.arrows = {{1, 2}, {2, 1}, {2, 3}};
  EXPECT_EQ(PathTo(drawing, 3), std::vector<int>{3});
}

TEST(AroundProblems, MarksThem) {
  const std::vector<Problem> problems = {At("c"), At("nowhere")};
  const Drawing drawing = AroundProblems(SomeDrawing(), problems);
  EXPECT_EQ(drawing.boxes.size(), 5u);
  EXPECT_EQ(drawing.boxes[3].kind, "wrong");
  EXPECT_EQ(drawing.boxes[2].kind, "other");
}

// A chain of 3,000 boxes with 3 more beside its end.
TEST(AroundProblems, CutsALargeDrawing) {
  Drawing drawing;
  for (int i = 0; i < 6000; ++i) {
    drawing.boxes.push_back({"", "", i == 0 ? "input" : "other", "n" + std::to_string(i)});
    if (i > 0) drawing.arrows.emplace_back(i - 1, i);
  }
  const std::vector<Problem> problems = {At("n100")};
  const Drawing cut = AroundProblems(drawing, problems);
  ASSERT_EQ(cut.boxes.size(), 104u) << "0 to 100, and three behind";
  EXPECT_EQ(cut.boxes[100].kind, "wrong");
  EXPECT_EQ(cut.arrows.size(), 103u);
  EXPECT_EQ(AroundProblems(drawing, {}).boxes.size(), 6000u) << "without problems all of it";
}

TEST(ProblemsHtml, ShortensLongPaths) {
  Drawing drawing;
  for (int i = 0; i < 30; ++i) {
    drawing.boxes.push_back(
        {"op" + std::to_string(i), "", i == 0 ? "input" : "other", "n" + std::to_string(i)});
    if (i > 0) drawing.arrows.emplace_back(i - 1, i);
  }
  const std::vector<Problem> problems = {At("n29"), At("nowhere")};
  const std::string html = ProblemsHtml(drawing, problems);
  EXPECT_NE(html.find(">op5</button> \u2192 18 more \u2192 <button data-box=\"24\">op24<"),
            std::string::npos)
      << html;
  EXPECT_EQ(html.find(">op6<"), std::string::npos);
  EXPECT_NE(html.find("Foo &#39;nowhere&#39;: no</div>"), std::string::npos) << html;
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/report/problem_paths.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace linnet::converter {
namespace {

// x -> call -> call/b -> c, and call -> c; d has no input.
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

std::vector<int> PathTo(const std::string& node, const Drawing& drawing = SomeDrawing()) {
  const std::vector<Problem> problems = {At(node)};
  return DrawProblems(drawing, problems).paths[0];
}

TEST(DrawProblems, FindsAShortestWay) {
  EXPECT_EQ(PathTo("c"), (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(PathTo("x"), std::vector<int>{0});
  EXPECT_EQ(PathTo("d"), std::vector<int>{4}) << "no input leads there";
  EXPECT_EQ(PathTo("nowhere"), std::vector<int>());
  EXPECT_EQ(PathTo(""), std::vector<int>());
}

TEST(DrawProblems, FindsTheCallOfANodeInAFunction) {
  EXPECT_EQ(PathTo("call/b/inner").back(), 2);
  EXPECT_EQ(PathTo("call/other/inner").back(), 1);
  EXPECT_EQ(PathTo("caller"), std::vector<int>());
}

TEST(DrawProblems, EndsInACircle) {
  Drawing drawing = SomeDrawing();
  drawing.arrows = {{1, 2}, {2, 1}, {2, 3}};
  EXPECT_EQ(PathTo("c", drawing), std::vector<int>{3});
  drawing.arrows = {{0, 1}, {1, 2}, {2, 1}, {2, 3}};
  EXPECT_EQ(PathTo("c", drawing), (std::vector<int>{0, 1, 2, 3}));
}

// Also where an input is wrong itself: what is behind it still has a way.
TEST(DrawProblems, MarksThem) {
  const std::vector<Problem> problems = {At("x"), At("c"), At("nowhere")};
  const ProblemDrawing drawn = DrawProblems(SomeDrawing(), problems);
  EXPECT_EQ(drawn.drawing.boxes.size(), 5u);
  EXPECT_EQ(drawn.drawing.boxes[0].kind, "wrong");
  EXPECT_EQ(drawn.drawing.boxes[3].kind, "wrong");
  EXPECT_EQ(drawn.drawing.boxes[2].kind, "other");
  EXPECT_EQ(drawn.paths[1], (std::vector<int>{0, 1, 3}));
}

// Of a chain of 6,000 boxes.
TEST(DrawProblems, CutsALargeDrawing) {
  Drawing drawing;
  for (int i = 0; i < 6000; ++i) {
    drawing.boxes.push_back({"", "", i == 0 ? "input" : "other", "n" + std::to_string(i)});
    if (i > 0) drawing.arrows.emplace_back(i - 1, i);
  }
  std::ranges::rotate(drawing.boxes, drawing.boxes.end() - 1);  // numbers change when it is cut
  for (auto& [from, to] : drawing.arrows) from = (from + 1) % 6000, to = (to + 1) % 6000;
  const std::vector<Problem> problems = {At("n100")};
  const ProblemDrawing cut = DrawProblems(drawing, problems);
  ASSERT_EQ(cut.drawing.boxes.size(), 104u) << "0 to 100, and three behind";
  EXPECT_EQ(cut.drawing.arrows.size(), 103u);
  ASSERT_EQ(cut.paths[0].size(), 101u);
  EXPECT_EQ(cut.drawing.boxes[static_cast<size_t>(cut.paths[0][7])].name, "n7");
  EXPECT_EQ(cut.drawing.boxes[static_cast<size_t>(cut.paths[0][100])].kind, "wrong");
  EXPECT_EQ(DrawProblems(drawing, {}).drawing.boxes.size(), 6000u) << "without problems all of it";
  const std::vector<Problem> elsewhere = {At("nowhere")};
  EXPECT_TRUE(DrawProblems(drawing, elsewhere).drawing.boxes.empty());
}

TEST(ProblemsHtml, ShortensLongPaths) {
  Drawing drawing;
  for (int i = 0; i < 30; ++i) {
    drawing.boxes.push_back(
        {"op" + std::to_string(i), "", i == 0 ? "input" : "other", "n" + std::to_string(i)});
    if (i > 0) drawing.arrows.emplace_back(i - 1, i);
  }
  const std::vector<Problem> problems = {At("n29"), At("nowhere")};
  const std::string html = ProblemsHtml(DrawProblems(drawing, problems), problems);
  EXPECT_NE(html.find(">op5</button> \u2192 18 more \u2192 <button data-box=\"24\">op24<"),
            std::string::npos)
      << html;
  EXPECT_EQ(html.find(">op6<"), std::string::npos);
  EXPECT_NE(html.find("Foo &#39;nowhere&#39;: no</div>"), std::string::npos) << html;
}

}  // namespace
}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/report/report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "converter/report/drawing.h"
#include "converter/report/html.h"
#include "converter/report/json.h"
#include "converter/report/text.h"
#include "nlohmann/json.hpp"

namespace linnet::converter {
namespace {

constexpr char kNastyName[] = "a<b>&\"c'\n\x01\xff";

ConversionReport SomeReport(int num_steps) {
  ConversionReport report;
  report.model = kNastyName;
  report.format = "graphdef";
  report.succeeded = true;
  report.notes = {kNastyName};
  report.inputs = {{"x", "x:0", {DType::kFloat32, {1, 4}}}};
  report.stages = {{"import", 1.5}, {"passes", 20.0}};
  report.passes = {{"prune", 3, 0.5}, {"legalize", 0, 0.1}};
  report.ops_before = {{"Conv2D", 2}, {"Const", 5}};
  report.ops_after = {{"Conv2D", 2}};
  for (int i = 0; i < num_steps; ++i) {
    ConversionReport::Step step;
    step.op = "Conv2D";
    step.source = kNastyName;
    step.backend = i % 2 ? "xnnpack" : "portable";
    step.reason = i % 2 ? "" : "float32 only";
    step.output = {DType::kFloat32, {1, 4}};
    step.reads = {i - 1};
    if (i > 8) step.reads.push_back(i - 7);
    step.macs = 1000 * i;
    report.steps.push_back(step);
    report.memory.placements.push_back({kNastyName, 64 * (i % 4), 64, i, i + 1});
  }
  report.outputs = {{"y", "y:0", {DType::kFloat32, {1, 4}}, {}, num_steps - 1}};
  report.memory.arena_bytes = report.memory.lower_bound = 256;
  report.memory.naive = 6400;
  report.weights = {2, 100, {{"plain", 60}, {"float16", 40}}};
  report.plan_bytes = 4096;
  report.total_ms = 30.0;
  return report;
}

// The reason why `page` (apart from its doctype) is no well-formed XML, or "".
std::string FindMarkupError(std::string_view page) {
  std::vector<std::string> open;
  if (page.starts_with("<!DOCTYPE html>")) page.remove_prefix(15);
  while (!page.empty()) {
    const size_t start = page.find('<');
    const std::string_view text = page.substr(0, start);
    if (!open.empty() && (open.back() == "style" || open.back() == "script")) {
      const size_t end = page.find("</" + open.back());
      if (end == std::string_view::npos) return "never closed: " + open.back();
      page.remove_prefix(end + open.back().size() + 3);
      open.pop_back();
      continue;
    }
    if (text.find('>') != std::string_view::npos) return "bare > in " + std::string(text);
    if (start == std::string_view::npos) break;
    page.remove_prefix(start + 1);
    const size_t end = page.find('>');
    if (end == std::string_view::npos) return "unfinished tag";
    const std::string_view tag = page.substr(0, end);
    page.remove_prefix(end + 1);
    if (std::ranges::count(tag, '"') % 2 != 0) return "odd quotes in " + std::string(tag);
    if (tag.ends_with('/')) continue;
    const std::string name(tag.substr(0, tag.find(' ')));
    if (name[0] != '/') {
      open.push_back(name);
    } else {
      if (open.empty() || "/" + open.back() != name) return "unexpected " + name;
      open.pop_back();
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

TEST(ReportJson, HasTheKeysOfTheReadme) {
  const auto json = nlohmann::json::parse(ReportJson(SomeReport(3)));
  for (const char* key :
       {"succeeded", "model",   "format",    "signature",  "plan",       "problems",      "notes",
        "inputs",    "outputs", "stages_ms", "passes",     "ops_before", "ops_after",     "steps",
        "placement", "memory",  "weights",   "plan_bytes", "total_ms",   "peak_rss_bytes"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["inputs"][0]["shape"], (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(json["inputs"][0]["dtype"], "f32");
  for (const char* key : {"index", "op", "source", "attributes", "backend", "reason", "macs",
                          "bytes", "weight_bytes", "dtype", "shape", "reads", "region"})
    EXPECT_TRUE(json["steps"][2].contains(key)) << key;
  EXPECT_EQ(json["steps"][0]["reads"][0], -1);
  for (const char* key : {"arena_bytes", "lower_bound", "naive", "imported_bound", "placements"})
    EXPECT_TRUE(json["memory"].contains(key)) << key;
  for (const char* key : {"devices", "segments", "copies", "copy_bytes", "estimated_us"})
    EXPECT_TRUE(json["placement"].contains(key)) << key;
  EXPECT_EQ(json["weights"]["by_encoding"]["float16"], 40);
  EXPECT_EQ(json["ops_before"]["Const"], 5);
  EXPECT_EQ(json["stages_ms"]["passes"], 20.0);
}

// Step 1 runs steps 2 (its condition) and 3, 4 (its body).
ConversionReport ReportWithLoop() {
  ConversionReport report = SomeReport(5);
  report.steps[1].op = "While";
  report.steps[1].backend = "control";
  report.steps[2].region = 1;
  report.steps[3].region = report.steps[4].region = 2;
  report.regions = {{1, "condition"}, {1, "body"}};
  return report;
}

TEST(Regions, AreListedBehindTheProgram) {
  const ConversionReport report = ReportWithLoop();
  EXPECT_EQ(report.num_program_steps(), 2);
  const std::string text = StepsText(report);
  const size_t condition = text.find("\nregion 1: condition of step 1\n   2  Conv2D");
  const size_t body = text.find("\nregion 2: body of step 1\n   3  Conv2D");
  EXPECT_NE(condition, std::string::npos) << text;
  EXPECT_NE(body, std::string::npos) << text;
  const auto json = nlohmann::json::parse(ReportJson(report));
  EXPECT_EQ(json["steps"][4]["region"], 2);
  EXPECT_EQ(json["regions"][1]["role"], "body");
  EXPECT_EQ(json["regions"][1]["step"], 1);
  EXPECT_EQ(FindMarkupError(ReportHtml(report)), "");
}

TEST(ReportJson, ListsProblems) {
  ConversionReport report;
  report.problems = {{"n", "Foo", "not known", "cut it", absl::StatusCode::kUnimplemented}};
  const auto json = nlohmann::json::parse(ReportJson(report));
  EXPECT_EQ(json["succeeded"], false);
  EXPECT_EQ(json["problems"][0]["node"], "n");
  EXPECT_EQ(json["problems"][0]["op"], "Foo");
  EXPECT_EQ(json["problems"][0]["reason"], "not known");
  EXPECT_EQ(json["problems"][0]["remedy"], "cut it");
}

TEST(ReportHtml, IsWellFormedAndNeedsNothingElse) {
  const std::string page = ReportHtml(SomeReport(12));
  EXPECT_EQ(FindMarkupError(page), "");
  for (const char* outside : {"src=", "href=", "@import", "url(", "import(", "fetch("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

// A notebook is a page of somebody else.
TEST(ReportFragment, StylesNothingAroundIt) {
  const ConversionReport report = SomeReport(12);
  for (const std::string& fragment :
       {ReportFragment(report), GraphFragment(report), ArenaFragment(report)}) {
    EXPECT_EQ(FindMarkupError(fragment), "");
    EXPECT_TRUE(fragment.starts_with("<div class=\"linnet\">")) << fragment;
    const size_t from = fragment.find("<style>") + 7, to = fragment.find("</style>");
    std::string styles = fragment.substr(from, to - from);
    size_t rules = 0;
    for (size_t open; (open = styles.find('{')) != std::string::npos; ++rules) {
      const std::string selector = styles.substr(0, open);
      EXPECT_TRUE(selector.find(".linnet") != std::string::npos ||
                  selector.find("@media") != std::string::npos)
          << selector;
      styles.erase(0,
                   selector.find("@media") != std::string::npos ? open + 1 : styles.find('}') + 1);
    }
    EXPECT_GT(rules, 20u);
  }
}

TEST(ReportFragment, PicturesStandAlone) {
  const ConversionReport report = SomeReport(12);
  const std::string graph = GraphFragment(report), arena = ArenaFragment(report);
  EXPECT_NE(graph.find("<svg class=\"graph\""), std::string::npos);
  EXPECT_EQ(graph.find("<svg class=\"arena\""), std::string::npos);
  EXPECT_NE(arena.find("<svg class=\"arena\""), std::string::npos);
  EXPECT_EQ(arena.find("<svg class=\"graph\""), std::string::npos);
  const std::string all = ReportFragment(report);
  for (const char* picture : {"<svg class=\"graph\"", "<svg class=\"arena\"", "Costs by step"})
    EXPECT_NE(all.find(picture), std::string::npos) << picture;
}

TEST(ReportHtml, ShowsProblemsOfAFailureAndWaysToThem) {
  ConversionReport report;
  report.problems = {{"n<1>", "Foo", "not known", ""}};
  report.failed_graph.boxes = {{"x", "", "input", "x"}, {"Foo n<1>", "", "other", "n<1>"}};
  report.failed_graph.arrows = {{0, 1}};
  const std::string page = ReportHtml(report);
  EXPECT_EQ(FindMarkupError(page), "");
  EXPECT_NE(page.find("Foo &#39;n&lt;1&gt;&#39;: not known"), std::string::npos);
  EXPECT_NE(page.find("<button data-box=\"0\">x</button>"), std::string::npos);
  EXPECT_NE(page.find("<g class=\"wrong\" data-box=\"1\">"), std::string::npos);
  report.failed_graph = {};
  EXPECT_EQ(FindMarkupError(ReportHtml(report)), "");
}

// Rows of a table lead to boxes of the drawing.
TEST(ReportHtml, NumbersBoxesAndRowsAlike) {
  const ConversionReport report = SomeReport(3);
  const std::string page = ReportHtml(report);
  for (size_t step = 0; step < 3; ++step) {
    const std::string number = std::to_string(BoxOfStep(report, step));
    EXPECT_NE(page.find("<tr data-drawing=\"0\" data-box=\"" + number + "\">"), std::string::npos);
    EXPECT_NE(page.find("<g class=\"mac\" data-box=\"" + number + "\">") != std::string::npos,
              step == 0);  // step 0 has no work
  }
  EXPECT_NE(page.find("convolutions and matrix products"), std::string::npos) << "in the legend";
  EXPECT_EQ(page.find("moves elements"), std::string::npos) << "there are none";
}

TEST(ReportHtml, FiveHundredStepsStayUnderAMegabyte) {
  const std::string page = ReportHtml(SomeReport(500));
  EXPECT_EQ(FindMarkupError(page), "");
  EXPECT_LT(page.size(), 1u << 20);
}

TEST(ReportText, SaysWhatMatters) {
  const std::string text = ReportText(SomeReport(4));
  for (const char* part :
       {"f32[1,4]", "prune", "Const 5", "xnnpack: 2 steps", "2 x Conv2D: float32 only",
        "arena 256 B / lower bound 256 B / naive 6.2 KiB", "40 B float16", "4.0 KiB", "30 ms"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(DrawingDot, NamesBoxesAndArrows) {
  Drawing drawing;
  drawing.boxes = {{"a \"quoted\"", "t", "mac"}, {"b", "t", "other"}};
  drawing.arrows = {{0, 1}};
  const std::string dot = DrawingDot(drawing);
  EXPECT_NE(dot.find(R"(label="a \"quoted\"")"), std::string::npos) << dot;
  EXPECT_NE(dot.find("n0 -> n1;"), std::string::npos);
}

}  // namespace
}  // namespace linnet::converter

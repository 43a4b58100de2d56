// SPDX-License-Identifier: Apache-2.0
#include "converter/report/html.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <vector>

#include "converter/graph/text/constant_text.h"
#include "converter/report/arena_picture.h"
#include "converter/report/drawing.h"
#include "converter/report/page.h"
#include "converter/report/problem_paths.h"
#include "converter/report/text.h"
#include "converter/report/units.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// A colour and what it stands for.
struct Key {
  const char* kind;
  const char* meaning;
};

constexpr Key kBoxKeys[] = {{"wrong", "cannot be converted"},
                            {"mac", "convolutions and matrix products"},
                            {"other", "other arithmetic"},
                            {"move", "moves elements"},
                            {"none", "takes no time: its output is its input's memory"},
                            {"input", "inputs and outputs"}};
constexpr Key kBufferKeys[] = {{"s0", "at least half of the arena"},
                               {"s1", "a quarter"},
                               {"s2", "an eighth"},
                               {"s3", "a sixteenth"},
                               {"s4", "less"}};

std::string Legend(std::span<const Key> keys) {
  std::string html = "<div class=\"legend\">";
  for (const auto& [kind, meaning] : keys)
    html += fmt::format("<span><i class=\"{}\"></i>{}</span>", kind, meaning);
  return html + "</div>\n";
}

// A drawing with its legend, which names only the kinds that there are.
std::string DrawingFigure(const Drawing& drawing) {
  std::vector<Key> keys;
  std::ranges::copy_if(kBoxKeys, std::back_inserter(keys), [&](const Key& key) {
    return std::ranges::find(drawing.boxes, key.kind, &Drawing::Box::kind) != drawing.boxes.end();
  });
  return fmt::format(
      "<figure class=\"drawing\">{}<div class=\"tools\"><button data-zoom=\"out\">\u2212</button> "
      "<button data-zoom=\"in\">+</button> <button data-zoom=\"whole\">whole</button> <button "
      "data-zoom=\"full\">100 %</button> <span>or Ctrl and the wheel</span></div>\n"
      "<div class=\"box\">{}</div></figure>\n",
      Legend(keys), DrawingSvg(drawing));
}

std::string ArenaFigure(const ConversionReport& program) {
  return fmt::format("<figure>{}<div class=\"box\">{}</div></figure>\n", Legend(kBufferKeys),
                     ArenaSvg(program));
}

// What is between the title of a page and its end.
class ReportBody {
 public:
  explicit ReportBody(const ConversionReport& report) : report_(report) {}

  std::string Write() {
    text_ += SearchField();
    Problems();
    Section("Summary");
    Add("<pre>{}</pre>\n", EscapeHtmlLines(ReportText(report_)));
    if (!report_.steps.empty()) {
      Pictures(report_, "");
      CostsByOp();
      Costs(report_, "");
      ++drawing_;
    }
    for (const ConversionReport& variant : report_.variants) {
      const std::string of = fmt::format(" of program {}", EscapeHtml(variant.variant));
      Pictures(variant, of);
      Costs(variant, of);
      ++drawing_;
    }
    return text_;
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  void Section(std::string_view title) { Add("<h2>{}</h2>\n", title); }

  void Pictures(const ConversionReport& program, const std::string& of) {
    Section("Graph" + of);
    text_ += DrawingFigure(DrawProgram(program));
    Section(fmt::format("Arena{} over time", of));
    Add("<p>Each box is a buffer: from the step that writes it to the last that reads it, at its "
        "offset. "
        "Lower bound {}, arena {}.</p>\n",
        BytesText(program.memory.lower_bound), BytesText(program.memory.arena_bytes));
    text_ += ArenaFigure(program);
  }

  void Problems() {
    if (report_.problems.empty()) return;
    Section("Problems");
    text_ += GraphWithProblems(report_.failed_graph, report_.problems);
  }

  void CostsByOp() {
    struct Row {
      int64_t steps = 0, macs = 0, bytes = 0, weight_bytes = 0;
    };
    std::map<std::string, Row> rows;
    for (const ConversionReport::Step& step : report_.steps) {
      Row& row = rows[step.op];
      ++row.steps;
      row.macs += step.macs;
      row.bytes += step.bytes;
      row.weight_bytes += step.weight_bytes;
    }
    Section("Costs by op");
    Add("<table><tr><th>op</th><th class=\"n\">steps</th><th class=\"n\">work</th>"
        "<th class=\"n\">in and out</th><th class=\"n\">weights</th></tr>\n");
    for (const auto& [op, row] : rows)
      Add("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td></tr>\n",
          op, row.steps, MacsText(row.macs), BytesText(row.bytes), BytesText(row.weight_bytes));
    Add("</table>\n");
  }

  void Costs(const ConversionReport& program, const std::string& of) {
    int64_t most = 1;
    for (const ConversionReport::Step& step : program.steps) most = std::max(most, step.macs);
    Section("Costs by step" + of);
    Add("<table><tr><th class=\"n\">step</th><th>op</th><th>output</th><th>source</th><th>runs "
        "on</th>"
        "<th class=\"n\">work</th><th></th><th class=\"n\">in and out</th><th "
        "class=\"n\">weights</th></tr>\n");
    for (size_t i = 0; i < program.steps.size(); ++i) {
      const ConversionReport::Step& step = program.steps[i];
      if (step.region > 0 && step.region != program.steps[i - 1].region) {
        const ConversionReport::Region& region = program.regions[step.region - 1];
        Add("<tr><td colspan=\"9\">region {}: {} of step {}</td></tr>\n", step.region, region.role,
            region.step);
      }
      Add("<tr data-drawing=\"{}\" data-box=\"{}\"><td class=\"n\">{}</td><td>{}</td><td>{}</td>"
          "<td>{}</td><td>{}{}{}</td><td class=\"n\">{}</td>"
          "<td class=\"bar\"><div style=\"width:{:.1f}%\"></div></td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td></tr>\n",
          drawing_, BoxOfStep(program, i), i, step.op, TypeText(step.output),
          EscapeHtml(step.source), EscapeHtml(step.backend), step.reason.empty() ? "" : ": ",
          EscapeHtml(step.reason), MacsText(step.macs),
          100.0 * static_cast<double>(step.macs) / static_cast<double>(most), BytesText(step.bytes),
          BytesText(step.weight_bytes));
    }
    Add("</table>\n");
  }

  const ConversionReport& report_;
  std::string text_;
  int drawing_ = 0;  // of how many drawings the page has the figures already
};

}  // namespace

std::string ReportHtml(const ConversionReport& report) {
  return HtmlPage(report.model, ReportBody(report).Write());
}

std::string ReportFragment(const ConversionReport& report) {
  return HtmlFragment(ReportBody(report).Write());
}

std::string GraphFragment(const ConversionReport& report) {
  return HtmlFragment(SearchField() + DrawingFigure(DrawProgram(report)));
}

std::string ArenaFragment(const ConversionReport& report) {
  return HtmlFragment(ArenaFigure(report));
}

std::string GraphWithProblems(const Drawing& graph, std::span<const Problem> problems) {
  const ProblemDrawing drawn = DrawProblems(graph, problems);
  const Drawing& drawing = drawn.drawing;
  std::string html = ProblemsHtml(drawn, problems);
  if (drawing.boxes.empty()) return html;
  html += "<p>Constants and control edges are left out.";
  if (drawing.boxes.size() < graph.boxes.size())
    html += fmt::format(
        " Of {} nodes, {} are shown: the ways from inputs to what cannot be "
        "converted, and what is near.",
        graph.boxes.size(), drawing.boxes.size());
  return html + "</p>\n" + DrawingFigure(drawing);
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/report/html.h"

#include <algorithm>
#include <iterator>

#include "converter/graph/text/constant_text.h"
#include "converter/report/arena_picture.h"
#include "converter/report/drawing.h"
#include "converter/report/text.h"
#include "converter/report/units.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// Names match the classes that drawing.cc and arena_picture.cc write. Every rule holds for elements
// inside of class "linnet" only, because fragments stand in pages of others.
constexpr std::string_view kStyle = R"(
.linnet { color-scheme: light dark; --ink: #1d2733; --line: #9aa7b5; --soft: #eef1f5; --page: #ffffff; }
@media (prefers-color-scheme: dark) {
  .linnet { --ink: #e4e9ef; --line: #66727f; --soft: #252c35; --page: #171c22; }
}
.linnet { font: 14px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--page); }
body.linnet { margin: 24px; }
.linnet h1 { font-size: 20px; } .linnet h2 { font-size: 16px; margin-top: 28px; }
.linnet pre { font: 12px/1.4 ui-monospace, monospace; color: var(--ink); background: var(--soft); padding: 12px; overflow: auto; }
.linnet .box { overflow: auto; max-height: 80vh; border: 1px solid var(--line); resize: vertical; }
.linnet table { border-collapse: collapse; font-size: 12px; }
.linnet th, .linnet td { text-align: left; padding: 2px 10px 2px 0; border-bottom: 1px solid var(--soft); vertical-align: top; }
.linnet td.n, .linnet th.n { text-align: right; font-variant-numeric: tabular-nums; }
.linnet td.bar { width: 160px; } .linnet td.bar div { height: 9px; background: #4c7fb8; }
.linnet .problem { border-left: 4px solid #c0392b; padding: 2px 10px; margin: 6px 0; background: var(--soft); }
.linnet svg text { font: 10.5px ui-monospace, monospace; fill: var(--ink); }
.linnet svg.graph path { fill: none; stroke: var(--line); }
.linnet svg.graph text { text-anchor: middle; fill: #14202b; }
.linnet svg.graph rect { fill: #e3e8ee; stroke: #8694a3; }
.linnet svg.graph .mac rect { fill: #b9d3f0; stroke: #4c7fb8; }
.linnet svg.graph .move rect { fill: #f3e3b3; stroke: #b8923a; }
.linnet svg.graph .none rect { fill: #f7f7f7; stroke-dasharray: 3 3; }
.linnet svg.graph .input rect, .linnet svg.graph .output rect { fill: #c8e6c9; stroke: #3f8f46; }
.linnet svg.arena .grid { stroke: var(--line); stroke-opacity: .4; }
.linnet svg.arena .y { text-anchor: end; } .linnet svg.arena .x { text-anchor: middle; }
.linnet svg.arena rect { stroke: #ffffff; stroke-width: .6; fill-opacity: .85; }
.linnet .s0 { fill: #8e3b6f; } .linnet .s1 { fill: #c4553f; } .linnet .s2 { fill: #d99a3d; }
.linnet .s3 { fill: #5f9e6e; } .linnet .s4 { fill: #4c7fb8; }
.linnet rect:hover { stroke: #000000; stroke-width: 1.5; }
)";

std::string GraphBox(const ConversionReport& program) {
  return fmt::format("<div class=\"box\">{}</div>\n", DrawingSvg(DrawProgram(program)));
}

std::string ArenaBox(const ConversionReport& program) {
  return fmt::format("<div class=\"box\">{}</div>\n", ArenaSvg(program));
}

// What is between the title of a page and its end.
class ReportBody {
 public:
  explicit ReportBody(const ConversionReport& report) : report_(report) {}

  std::string Write() {
    Problems();
    Section("Summary");
    Add("<pre>{}</pre>\n", EscapeHtmlLines(ReportText(report_)));
    if (!report_.steps.empty()) {
      Pictures(report_, "");
      CostsByOp();
      Costs(report_, "");
    }
    for (const ConversionReport& variant : report_.variants) {
      const std::string of = fmt::format(" of program {}", EscapeHtml(variant.variant));
      Pictures(variant, of);
      Costs(variant, of);
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
    text_ += GraphBox(program);
    Section(fmt::format("Arena{} over time", of));
    Add("<p>Each box is a buffer: from the step that writes it to the last that reads it, at its "
        "offset. "
        "Lower bound {}, arena {}.</p>\n",
        BytesText(program.memory.lower_bound), BytesText(program.memory.arena_bytes));
    text_ += ArenaBox(program);
  }

  void Problems() {
    if (report_.problems.empty()) return;
    Section("Problems");
    for (const Problem& problem : report_.problems)
      Add("<div class=\"problem\">{}</div>\n", EscapeHtml(ToString(problem)));
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
      Add("<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}{}{}</td><td "
          "class=\"n\">{}</td>"
          "<td class=\"bar\"><div style=\"width:{:.1f}%\"></div></td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td></tr>\n",
          i, step.op, TypeText(step.output), EscapeHtml(step.source), step.backend,
          step.reason.empty() ? "" : ": ", EscapeHtml(step.reason), MacsText(step.macs),
          100.0 * static_cast<double>(step.macs) / static_cast<double>(most), BytesText(step.bytes),
          BytesText(step.weight_bytes));
    }
    Add("</table>\n");
  }

  const ConversionReport& report_;
  std::string text_;
};

}  // namespace

std::string ReportHtml(const ConversionReport& report) {
  return HtmlPage(report.model, ReportBody(report).Write());
}

std::string HtmlFragment(std::string_view body) {
  return fmt::format("<div class=\"linnet\">\n<style>{}</style>\n{}</div>\n", kStyle, body);
}

std::string ReportFragment(const ConversionReport& report) {
  return HtmlFragment(ReportBody(report).Write());
}

std::string GraphFragment(const ConversionReport& report) { return HtmlFragment(GraphBox(report)); }

std::string ArenaFragment(const ConversionReport& report) { return HtmlFragment(ArenaBox(report)); }

std::string HtmlPage(std::string_view title, std::string_view body) {
  const std::string name = EscapeHtml(title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body class=\"linnet\">\n<h1>{}</h1>\n{}</body>\n</html>\n",
      name, kStyle, name, body);
}

}  // namespace linnet::converter

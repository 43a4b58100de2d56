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

// Names match the classes that drawing.cc and arena_picture.cc write.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2733; --line: #9aa7b5; --soft: #eef1f5; --page: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9ef; --line: #66727f; --soft: #252c35; --page: #171c22; }
}
body { font: 14px/1.45 system-ui, sans-serif; margin: 24px; color: var(--ink); background: var(--page); }
h1 { font-size: 20px; } h2 { font-size: 16px; margin-top: 28px; }
pre { font: 12px/1.4 ui-monospace, monospace; background: var(--soft); padding: 12px; overflow: auto; }
.box { overflow: auto; max-height: 80vh; border: 1px solid var(--line); resize: vertical; }
table { border-collapse: collapse; font-size: 12px; }
th, td { text-align: left; padding: 2px 10px 2px 0; border-bottom: 1px solid var(--soft); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
td.bar { width: 160px; } td.bar div { height: 9px; background: #4c7fb8; }
.problem { border-left: 4px solid #c0392b; padding: 2px 10px; margin: 6px 0; background: var(--soft); }
svg text { font: 10.5px ui-monospace, monospace; fill: var(--ink); }
svg.graph path { fill: none; stroke: var(--line); }
svg.graph text { text-anchor: middle; fill: #14202b; }
svg.graph rect { fill: #e3e8ee; stroke: #8694a3; }
svg.graph .mac rect { fill: #b9d3f0; stroke: #4c7fb8; }
svg.graph .move rect { fill: #f3e3b3; stroke: #b8923a; }
svg.graph .none rect { fill: #f7f7f7; stroke-dasharray: 3 3; }
svg.graph .input rect, svg.graph .output rect { fill: #c8e6c9; stroke: #3f8f46; }
svg.arena .grid { stroke: var(--line); stroke-opacity: .4; }
svg.arena .y { text-anchor: end; } svg.arena .x { text-anchor: middle; }
svg.arena rect { stroke: #ffffff; stroke-width: .6; fill-opacity: .85; }
.s0 { fill: #8e3b6f; } .s1 { fill: #c4553f; } .s2 { fill: #d99a3d; } .s3 { fill: #5f9e6e; } .s4 { fill: #4c7fb8; }
rect:hover { stroke: #000000; stroke-width: 1.5; }
)";

class ReportPage {
 public:
  explicit ReportPage(const ConversionReport& report) : report_(report) {}

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
    return HtmlPage(report_.model, text_);
  }

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  void Section(std::string_view title) { Add("<h2>{}</h2>\n", title); }

  void Pictures(const ConversionReport& program, const std::string& of) {
    Section("Graph" + of);
    Add("<div class=\"box\">{}</div>\n", DrawingSvg(DrawProgram(program)));
    Section(fmt::format("Arena{} over time", of));
    Add("<p>Each box is a buffer: from the step that writes it to the last that reads it, at its "
        "offset. "
        "Lower bound {}, arena {}.</p>\n",
        BytesText(program.memory.lower_bound), BytesText(program.memory.arena_bytes));
    Add("<div class=\"box\">{}</div>\n", ArenaSvg(program));
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

std::string ReportHtml(const ConversionReport& report) { return ReportPage(report).Write(); }

std::string HtmlPage(std::string_view title, std::string_view body) {
  const std::string name = EscapeHtml(title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}</body>\n</html>\n",
      name, kStyle, name, body);
}

}  // namespace linnet::converter

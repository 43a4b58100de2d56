// SPDX-License-Identifier: Apache-2.0
#include "converter/report/drawing.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "absl/strings/str_replace.h"
#include "converter/graph/text/constant_text.h"
#include "converter/report/layered_layout.h"
#include "converter/report/units.h"
#include "fmt/format.h"
#include "runtime/core/printable.h"

namespace linnet::converter {
namespace {

constexpr size_t kMaxLabel = 40;

std::string KindOfStep(const ConversionReport::Step& step) {
  static const std::set<std::string> kMoves = {"Reshape",  "Transpose",    "Concat",      "Slice",
                                               "Tile",     "BroadcastTo",  "Pad",         "Gather",
                                               "GatherNd", "DepthToSpace", "SpaceToDepth"};
  if (step.backend == "none") return "none";
  if (step.macs > 0) return "mac";
  return kMoves.contains(step.op) ? "move" : "other";
}

// The op and the end of the name, in which nodes differ.
std::string LabelOf(const Node& node) {
  std::string op = node.op_name();
  if (op.size() > kMaxLabel - 12) op = op.substr(0, kMaxLabel - 15) + "...";
  const std::string& name = node.name();
  if (op.size() + 1 + name.size() <= kMaxLabel) return fmt::format("{} {}", op, name);
  const size_t room = kMaxLabel - op.size() - 4;
  size_t begin = name.size() - std::min(name.size(), room);
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xc0) == 0x80) ++begin;
  return fmt::format("{} ...{}", op, name.substr(begin));
}

std::string EscapeDot(std::string_view text) {
  return absl::StrReplaceAll(PrintableLines(text), {{"\"", "\\\""}, {"\\", "\\\\"}, {"\n", "\\n"}});
}

constexpr std::string_view kDotHead = "digraph model {\n  node [shape=box, fontsize=10];\n";

// Boxes and arrows. `name`: with a number, a name of each box.
std::string DotBody(const Drawing& drawing, std::string_view name) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (size_t i = 0; i < drawing.boxes.size(); ++i)
    fmt::format_to(out, "  {}{} [label=\"{}\", tooltip=\"{}\", class=\"{}\"];\n", name, i,
                   EscapeDot(drawing.boxes[i].label), EscapeDot(drawing.boxes[i].title),
                   drawing.boxes[i].kind);
  for (const auto& [from, to] : drawing.arrows)
    fmt::format_to(out, "  {0}{1} -> {0}{2};\n", name, from, to);
  return text;
}

}  // namespace

int BoxOfStep(const ConversionReport& report, size_t step) {
  return static_cast<int>(report.inputs.size() + step);
}

Drawing DrawProgram(const ConversionReport& report) {
  Drawing drawing;
  const auto box_of = [&](int producer) {
    return producer < 0 ? -1 - producer : BoxOfStep(report, static_cast<size_t>(producer));
  };
  for (const auto& port : report.inputs)
    drawing.boxes.push_back(
        {fmt::format("{} {}", port.name, TypeText(port.type)), port.source, "input"});
  for (size_t i = 0; i < report.steps.size(); ++i) {
    const ConversionReport::Step& step = report.steps[i];
    const int box = static_cast<int>(drawing.boxes.size());
    drawing.boxes.push_back(
        {fmt::format("{} {} {}{}", i, step.op, TypeText(step.output),
                     step.region > 0 ? fmt::format(" (region {})", step.region) : ""),
         fmt::format("{}\n{}\n{}, {}, {} in and out, {} of weights\n{}{}", step.source,
                     step.attributes, step.backend, MacsText(step.macs), BytesText(step.bytes),
                     BytesText(step.weight_bytes),
                     step.reason.empty() ? "" : "because: ", step.reason),
         KindOfStep(step)});
    for (const int producer : step.reads)
      if (producer != ConversionReport::kNothing)
        drawing.arrows.emplace_back(box_of(producer), box);
  }
  for (const auto& port : report.outputs) {
    const int box = static_cast<int>(drawing.boxes.size());
    drawing.boxes.push_back(
        {fmt::format("{} {}", port.name, TypeText(port.type)), port.source, "output"});
    if (port.producer != ConversionReport::kNothing)
      drawing.arrows.emplace_back(box_of(port.producer), box);
  }
  return drawing;
}

Drawing DrawGraph(const Graph& graph) {
  Drawing drawing;
  std::vector<int> boxes(static_cast<size_t>(graph.num_node_ids()), -1);
  for (const Node* node : graph.op_nodes()) {
    if (node->IsConstant()) continue;
    boxes[node->id()] = static_cast<int>(drawing.boxes.size());
    const NodeClass node_class = node->node_class();
    std::string kind = "other";
    if (node_class == NodeClass::kArg || node_class == NodeClass::kPlaceholder) kind = "input";
    if (node_class == NodeClass::kRetval) kind = "output";
    if (node_class == NodeClass::kIdentity || node_class == NodeClass::kNoOp) kind = "none";
    if (node->op_name().find("Conv2D") != std::string::npos ||
        node->op_name().find("MatMul") != std::string::npos)
      kind = "mac";
    drawing.boxes.push_back({LabelOf(*node), node->name(), kind, node->name()});
  }
  for (const Edge* edge : graph.edges())
    if (!edge->IsControlEdge() && boxes[edge->src->id()] >= 0 && boxes[edge->dst->id()] >= 0)
      drawing.arrows.emplace_back(boxes[edge->src->id()], boxes[edge->dst->id()]);
  return drawing;
}

std::string DrawingDot(const Drawing& drawing) {
  return fmt::format("{}{}}}\n", kDotHead, DotBody(drawing, "n"));
}

std::string ProgramsDot(const ConversionReport& report) {
  if (report.variants.empty()) return DrawingDot(DrawProgram(report));
  std::string text(kDotHead);
  const auto add = [&](const ConversionReport& program) {
    text += fmt::format("  subgraph \"cluster_{0}\" {{\n  label=\"{0}\";\n{1}  }}\n",
                        EscapeDot(program.variant),
                        DotBody(DrawProgram(program), EscapeDot(program.variant)));
  };
  add(report);
  for (const ConversionReport& variant : report.variants) add(variant);
  return text + "}\n";
}

std::string DrawingSvg(const Drawing& drawing) {
  constexpr double kCharacter = 6.3;  // of the 10.5 px monospace of page.css
  std::vector<double> widths;
  for (const Drawing::Box& box : drawing.boxes)
    widths.push_back(kCharacter * static_cast<double>(box.label.size()) + 14.0);
  const LayeredLayout layout = LayOutLayers(widths, drawing.arrows);
  std::string svg = fmt::format(
      "<svg class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n",
      layout.width, layout.height);
  const auto out = std::back_inserter(svg);
  for (const std::vector<LayeredLayout::Point>& line : layout.lines) {
    fmt::format_to(out, "<path d=\"M{:.1f} {:.1f}", line[0].x, line[0].y);
    for (size_t i = 1; i < line.size(); ++i) {
      const double middle = (line[i - 1].y + line[i].y) / 2.0;
      fmt::format_to(out, "C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", line[i - 1].x, middle,
                     line[i].x, middle, line[i].x, line[i].y);
    }
    svg += "\"/>\n";
  }
  for (size_t i = 0; i < drawing.boxes.size(); ++i) {
    const Drawing::Box& box = drawing.boxes[i];
    const LayeredLayout::Point& center = layout.centers[i];
    fmt::format_to(out,
                   "<g class=\"{}\" data-box=\"{}\"><title>{}</title><rect x=\"{:.1f}\" "
                   "y=\"{:.1f}\" width=\"{:.1f}\" "
                   "height=\"{:.1f}\" rx=\"4\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
                   box.kind, i, EscapeHtml(box.title), center.x - widths[i] / 2.0,
                   center.y - kBoxHeight / 2.0, widths[i], kBoxHeight, center.x, center.y + 3.5,
                   EscapeHtml(box.label));
  }
  return svg + "</svg>\n";
}

}  // namespace linnet::converter

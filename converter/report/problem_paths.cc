// SPDX-License-Identifier: Apache-2.0
#include "converter/report/problem_paths.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "converter/report/units.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr size_t kMostBoxes = 2000;
constexpr int kNear = 3;

using Neighbours = std::vector<std::vector<int>>;

// By box, those with an arrow to it.
Neighbours Producers(const Drawing& drawing) {
  Neighbours producers(drawing.boxes.size());
  for (const auto& [from, to] : drawing.arrows) producers[static_cast<size_t>(to)].push_back(from);
  return producers;
}

std::vector<int> PathTo(const Drawing& drawing, const Neighbours& producers, int box) {
  std::vector<int> next(drawing.boxes.size(), -1);  // on the way to `box`; itself for `box`
  next[static_cast<size_t>(box)] = box;
  std::vector<int> queue = {box};
  for (size_t head = 0; head < queue.size(); ++head) {
    int at = queue[head];
    if (drawing.boxes[static_cast<size_t>(at)].kind == "input") {
      std::vector<int> path = {at};
      while (at != box) path.push_back(at = next[static_cast<size_t>(at)]);
      return path;
    }
    for (const int producer : producers[static_cast<size_t>(at)]) {
      if (next[static_cast<size_t>(producer)] >= 0) continue;
      next[static_cast<size_t>(producer)] = at;
      queue.push_back(producer);
    }
  }
  return {box};
}

// Adds to `kept` what is at most kNear arrows away from it, in either direction.
void Widen(const Drawing& drawing, std::vector<bool>* kept) {
  for (int i = 0; i < kNear; ++i) {
    const std::vector<bool> before = *kept;
    for (const auto& [from, to] : drawing.arrows)
      if (before[static_cast<size_t>(from)] || before[static_cast<size_t>(to)])
        (*kept)[static_cast<size_t>(from)] = (*kept)[static_cast<size_t>(to)] = true;
  }
}

Drawing CutTo(const Drawing& drawing, const std::vector<bool>& kept) {
  Drawing cut;
  std::vector<int> number(drawing.boxes.size(), -1);
  for (size_t i = 0; i < drawing.boxes.size(); ++i) {
    if (!kept[i]) continue;
    number[i] = static_cast<int>(cut.boxes.size());
    cut.boxes.push_back(drawing.boxes[i]);
  }
  for (const auto& [from, to] : drawing.arrows)
    if (kept[static_cast<size_t>(from)] && kept[static_cast<size_t>(to)])
      cut.arrows.emplace_back(number[static_cast<size_t>(from)], number[static_cast<size_t>(to)]);
  return cut;
}

// "Conv2D a", or what stands for the middle of a long path.
void AddPath(const Drawing& drawing, const std::vector<int>& path, std::string* html) {
  constexpr size_t kEnds = 6;
  *html += "<div class=\"path\">";
  for (size_t i = 0; i < path.size(); ++i) {
    if (i == kEnds && path.size() > 2 * kEnds + 1) {
      i = path.size() - kEnds;
      *html += fmt::format(" \u2192 {} more", i - kEnds);
    }
    const auto& box = drawing.boxes[static_cast<size_t>(path[i])];
    fmt::format_to(std::back_inserter(*html), "{}<button data-box=\"{}\">{}</button>",
                   i == 0 ? "" : " \u2192 ", path[i], EscapeHtml(box.label));
  }
  *html += "</div>";
}

}  // namespace

int BoxOfNode(const Drawing& drawing, const std::string& node) {
  int best = -1;
  size_t longest = 0;
  for (size_t i = 0; i < drawing.boxes.size(); ++i) {
    const std::string& name = drawing.boxes[i].name;
    if (name == node) return static_cast<int>(i);
    if (name.size() <= longest || name.size() >= node.size() || node[name.size()] != '/') continue;
    if (!node.starts_with(name)) continue;
    longest = name.size();
    best = static_cast<int>(i);
  }
  return best;
}

std::vector<int> PathTo(const Drawing& drawing, int box) {
  return PathTo(drawing, Producers(drawing), box);
}

Drawing AroundProblems(Drawing drawing, std::span<const Problem> problems) {
  const Neighbours producers = Producers(drawing);
  std::vector<bool> kept(drawing.boxes.size(), false);
  std::vector<size_t> wrong;
  for (const Problem& problem : problems) {
    const int box = BoxOfNode(drawing, problem.node);
    if (box < 0) continue;
    wrong.push_back(static_cast<size_t>(box));
    for (const int on_path : PathTo(drawing, producers, box))
      kept[static_cast<size_t>(on_path)] = true;
  }
  for (const size_t box : wrong) drawing.boxes[box].kind = "wrong";
  if (wrong.empty() || drawing.boxes.size() <= kMostBoxes) return drawing;
  Widen(drawing, &kept);
  return CutTo(drawing, kept);
}

std::string ProblemsHtml(const Drawing& drawing, std::span<const Problem> problems) {
  const Neighbours producers = Producers(drawing);
  std::string html;
  for (const Problem& problem : problems) {
    html += fmt::format("<div class=\"problem\">{}", EscapeHtml(ToString(problem)));
    if (const int box = BoxOfNode(drawing, problem.node); box >= 0)
      AddPath(drawing, PathTo(drawing, producers, box), &html);
    html += "</div>\n";
  }
  return html;
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/report/problem_paths.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "converter/report/units.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr size_t kMostBoxes = 2000;
constexpr int kNear = 3;

// Finds boxes by name, and ways from inputs.
class Finder {
 public:
  explicit Finder(const Drawing& drawing) : drawing_(drawing) {
    for (size_t i = 0; i < drawing.boxes.size(); ++i)
      by_name_.try_emplace(drawing.boxes[i].name, static_cast<int>(i));
    Search();
  }

  int BoxOf(std::string_view node) const {
    for (;;) {
      if (const auto it = by_name_.find(node); !node.empty() && it != by_name_.end())
        return it->second;
      const size_t slash = node.rfind('/');
      if (slash == std::string_view::npos) return -1;
      node = node.substr(0, slash);
    }
  }

  std::vector<int> PathTo(int box) const {
    std::vector<int> path;
    for (int at = box; at >= 0; at = before_[static_cast<size_t>(at)]) path.push_back(at);
    std::ranges::reverse(path);
    return path;
  }

 private:
  // From all inputs at once: `before_` is where a shortest way to a box comes from, -1 where one
  // begins and where none leads.
  void Search() {
    const size_t count = drawing_.boxes.size();
    std::vector<std::vector<int>> readers(count);
    for (const auto& [from, to] : drawing_.arrows) readers[static_cast<size_t>(from)].push_back(to);
    before_.assign(count, -1);
    std::vector<bool> seen(count, false);
    std::vector<int> queue;
    for (size_t i = 0; i < count; ++i) {
      if (drawing_.boxes[i].kind != "input") continue;
      seen[i] = true;
      queue.push_back(static_cast<int>(i));
    }
    for (size_t head = 0; head < queue.size(); ++head) {
      for (const int reader : readers[static_cast<size_t>(queue[head])]) {
        if (seen[static_cast<size_t>(reader)]) continue;
        seen[static_cast<size_t>(reader)] = true;
        before_[static_cast<size_t>(reader)] = queue[head];
        queue.push_back(reader);
      }
    }
  }

  const Drawing& drawing_;
  std::map<std::string_view, int> by_name_;
  std::vector<int> before_;
};

// Adds to `kept` what is at most kNear arrows away from it, in either direction.
void Widen(const Drawing& drawing, std::vector<bool>* kept) {
  for (int i = 0; i < kNear; ++i) {
    const std::vector<bool> before = *kept;
    for (const auto& [from, to] : drawing.arrows)
      if (before[static_cast<size_t>(from)] || before[static_cast<size_t>(to)])
        (*kept)[static_cast<size_t>(from)] = (*kept)[static_cast<size_t>(to)] = true;
  }
}

// The boxes that are kept, with the paths, all of whose boxes are.
ProblemDrawing CutTo(const ProblemDrawing& whole, const std::vector<bool>& kept) {
  const Drawing& drawing = whole.drawing;
  ProblemDrawing cut;
  std::vector<int> number(drawing.boxes.size(), -1);
  for (size_t i = 0; i < drawing.boxes.size(); ++i) {
    if (!kept[i]) continue;
    number[i] = static_cast<int>(cut.drawing.boxes.size());
    cut.drawing.boxes.push_back(drawing.boxes[i]);
  }
  for (const auto& [from, to] : drawing.arrows)
    if (kept[static_cast<size_t>(from)] && kept[static_cast<size_t>(to)])
      cut.drawing.arrows.emplace_back(number[static_cast<size_t>(from)],
                                      number[static_cast<size_t>(to)]);
  cut.paths = whole.paths;
  for (std::vector<int>& path : cut.paths)
    for (int& box : path) box = number[static_cast<size_t>(box)];
  return cut;
}

// The boxes of a path; of a long one, its ends.
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

ProblemDrawing DrawProblems(Drawing drawing, std::span<const Problem> problems) {
  ProblemDrawing drawn{std::move(drawing), {}};
  std::vector<bool> kept(drawn.drawing.boxes.size(), false);
  const Finder finder(drawn.drawing);
  for (const Problem& problem : problems) {
    const int box = finder.BoxOf(problem.node);
    drawn.paths.push_back(box < 0 ? std::vector<int>() : finder.PathTo(box));
    for (const int on_path : drawn.paths.back()) kept[static_cast<size_t>(on_path)] = true;
  }
  for (const std::vector<int>& path : drawn.paths)
    if (!path.empty()) drawn.drawing.boxes[static_cast<size_t>(path.back())].kind = "wrong";
  if (problems.empty() || drawn.drawing.boxes.size() <= kMostBoxes) return drawn;
  Widen(drawn.drawing, &kept);
  return CutTo(drawn, kept);
}

std::string ProblemsHtml(const ProblemDrawing& drawn, std::span<const Problem> problems) {
  std::string html;
  for (size_t i = 0; i < problems.size(); ++i) {
    html += fmt::format("<div class=\"problem\">{}", EscapeHtml(ToString(problems[i])));
    if (!drawn.paths[i].empty()) AddPath(drawn.drawing, drawn.paths[i], &html);
    html += "</div>\n";
  }
  return html;
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "converter/graph/graph.h"
#include "converter/report/report.h"

namespace linnet::converter {

// A graph as boxes and arrows, whatever it came from.
struct Drawing {
  struct Box {
    std::string label;
    std::string title;  // shown on demand; may have several lines
    // "input", "output", "mac" (convolutions and matrix products), "move", "none" or "other"
    std::string kind;
  };
  std::vector<Box> boxes;
  std::vector<std::pair<int, int>> arrows;  // from, to
};

// Inputs, steps and outputs of a program.
Drawing DrawProgram(const ConversionReport& report);
// Nodes of a graph in either vocabulary; constants are left out, control edges too.
Drawing DrawGraph(const Graph& graph);

// For Graphviz.
std::string DrawingDot(const Drawing& drawing);
// The same of all programs of the signature; a cluster for each where there are several.
std::string ProgramsDot(const ConversionReport& report);
// An <svg> element for a page with the styles of html.cc.
std::string DrawingSvg(const Drawing& drawing);

}  // namespace linnet::converter

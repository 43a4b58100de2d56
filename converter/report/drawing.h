// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/graph/graph.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Inputs, steps and outputs of a program. Step i is the box BoxOfStep(report, i).
Drawing DrawProgram(const ConversionReport& report);
int BoxOfStep(const ConversionReport& report, size_t step);
// Nodes of a graph in either vocabulary; constants are left out, control edges too.
Drawing DrawGraph(const Graph& graph);

// For Graphviz.
std::string DrawingDot(const Drawing& drawing);
// The same of all programs of the signature; a cluster for each where there are several.
std::string ProgramsDot(const ConversionReport& report);
// An <svg> element for a page with the styles of page.css.
std::string DrawingSvg(const Drawing& drawing);

}  // namespace linnet::converter

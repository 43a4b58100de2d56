// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "converter/report/report.h"

namespace linnet::converter {

// One self-contained page: what happened, the graph, the arena over time, what each step costs.
// Problems first when there are any, with the graph of the model around them.
std::string ReportHtml(const ConversionReport& report);

// The same, and its pictures alone, for pages of others such as notebooks: an element that brings
// its styles, which hold for nothing around it.
std::string ReportFragment(const ConversionReport& report);
std::string GraphFragment(const ConversionReport& report);
std::string ArenaFragment(const ConversionReport& report);

// The graph of a model with what stands against its conversion, for the body of a page: each
// problem with the way from an input to it, and the drawing, or of a large one what is near the
// problems.
std::string GraphWithProblems(const Drawing& graph, std::span<const Problem> problems);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "converter/report/report.h"

namespace linnet::converter {

// One self-contained page: what happened, the graph, the arena over time, what each step costs.
// Problems first when there are any.
std::string ReportHtml(const ConversionReport& report);

// The same, and its pictures alone, for pages of others such as notebooks: an element that brings
// its styles, which hold for nothing around it.
std::string ReportFragment(const ConversionReport& report);
std::string GraphFragment(const ConversionReport& report);
std::string ArenaFragment(const ConversionReport& report);

// A page around `body` (HTML) with the styles that DrawingSvg and ArenaSvg count on.
std::string HtmlPage(std::string_view title, std::string_view body);
// An element around `body`, with the same styles.
std::string HtmlFragment(std::string_view body);

}  // namespace linnet::converter

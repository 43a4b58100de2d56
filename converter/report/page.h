// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace linnet::converter {

// A page around `body` (HTML) with the styles that DrawingSvg and ArenaSvg count on, and the script
// that searches and zooms (page.css, page.js). It loads nothing from elsewhere.
std::string HtmlPage(std::string_view title, std::string_view body);
// An element around `body`, with the same styles and script, which hold for nothing around it.
std::string HtmlFragment(std::string_view body);
// The field that page.js searches drawings and tables with.
std::string SearchField();

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace linnet::converter {

// Numbers as people read them in reports.
std::string BytesText(int64_t bytes);     // "512 B", "1.5 KiB", "12.3 MiB"
std::string MacsText(int64_t macs);       // "950 MACs", "1.2 kMACs", "300.8 MMACs"
std::string MillisecondsText(double ms);  // "0.3 ms", "12 ms", "1.24 s"
std::string CountText(int64_t count, std::string_view thing);  // "1 step", "12 steps"

// `text` for HTML and SVG, in one line: <, >, &, " and ' are replaced, what is not printable is
// escaped, and line feeds become spaces.
std::string EscapeHtml(std::string_view text);
// The same with its line feeds, for a <pre>.
std::string EscapeHtmlLines(std::string_view text);

}  // namespace linnet::converter

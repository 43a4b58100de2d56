// SPDX-License-Identifier: Apache-2.0
#include "converter/report/page.h"

#include <cstddef>
#include <cstdint>

#include "converter/report/units.h"
#include "fmt/format.h"

namespace linnet::converter {

extern const uint8_t kPageStyle[], kPageScript[];  // page.css, page.js
extern const size_t kPageStyleSize, kPageScriptSize;

namespace {

std::string_view Text(const uint8_t* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}
std::string_view Style() { return Text(kPageStyle, kPageStyleSize); }
// Text that XML reads as such and a script as comments is around it, since readers of fragments may
// be readers of XML.
std::string Script() {
  return fmt::format("<script>//<![CDATA[\n{}//]]></script>", Text(kPageScript, kPageScriptSize));
}

}  // namespace

std::string HtmlPage(std::string_view title, std::string_view body) {
  const std::string name = EscapeHtml(title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body class=\"linnet\">\n<h1>{}</h1>\n{}{}\n"
      "</body>\n</html>\n",
      name, Style(), name, body, Script());
}

std::string HtmlFragment(std::string_view body) {
  return fmt::format("<div class=\"linnet\">\n<style>{}</style>\n{}{}\n</div>\n", Style(), body,
                     Script());
}

std::string SearchField() {
  return "<div class=\"tools search\"><label>Find <input type=\"search\" placeholder=\"op, name, "
         "type or number\"/></label> <button data-hit=\"-1\">previous</button> "
         "<button data-hit=\"1\">next</button> <output></output></div>\n";
}

}  // namespace linnet::converter

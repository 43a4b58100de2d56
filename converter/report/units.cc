// SPDX-License-Identifier: Apache-2.0
#include "converter/report/units.h"

#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "runtime/core/printable.h"

namespace linnet::converter {

std::string BytesText(int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  const double kib = static_cast<double>(bytes) / 1024.0;
  if (kib < 1024.0) return fmt::format("{:.1f} KiB", kib);
  return kib < 1024.0 * 1024.0 ? fmt::format("{:.1f} MiB", kib / 1024.0)
                               : fmt::format("{:.2f} GiB", kib / 1024.0 / 1024.0);
}

std::string MacsText(int64_t macs) {
  const auto value = static_cast<double>(macs);
  if (macs < 1000) return fmt::format("{} MACs", macs);
  if (macs < 1'000'000) return fmt::format("{:.1f} kMACs", value / 1e3);
  return macs < 10'000'000'000 ? fmt::format("{:.1f} MMACs", value / 1e6)
                               : fmt::format("{:.1f} GMACs", value / 1e9);
}

std::string MillisecondsText(double ms) {
  if (ms >= 1000.0) return fmt::format("{:.2f} s", ms / 1000.0);
  return ms >= 10.0 ? fmt::format("{:.0f} ms", ms) : fmt::format("{:.1f} ms", ms);
}

std::string CountText(int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string EscapeHtmlLines(std::string_view text) {
  return absl::StrReplaceAll(
      PrintableLines(text),
      {{"<", "&lt;"}, {">", "&gt;"}, {"&", "&amp;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string EscapeHtml(std::string_view text) {
  return absl::StrReplaceAll(EscapeHtmlLines(text), {{"\n", " "}});
}

}  // namespace linnet::converter

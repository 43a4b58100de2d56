// SPDX-License-Identifier: Apache-2.0
#include "converter/report/arena_picture.h"

#include <algorithm>
#include <iterator>

#include "converter/report/units.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr double kLeft = 70.0, kTop = 8.0, kHeight = 420.0, kBottom = 30.0;

// 0 for at least half of the arena down to 4 for less than a sixteenth.
int SizeClass(int64_t bytes, int64_t arena_bytes) {
  int size_class = 0;
  for (int64_t limit = arena_bytes / 2; bytes < limit && size_class < 4; limit /= 2) ++size_class;
  return size_class;
}

}  // namespace

std::string ArenaSvg(const ConversionReport& report) {
  const ConversionReport::Memory& memory = report.memory;
  const int num_steps = report.num_program_steps();
  const auto steps = static_cast<double>(num_steps);
  const double column = std::clamp(1100.0 / (steps + 2.0), 3.0, 40.0);
  const double width = column * (steps + 2.0);  // before the run, the steps, after it
  const double scale = kHeight / static_cast<double>(std::max<int64_t>(memory.arena_bytes, 1));
  std::string svg = fmt::format(
      "<svg class=\"arena\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">\n",
      kLeft + width + 10.0, kTop + kHeight + kBottom);
  const auto out = std::back_inserter(svg);
  for (int i = 0; i <= 4; ++i) {
    const double y = kTop + kHeight * (1.0 - i / 4.0);
    fmt::format_to(out, "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", kLeft, y,
                   kLeft + width);
    fmt::format_to(out, "<text class=\"y\" x=\"{:.0f}\" y=\"{:.1f}\">{}</text>\n", kLeft - 6.0,
                   y + 4.0, BytesText(memory.arena_bytes * i / 4));
  }
  const int tick = std::max(1, static_cast<int>(steps / 12.0));
  for (int step = 0; step < num_steps; step += tick)
    fmt::format_to(out, "<text class=\"x\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                   kLeft + column * (step + 1.5), kTop + kHeight + 16.0, step);
  for (const ConversionReport::Placement& placement : memory.placements) {
    const double x = kLeft + column * (placement.first_step + 1);
    const double height = scale * static_cast<double>(placement.bytes);
    fmt::format_to(
        out,
        "<rect class=\"s{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
        "<title>{}\n{} at {}, steps {} to {}</title></rect>\n",
        SizeClass(placement.bytes, memory.arena_bytes), x,
        kTop + kHeight - scale * static_cast<double>(placement.offset) - height,
        column * (placement.last_step - placement.first_step + 1), height,
        EscapeHtml(placement.name), BytesText(placement.bytes), placement.offset,
        placement.first_step, placement.last_step);
  }
  return svg + "</svg>\n";
}

}  // namespace linnet::converter

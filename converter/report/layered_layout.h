// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <utility>
#include <vector>

namespace linnet::converter {

// Where boxes and lines of a drawn graph go. Producers are above consumers.
struct LayeredLayout {
  struct Point {
    double x = 0.0, y = 0.0;
  };
  std::vector<Point> centers;  // of the boxes
  // Per edge: from the upper box, through gaps between boxes, to the lower one.
  std::vector<std::vector<Point>> lines;
  double width = 0.0, height = 0.0;
};

inline constexpr double kBoxHeight = 26.0;

// Layered layout: rows by longest path, order within rows by barycentres, then straightened.
// `edges` are (from, to); those that close a cycle are drawn upside down. Deterministic; time is
// about linear in the sum of the edges' lengths in rows.
LayeredLayout LayOutLayers(std::span<const double> widths,
                           std::span<const std::pair<int, int>> edges);

}  // namespace linnet::converter

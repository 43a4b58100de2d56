// SPDX-License-Identifier: Apache-2.0
#include "converter/report/layered_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace linnet::converter {
namespace {

using Edges = std::vector<std::pair<int, int>>;

bool Overlap(const LayeredLayout& layout, const std::vector<double>& widths) {
  for (size_t i = 0; i < widths.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (layout.centers[i].y == layout.centers[j].y &&
          std::fabs(layout.centers[i].x - layout.centers[j].x) <
              (widths[i] + widths[j]) / 2.0 - 1e-6)
        return true;
  return false;
}

TEST(LayOutLayers, NothingIsNothing) {
  const LayeredLayout layout = LayOutLayers({}, {});
  EXPECT_TRUE(layout.centers.empty());
}

TEST(LayOutLayers, ProducersAreAbove) {
  const std::vector<double> widths(5, 50.0);
  const Edges edges = {{0, 1}, {1, 2}, {0, 2}, {3, 2}, {2, 4}};
  const LayeredLayout layout = LayOutLayers(widths, edges);
  for (const auto& [from, to] : edges) EXPECT_LT(layout.centers[from].y, layout.centers[to].y);
  EXPECT_EQ(layout.centers[3].y, layout.centers[1].y);  // next to its only reader
  EXPECT_FALSE(Overlap(layout, widths));
}

TEST(LayOutLayers, ChainIsStraight) {
  const std::vector<double> widths = {30.0, 90.0, 50.0};
  const LayeredLayout layout = LayOutLayers(widths, Edges{{0, 1}, {1, 2}});
  EXPECT_NEAR(layout.centers[0].x, layout.centers[1].x, 1e-6);
  EXPECT_NEAR(layout.centers[1].x, layout.centers[2].x, 1e-6);
}

TEST(LayOutLayers, CyclesEnd) {
  const std::vector<double> widths(3, 20.0);
  EXPECT_EQ(LayOutLayers(widths, Edges{{0, 1}, {1, 2}, {2, 0}, {1, 1}}).centers.size(), 3u);
}

TEST(LayOutLayers, RandomGraphsHaveNoOverlapsAndFitThePage) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    const int n = 2 + static_cast<int>(random() % 80);
    std::vector<double> widths;
    Edges edges;
    for (int i = 0; i < n; ++i) {
      widths.push_back(20.0 + static_cast<double>(random() % 100));
      for (int k = 0; k < 2 && i > 0; ++k) edges.emplace_back(random() % i, i);
    }
    const LayeredLayout layout = LayOutLayers(widths, edges);
    EXPECT_FALSE(Overlap(layout, widths));
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(layout.centers[i].x - widths[i] / 2.0, 0.0);
      EXPECT_LE(layout.centers[i].x + widths[i] / 2.0, layout.width);
      EXPECT_LE(layout.centers[i].y, layout.height);
    }
    for (const auto& [from, to] : edges) EXPECT_LT(layout.centers[from].y, layout.centers[to].y);
  }
}

}  // namespace
}  // namespace linnet::converter

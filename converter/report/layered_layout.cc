// SPDX-License-Identifier: Apache-2.0
#include "converter/report/layered_layout.h"

#include <algorithm>
#include <cstddef>

namespace linnet::converter {
namespace {

constexpr double kRowHeight = 46.0, kGap = 14.0;
constexpr int kOrderSweeps = 8;
constexpr int kStraightenSweeps = 12;
constexpr double kBendWidth = 6.0;  // of a place where a long edge passes a row

class Layouter {
 public:
  Layouter(std::span<const double> widths, std::span<const std::pair<int, int>> edges)
      : num_boxes_(widths.size()),
        widths_(widths.begin(), widths.end()),
        edges_(edges.begin(), edges.end()) {}

  LayeredLayout Run() {
    Rank();
    SplitLongEdges();
    Order();
    Straighten();
    return Result();
  }

 private:
  // Rows by longest path. Where every node left waits for another one, the first goes anyway.
  void Rank() {
    rows_.assign(num_boxes_, 0);
    std::vector<int> missing(num_boxes_, 0), ready;
    std::vector<std::vector<int>> out(num_boxes_);
    for (const auto& [from, to] : edges_) {
      if (from == to) continue;
      out[from].push_back(to);
      ++missing[to];
    }
    std::vector<bool> done(num_boxes_, false);
    std::vector<int> position(num_boxes_, 0);
    size_t next = 0;
    int count = 0;
    for (size_t i = 0; i < num_boxes_; ++i)
      if (missing[i] == 0) ready.push_back(static_cast<int>(i));
    for (size_t head = 0; static_cast<size_t>(count) < num_boxes_; ++head) {
      if (head == ready.size()) {
        while (done[next]) ++next;
        ready.push_back(static_cast<int>(next));
        missing[next] = 0;
      }
      const int node = ready[head];
      if (done[node]) continue;
      done[node] = true;
      position[node] = count++;
      for (const int to : out[node]) {
        if (done[to]) continue;
        rows_[to] = std::max(rows_[to], rows_[node] + 1);
        if (--missing[to] == 0) ready.push_back(to);
      }
    }
    for (auto& [from, to] : edges_)
      if (position[from] > position[to]) std::swap(from, to);
    LowerSources();
  }

  // Boxes without inputs go right above the first reader.
  void LowerSources() {
    std::vector<bool> has_input(num_boxes_, false);
    std::vector<int> first_reader(num_boxes_, -1);
    for (const auto& [from, to] : edges_) {
      if (from == to) continue;
      has_input[to] = true;
      if (first_reader[from] < 0 || rows_[to] < first_reader[from]) first_reader[from] = rows_[to];
    }
    for (size_t i = 0; i < num_boxes_; ++i)
      if (!has_input[i] && first_reader[i] > 0) rows_[i] = first_reader[i] - 1;
  }

  // After this every link joins neighbouring rows: a long edge bends at a node of its own per row.
  void SplitLongEdges() {
    chains_.resize(edges_.size());
    above_.resize(num_boxes_);
    below_.resize(num_boxes_);
    for (size_t e = 0; e < edges_.size(); ++e) {
      const auto [from, to] = edges_[e];
      chains_[e].push_back(from);
      for (int row = rows_[from] + 1; row < rows_[to]; ++row) {
        chains_[e].push_back(static_cast<int>(rows_.size()));
        rows_.push_back(row);
        widths_.push_back(kBendWidth);
        above_.emplace_back();
        below_.emplace_back();
      }
      chains_[e].push_back(to);
      for (size_t i = 0; i + 1 < chains_[e].size(); ++i) {
        below_[chains_[e][i]].push_back(chains_[e][i + 1]);
        above_[chains_[e][i + 1]].push_back(chains_[e][i]);
      }
    }
    const int num_rows = rows_.empty() ? 0 : *std::ranges::max_element(rows_) + 1;
    layers_.resize(static_cast<size_t>(num_rows));
    for (size_t i = 0; i < rows_.size(); ++i) layers_[rows_[i]].push_back(static_cast<int>(i));
    x_.resize(rows_.size());
  }

  double Mean(const std::vector<int>& neighbours, double otherwise) const {
    if (neighbours.empty()) return otherwise;
    double sum = 0.0;
    for (const int neighbour : neighbours) sum += x_[neighbour];
    return sum / static_cast<double>(neighbours.size());
  }

  // x_ is the position in the row while this runs.
  void Order() {
    const auto number = [this](const std::vector<int>& layer) {
      for (size_t i = 0; i < layer.size(); ++i) x_[layer[i]] = static_cast<double>(i);
    };
    for (const auto& layer : layers_) number(layer);
    std::vector<double> key(x_.size());
    const auto sort = [&](std::vector<int>& layer,
                          const std::vector<std::vector<int>>& neighbours) {
      for (const int node : layer) key[node] = Mean(neighbours[node], x_[node]);
      std::ranges::stable_sort(layer, {}, [&](int node) { return key[node]; });
      number(layer);
    };
    for (int sweep = 0; sweep < kOrderSweeps; ++sweep) {
      for (size_t row = 1; row < layers_.size(); ++row) sort(layers_[row], above_);
      for (size_t row = layers_.size(); row-- > 1;) sort(layers_[row - 1], below_);
    }
  }

  double Distance(int left, int right) const {
    return (widths_[left] + widths_[right]) / 2.0 + kGap;
  }

  // Moves a row's nodes as near to the mean of their neighbours as their order and widths allow:
  // the mean of packing from the left and packing from the right keeps every distance.
  void Pull(const std::vector<int>& layer, const std::vector<std::vector<int>>& neighbours) {
    if (layer.empty()) return;
    std::vector<double> left, right(layer.size());
    for (size_t i = 0; i < layer.size(); ++i) {
      const double want = Mean(neighbours[layer[i]], x_[layer[i]]);
      left.push_back(i == 0 ? want
                            : std::max(want, left[i - 1] + Distance(layer[i - 1], layer[i])));
      right[i] = want;
    }
    for (size_t i = layer.size() - 1; i-- > 0;)
      right[i] = std::min(right[i], right[i + 1] - Distance(layer[i], layer[i + 1]));
    for (size_t i = 0; i < layer.size(); ++i) x_[layer[i]] = (left[i] + right[i]) / 2.0;
  }

  void Straighten() {
    for (const auto& layer : layers_) {
      double at = 0.0;
      for (size_t i = 0; i < layer.size(); ++i) {
        if (i > 0) at += Distance(layer[i - 1], layer[i]);
        x_[layer[i]] = at;
      }
      for (const int node : layer) x_[node] -= at / 2.0;
    }
    for (int sweep = 0; sweep < kStraightenSweeps; ++sweep) {
      for (size_t row = 1; row < layers_.size(); ++row) Pull(layers_[row], above_);
      for (size_t row = layers_.size(); row-- > 1;) Pull(layers_[row - 1], below_);
    }
  }

  LayeredLayout Result() const {
    LayeredLayout layout;
    if (rows_.empty()) return layout;
    double low = x_[0] - widths_[0] / 2.0, high = x_[0] + widths_[0] / 2.0;
    for (size_t i = 0; i < x_.size(); ++i) {
      low = std::min(low, x_[i] - widths_[i] / 2.0);
      high = std::max(high, x_[i] + widths_[i] / 2.0);
    }
    const auto place = [&](int node) {
      return LayeredLayout::Point{x_[node] - low + kGap, kRowHeight * (rows_[node] + 0.5)};
    };
    for (size_t i = 0; i < num_boxes_; ++i) layout.centers.push_back(place(static_cast<int>(i)));
    for (const std::vector<int>& chain : chains_) {
      std::vector<LayeredLayout::Point>& line = layout.lines.emplace_back();
      for (const int node : chain) line.push_back(place(node));
      line.front().y += kBoxHeight / 2.0;
      line.back().y -= kBoxHeight / 2.0;
    }
    layout.width = high - low + 2.0 * kGap;
    layout.height = kRowHeight * static_cast<double>(layers_.size());
    return layout;
  }

  const size_t num_boxes_;
  std::vector<double> widths_;  // of boxes, then of bends
  std::vector<std::pair<int, int>> edges_;
  std::vector<int> rows_;
  std::vector<std::vector<int>> chains_;  // per edge: its boxes and the bends between
  std::vector<std::vector<int>> above_, below_, layers_;
  std::vector<double> x_;
};

}  // namespace

LayeredLayout LayOutLayers(std::span<const double> widths,
                           std::span<const std::pair<int, int>> edges) {
  return Layouter(widths, edges).Run();
}

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace linnet::planner {

// Bytes alive at each of some positions: ranges change and the peak is asked for in logarithmic
// time, the area (bytes times positions) in constant time. A tree whose nodes hold what is added to
// all of their positions, and the peak below without what their parents add.
class LiveBytes {
 public:
  explicit LiveBytes(int positions)
      : leaves_(std::bit_ceil(static_cast<unsigned>(positions))), nodes_(2 * leaves_) {}

  // To positions [first, last].
  void Add(int first, int last, int64_t bytes) {
    if (first > last || bytes == 0) return;
    area_ += bytes * (last - first + 1);
    Add(1, 0, static_cast<int>(leaves_) - 1, {first, last, bytes});
  }
  int64_t peak() const { return nodes_[1].peak; }
  int64_t area() const { return area_; }

 private:
  struct Node {
    int64_t added = 0, peak = 0;
  };
  struct Change {
    int first, last;
    int64_t bytes;
  };

  // node covers [begin, end].
  void Add(size_t node, int begin, int end, const Change& change) {
    if (change.last < begin || end < change.first) return;
    Node& here = nodes_[node];
    if (change.first <= begin && end <= change.last) {
      here.added += change.bytes;
      here.peak += change.bytes;
      return;
    }
    const int middle = begin + (end - begin) / 2;
    Add(2 * node, begin, middle, change);
    Add(2 * node + 1, middle + 1, end, change);
    here.peak = here.added + std::max(nodes_[2 * node].peak, nodes_[2 * node + 1].peak);
  }

  size_t leaves_;
  std::vector<Node> nodes_;  // the children of node i are 2 * i and 2 * i + 1
  int64_t area_ = 0;
};

}  // namespace linnet::planner

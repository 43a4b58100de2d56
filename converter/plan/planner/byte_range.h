// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

namespace linnet::planner {

// Bytes [begin, end) of the arena or of a buffer.
struct ByteRange {
  int64_t begin, end;

  bool empty() const { return begin >= end; }
  bool Covers(const ByteRange& other) const { return begin <= other.begin && other.end <= end; }
};

inline ByteRange Common(const ByteRange& a, const ByteRange& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace linnet::planner

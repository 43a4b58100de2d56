// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace linnet {

// A copy of bytes at an address that is `misalignment` past a multiple of 64. The heap block ends
// with the last byte, so AddressSanitizer detects every read beyond it.
class PlacedBytes {
 public:
  explicit PlacedBytes(const std::vector<std::byte>& bytes, size_t misalignment = 0);
  ~PlacedBytes();
  PlacedBytes(const PlacedBytes&) = delete;
  PlacedBytes& operator=(const PlacedBytes&) = delete;
  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  void* block_;
  std::byte* data_;
  size_t size_;
};

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/placed_bytes.h"

#include <cstdlib>
#include <cstring>

namespace linnet {

PlacedBytes::PlacedBytes(const std::vector<std::byte>& bytes, size_t misalignment)
    : size_(bytes.size()) {
  if (posix_memalign(&block_, 64, bytes.size() + misalignment) != 0) std::abort();
  data_ = static_cast<std::byte*>(block_) + misalignment;
  if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
}

PlacedBytes::~PlacedBytes() { std::free(block_); }

}  // namespace linnet

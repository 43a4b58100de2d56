// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace linnet {

// Element `i` of an array at any address. Arrays in untrusted files may be misaligned.
template <typename T>
T LoadElement(const void* array, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(array) + i * static_cast<int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

}  // namespace linnet

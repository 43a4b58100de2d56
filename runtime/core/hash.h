// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace linnet {

// A hash for data that may be damaged, not for data of somebody who wants it to collide. It
// continues from `start`, so that data may come in pieces. Sequences of one length that differ only
// within eight bytes at a multiple of eight, so also those that differ in one byte, never have the
// same hash: each word changes the state in a way that can be undone.
inline uint64_t HashBytes(std::span<const std::byte> bytes, uint64_t start = 0) {
  uint64_t hash = start ^ (0x9e3779b97f4a7c15u * (bytes.size() + 1));
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, bytes.size() - at < 8 ? bytes.size() - at : 8);
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace linnet::kernels {

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011):
// the words of block i are a function of the key and of counter + i, a number of 128 bits.
class Philox {
 public:
  using Block = std::array<uint32_t, 4>;

  Philox(uint64_t key, uint64_t counter_low, uint64_t counter_high)
      : key_(key), low_(counter_low), high_(counter_high) {}

  Block At(uint64_t i) const;

 private:
  uint64_t key_, low_, high_;
};

}  // namespace linnet::kernels

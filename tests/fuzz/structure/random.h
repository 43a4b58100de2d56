// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace linnet::fuzz {

// Random numbers from a seed; libFuzzer gives a seed for each mutant.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64.
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // In [0, count); 0 when count is 0.
  size_t Below(size_t count) { return count == 0 ? 0 : Next() % count; }
  bool OneIn(size_t count) { return Below(count) == 0; }
  template <typename List>
  auto& Pick(List& list) {
    return list[Below(std::size(list))];
  }
  // An extent of a tensor: small, sometimes just at the length of a vector register.
  int64_t Extent() {
    static constexpr int64_t kExtents[] = {1, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
    return OneIn(64) ? 0 : Pick(kExtents);
  }
  // A value for any integer of a plan.
  int64_t Number() {
    static constexpr int64_t kNumbers[] = {-2,
                                           7,
                                           8,
                                           64,
                                           127,
                                           255,
                                           256,
                                           65535,
                                           INT32_MAX,
                                           INT32_MIN,
                                           int64_t{1} << 32,
                                           int64_t{1} << 46,
                                           INT64_MAX,
                                           INT64_MIN,
                                           INT64_MAX / 4};
    return OneIn(4) ? Pick(kNumbers) : static_cast<int64_t>(Below(6)) - 1;
  }
  double Real() {
    static constexpr double kReals[] = {0.0,
                                        0.5,
                                        1.0,
                                        -1.0,
                                        2.0,
                                        6.0,
                                        1e-3,
                                        1e-12,
                                        -0.0,
                                        1e30,
                                        -1e30,
                                        1e300,
                                        __builtin_nan(""),
                                        __builtin_inf(),
                                        -__builtin_inf()};
    return OneIn(3) ? Pick(kReals) : (static_cast<double>(Below(4001)) - 2000) / 1000;
  }

 private:
  uint64_t state_;
};

}  // namespace linnet::fuzz

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <random>
#include <vector>

namespace linnet::kernels {

// `count` floats in [-1, 1), the same on every call with the same seed.
inline std::vector<float> Random(int64_t count, uint32_t seed = 1) {
  std::vector<float> values(count);
  std::minstd_rand generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (float& value : values) value = uniform(generator);
  return values;
}

}  // namespace linnet::kernels

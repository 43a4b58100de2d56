// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace linnet::fuzz {

// A copy of `file` with some parts changed; usually it opens. Empty when `file` is no plan, or when
// no mutant has at most `max_size` bytes.
std::vector<uint8_t> MutatePlan(std::span<const uint8_t> file, size_t max_size, uint64_t seed);

// A file with the steps of both.
std::vector<uint8_t> CrossPlans(std::span<const uint8_t> file, std::span<const uint8_t> other,
                                size_t max_size, uint64_t seed);

}  // namespace linnet::fuzz

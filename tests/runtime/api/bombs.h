// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace linnet {

// A small plan that asks for much. Most of them are refused.
struct Bomb {
  const char* name;
  std::vector<std::byte> (*make)(size_t bytes);  // the plan's size is about `bytes`
};

std::span<const Bomb> AllBombs();

}  // namespace linnet

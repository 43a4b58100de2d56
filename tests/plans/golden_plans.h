// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace linnet {

// How the converter makes tests/golden/plans/<name>.linnet. What is in them stands in
// tests/runtime/golden_plan.h.
struct GoldenPlanSource {
  const char* name;
  std::vector<std::byte> (*build)();
};
std::span<const GoldenPlanSource> GoldenPlanSources();

}  // namespace linnet

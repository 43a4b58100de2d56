// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace linnet {

// How the converter makes tests/golden/plans/<name>.linnet. tests/runtime/golden_plan.h describes
// these plans.
struct GoldenPlanSource {
  const char* name;
  std::vector<std::byte> (*build)();
};
std::span<const GoldenPlanSource> GoldenPlanSources();

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "converter/plan/plan_structure.h"
#include "runtime/plan/releases.h"

namespace linnet::converter {

// The release of this name: "0.1", or with a patch number, which makes no difference. Null for
// others.
const Release* FindRelease(std::string_view name);
// "0.1, 0.2"
std::string KnownReleases();

// Why the runtime of `release` could not open the plan: a sentence for each feature of the format,
// op and encoding that it does not know, with the TensorFlow nodes that need it. Empty: it can.
std::vector<std::string> TooNewFor(const PlanStructure& plan, const Release& release);

// The oldest release whose runtime opens the plan.
const Release& OldestReleaseFor(const PlanStructure& plan);

}  // namespace linnet::converter

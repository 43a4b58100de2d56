// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "absl/status/status.h"
#include "converter/report/report.h"
#include "runtime/core/region.h"
#include "runtime/verify/verify_plan.h"

namespace linnet::cli {

// Whether a file begins as plans do; anything else is taken for a model.
bool IsPlanFile(std::span<const std::byte> file);

// Checks a plan as the runtime does when it opens one; the file and `region` outlive `plan`.
// InvalidArgument with the runtime's own words.
absl::Status OpenPlanFile(std::span<const std::byte> file, Region* region, VerifiedPlan* plan);

// Opens a plan and fills `report` from its first signature; notes name the others.
absl::Status DescribePlanFile(std::span<const std::byte> file, converter::ConversionReport* report);

// Whether the bytes after the header have the hash that the header states. REQUIRES: OpenPlanFile
// accepts the file.
absl::Status VerifyHash(std::span<const std::byte> file);

}  // namespace linnet::cli

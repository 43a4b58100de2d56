// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "runtime/verify/verify.h"

namespace linnet {

// A plan that may be run.
struct VerifiedPlan {
  PlanView view;
  std::span<const VerifiedProgram> programs;  // as view.programs
};

// Everything that is checked when a plan is opened: header, structure, and what each program means.
// `file` holds the whole plan and, as `region`, outlives `plan`. On failure `*diagnostic` (may be
// null) says more where there is more to say. kInvalidPlan, kUnsupported (a newer schema, a feature
// that this build lacks), kNoMemory.
Status VerifyPlan(std::span<const std::byte> file, Region& region, VerifiedPlan* plan,
                  Diagnostic* diagnostic);

}  // namespace linnet

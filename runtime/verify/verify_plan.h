// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "runtime/verify/verify.h"

namespace linnet {

// A plan that is safe to run.
struct VerifiedPlan {
  PlanView view;
  std::span<const VerifiedProgram> programs;  // in the order of view.programs
};

// Does all checks of a plan that is opened: header, structure, which programs there are, and the
// meaning of each.
// `file` is the whole plan; it and `region` must outlive `plan`, and with StructureUse::kInPlace no
// byte of `file` may change meanwhile. On failure `*diagnostic` (may be null) may explain more than
// the status. kInvalidPlan, kVersion (of a newer version, by major or by what it needs:
// newer_plan.h),
// kUnsupported (a feature that this build does not have), kNoMemory.
Status VerifyPlan(std::span<const std::byte> file, Region& region, VerifiedPlan* plan,
                  Diagnostic* diagnostic, StructureUse use = StructureUse::kCopy);

}  // namespace linnet

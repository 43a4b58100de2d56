// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/verify_plan.h"

#include <cstring>

#include "runtime/plan/newer_plan.h"
#include "runtime/verify/variants.h"

namespace linnet {
namespace {

Status Verify(std::span<const std::byte> file, Region& region, VerifiedPlan* plan,
              Diagnostic* diagnostic, StructureUse use) {
  FileHeader header;
  if (file.size() < sizeof(header))
    return {StatusCode::kInvalidPlan, "not a Linnet plan: shorter than its header"};
  std::memcpy(&header, file.data(), sizeof(header));
  LINNET_RETURN_IF_ERROR(CheckHeader(header, static_cast<int64_t>(file.size()), diagnostic));
  const auto structure = file.subspan(header.structure_offset, header.structure_bytes);
  LINNET_RETURN_IF_ERROR(ParsePlan(header, structure, use, region, &plan->view, diagnostic));
  auto* programs = region.New<VerifiedProgram>(std::ssize(plan->view.programs));
  if (programs == nullptr) return kNoMemoryToOpen;
  const std::span<VerifiedProgram> verified(programs, plan->view.programs.size());
  plan->programs = verified;
  LINNET_RETURN_IF_ERROR(CheckVariants(plan->view, region, verified, diagnostic));
  return VerifyPrograms(plan->view, file, region, verified, diagnostic);
}

}  // namespace

Status VerifyPlan(std::span<const std::byte> file, Region& region, VerifiedPlan* plan,
                  Diagnostic* diagnostic, StructureUse use) {
  return ExplainNewer(file, Verify(file, region, plan, diagnostic, use), region, diagnostic);
}

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/plan_file.h"

#include <xxhash.h>

#include <cstring>
#include <string>

#include "converter/report/describe.h"
#include "fmt/format.h"

namespace linnet::cli {
bool IsPlanFile(std::span<const std::byte> file) {
  return file.size() >= sizeof(kPlanMagic) &&
         std::memcmp(file.data(), kPlanMagic, sizeof(kPlanMagic)) == 0;
}

absl::Status OpenPlanFile(std::span<const std::byte> file, Region* region, VerifiedPlan* plan) {
  Diagnostic diagnostic;
  const Status status = VerifyPlan(file, *region, plan, &diagnostic);
  return status.ok() ? absl::OkStatus()
                     : absl::InvalidArgumentError(diagnostic.TextOr(status.what()));
}

absl::Status DescribePlanFile(std::span<const std::byte> file,
                              converter::ConversionReport* report) {
  Region region;
  VerifiedPlan plan;
  if (absl::Status status = OpenPlanFile(file, &region, &plan); !status.ok()) return status;
  converter::DescribePlan(converter::ReadStructure(file), report);
  for (const converter::ConversionReport::Step& step : report->steps) ++report->ops_after[step.op];
  report->plan_bytes = static_cast<int64_t>(file.size());
  for (const PlanProgram& program : plan.view.programs.subspan(1))
    if (program.variant == Variant::kHost)
      report->notes.push_back(
          fmt::format("the plan also has a program for signature '{}'", program.key));
  report->notes.push_back(fmt::format("schema {}.{}, written by {}", plan.view.header.major,
                                      plan.view.header.minor, plan.view.producer));
  return absl::OkStatus();
}

absl::Status VerifyHash(std::span<const std::byte> file) {
  FileHeader header;
  std::memcpy(&header, file.data(), sizeof(header));
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(
      &canonical, XXH3_128bits(file.data() + sizeof(header), header.file_bytes - sizeof(header)));
  if (std::memcmp(canonical.digest, header.hash, sizeof(header.hash)) == 0) return absl::OkStatus();
  return absl::DataLossError(
      "the file's bytes do not have the hash that its header names: it is damaged");
}

}  // namespace linnet::cli

// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/plan_file.h"

#include <xxhash.h>

#include <cstring>
#include <string>

#include "converter/report/describe.h"
#include "fmt/format.h"
#include "runtime/core/region.h"
#include "runtime/plan/plan_view.h"
#include "runtime/verify/verify.h"

namespace linnet::cli {
namespace {

absl::Status ToAbsl(const Status& status, const Diagnostic& diagnostic) {
  const char* text = diagnostic.text[0] != '\0' ? diagnostic.text : status.what();
  return absl::InvalidArgumentError(std::string(text));
}

}  // namespace

bool IsPlanFile(std::span<const std::byte> file) {
  return file.size() >= sizeof(kPlanMagic) &&
         std::memcmp(file.data(), kPlanMagic, sizeof(kPlanMagic)) == 0;
}

absl::Status DescribePlanFile(std::span<const std::byte> file,
                              converter::ConversionReport* report) {
  if (file.size() < sizeof(FileHeader))
    return absl::InvalidArgumentError("shorter than a plan's header");
  FileHeader header;
  std::memcpy(&header, file.data(), sizeof(header));
  Diagnostic diagnostic;
  if (const Status status = CheckHeader(header, static_cast<int64_t>(file.size()), &diagnostic);
      !status.ok())
    return ToAbsl(status, diagnostic);
  Region region;
  PlanView view;
  const auto structure = file.subspan(header.structure_offset, header.structure_bytes);
  if (const Status status = ParsePlan(header, structure, region, &view, &diagnostic); !status.ok())
    return ToAbsl(status, diagnostic);
  bool first = true;
  for (const PlanProgram& program : view.programs) {
    VerifiedProgram verified;
    if (const Status status = VerifyProgram(view, file, program, region, &verified, &diagnostic);
        !status.ok())
      return ToAbsl(status, diagnostic);
    if (first)
      converter::DescribePlan(view, verified, report);
    else
      report->notes.push_back(
          fmt::format("the plan also has a program for signature '{}'", program.key));
    first = false;
  }
  report->notes.push_back(
      fmt::format("schema {}.{}, written by {}", header.major, header.minor, view.producer));
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

// SPDX-License-Identifier: Apache-2.0
// `linnet inspect` of an untrusted .linnet file: every form of the report. Then what `linnet
// bisect` makes of it, a plan whose outputs are all its tensors; that plan must open.
#include <cstdint>
#include <span>

#include "converter/cli/exposed_plan.h"
#include "converter/cli/plan_file.h"
#include "converter/report/drawing.h"
#include "converter/report/html.h"
#include "converter/report/json.h"
#include "converter/report/text.h"
#include "linnet/linnet.h"

namespace {

using namespace linnet;

void Report(std::span<const std::byte> file) {
  converter::ConversionReport report;
  if (!cli::DescribePlanFile(file, &report).ok()) return;
  (void)cli::VerifyHash(file).ok();
  converter::ReportText(report);
  converter::StepsText(report);
  converter::ReportJson(report);
  converter::ReportHtml(report);
  converter::ProgramsDot(report);
}

void Expose(std::span<const std::byte> file) {
  const absl::StatusOr<cli::ExposedPlan> exposed = cli::ExposeTensors(file, "");
  if (!exposed.ok()) return;
  linnet_plan* plan = nullptr;
  if (linnet_plan_open_memory(exposed->bytes.data(), exposed->bytes.size(), nullptr, &plan,
                              nullptr) != LINNET_OK)
    __builtin_trap();
  linnet_plan_close(plan);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> file = std::as_bytes(std::span(data, size));
  Report(file);
  Expose(file);
  return 0;
}

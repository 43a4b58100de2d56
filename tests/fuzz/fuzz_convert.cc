// SPDX-License-Identifier: Apache-2.0
// A model of any form -> plan -> run. What converts must open and run: the converter and the device
// may not disagree.
#include <cstdint>

#include "converter/convert.h"
#include "tests/fuzz/run_plan.h"
#include "tests/scratch_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  static const linnet::ScratchFolder folder;
  ConvertOptions options;
  options.model = linnet::WriteAll(folder / "model", {reinterpret_cast<const char*>(data), size});
  options.output = folder / "model.linnet";
  ConversionReport report;
  const absl::Status status = Convert(options, &report);
  if (absl::IsInternal(status)) __builtin_trap();  // a bug of ours
  if (!status.ok()) return 0;
  linnet_plan* plan = nullptr;
  linnet_error error;
  const linnet_status opened =
      linnet_plan_open_file(options.output.c_str(), nullptr, &plan, &error);
  if (opened != LINNET_OK) __builtin_trap();
  for (const linnet_backend backend : {LINNET_BACKEND_PORTABLE, LINNET_BACKEND_CPU}) {
    const linnet_status created = linnet::RunIfCheap(plan, backend);
    if (created != LINNET_OK && created != LINNET_NO_MEMORY) __builtin_trap();
  }
  linnet_plan_close(plan);
  return 0;
}

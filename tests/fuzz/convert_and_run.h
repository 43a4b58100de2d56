// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/convert.h"
#include "tests/fuzz/run_plan.h"

namespace linnet::converter {

// Converts a model and runs the plan. If the model converts, the plan must open and run: converter
// and runtime must not disagree.
inline void ConvertAndRun(const std::string& model, const std::string& output) {
  ConvertOptions options;
  options.model = model;
  options.output = output;
  ConversionReport report;
  const absl::Status status = Convert(options, &report);
  if (absl::IsInternal(status)) __builtin_trap();  // an internal error is a bug of Linnet
  if (!status.ok()) return;
  linnet_plan* plan = nullptr;
  linnet_error error;
  if (linnet_plan_open_file(output.c_str(), nullptr, &plan, &error) != LINNET_OK) __builtin_trap();
  for (const linnet_backend backend : {LINNET_BACKEND_PORTABLE, LINNET_BACKEND_CPU}) {
    const linnet_status status = RunIfCheap(plan, backend);
    if (status != LINNET_OK && status != LINNET_NO_MEMORY && status != LINNET_CANCELLED &&
        status != LINNET_BAD_INDEX)
      __builtin_trap();
  }
  linnet_plan_close(plan);
}

}  // namespace linnet::converter

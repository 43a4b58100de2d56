// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "converter/cli/convert_flags.h"
#include "converter/report/report.h"

namespace linnet::cli {

// What came of a conversion, and what people are told about it.
struct ConvertOutcome {
  int exit_code = 0;  // of ExitCode
  std::string out;    // for standard output: what was done; "" when there is no plan
  std::string error;  // for standard error: every problem, then one sentence; "" when all went well
  converter::ConversionReport report;
};

// Does what `linnet convert` does with these arguments, and prints nothing. `progress`, which may
// be null, is called on this thread with each stage that begins.
ConvertOutcome ConvertAsAsked(const ConvertArguments& arguments,
                              const std::function<void(std::string_view stage)>& progress);

}  // namespace linnet::cli

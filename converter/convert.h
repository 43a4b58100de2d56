// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/convert_options.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Runs the whole conversion: import, passes, placement, schedule and memory plan, file. `report` is
// filled as far as the conversion got, so it is worth writing also on failure. The plan is written
// to a temporary file and renamed: on failure nothing carries its name. The status lists every
// problem that was found, one per line (ProblemsOf has them apart). Unavailable: a file could not
// be written; NotFound, InvalidArgument, Unimplemented: the model or the options are at fault;
// Internal: a bug of Linnet.
absl::Status Convert(const ConvertOptions& options, ConversionReport* report);

}  // namespace linnet::converter

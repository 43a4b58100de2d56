// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/statusor.h"
#include "converter/convert.h"
#include "converter/import/mapped_file.h"

namespace linnet::cli {

// Converts to a plan that no folder shows: its file is gone when this returns, what is mapped
// stays. `options.output` is not read. `report` as in Convert, whose errors these are.
absl::StatusOr<converter::OwnedBytes> PlanOfModel(converter::ConvertOptions options,
                                                  converter::ConversionReport* report);

}  // namespace linnet::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/report/report.h"

namespace linnet::converter {

// What `linnet convert` prints: inputs and outputs, passes, ops before and after, what runs where
// and why, memory, size, time. Parts that the report knows nothing about are left out.
std::string ReportText(const ConversionReport& report);

// One line per step with its type, attributes and work, for `linnet inspect`.
std::string StepsText(const ConversionReport& report);

}  // namespace linnet::converter

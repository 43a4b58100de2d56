// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/report/report.h"

namespace linnet::converter {

// The report as one JSON object; README.md lists its keys. Bytes that are not UTF-8 are replaced.
std::string ReportJson(const ConversionReport& report);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/report/report.h"

namespace linnet::converter {

// The arena over time as an <svg> element: x = step, y = offset, one box per buffer, coloured by
// size.
std::string ArenaSvg(const ConversionReport& report);

}  // namespace linnet::converter

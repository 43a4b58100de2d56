// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/place/place_graph.h"
#include "converter/plan/program.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Fills `placement` from the first signature that comes, whose steps the report has already; to the
// explanation every one adds a part.
void DescribePlacement(const PlacedGraph& placed, const DeviceSet& devices, const Program& program,
                       ConversionReport* report);

}  // namespace linnet::converter

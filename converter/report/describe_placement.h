// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/place/place_graph.h"
#include "converter/plan/program.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Called for each signature in turn: the first, whose steps the report has already, fills
// `placement`; every one adds its part to the explanation.
void DescribePlacement(const PlacedGraph& placed, const DeviceSet& devices, const Program& program,
                       ConversionReport* report);

}  // namespace linnet::converter

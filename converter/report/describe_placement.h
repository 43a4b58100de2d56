// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/place/place_graph.h"
#include "converter/plan/program.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Called for each signature in turn, with its program for the host: the first, whose steps the
// report has already, fills `placement`; every one adds its part to the explanation. `has_other`:
// the plan also has a program for the placement, which then is not the host's.
void DescribePlacement(const PlacedGraph& placed, const DeviceSet& devices, const Program& host,
                       bool has_other, ConversionReport* report);

}  // namespace linnet::converter

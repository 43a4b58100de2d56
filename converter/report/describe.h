// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "converter/graph/graph.h"
#include "converter/plan/plan_structure.h"
#include "converter/report/report.h"

namespace linnet::converter {

// Op -> how many nodes; ends of the graph are not counted.
std::map<std::string, int64_t> CountOps(const Graph& graph);

// Fills signature, ports, steps, memory and weights from a plan's first program, and `variants`
// from its signature's others; a plan that was read has been verified. Which backend takes a step
// is a forecast for a device with the XNNPACK package of this build.
void DescribePlan(const PlanStructure& plan, ConversionReport* report);

}  // namespace linnet::converter

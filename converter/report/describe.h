// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "converter/graph/graph.h"
#include "converter/plan/program.h"
#include "converter/report/report.h"
#include "runtime/plan/plan_view.h"
#include "runtime/verify/verify.h"

namespace linnet::converter {

// Op -> how many nodes; ends of the graph are not counted.
std::map<std::string, int64_t> CountOps(const Graph& graph);

// Fills ports, steps, memory and weights. Which backend takes a step is a forecast for a device
// with the XNNPACK package of this build.
void DescribeProgram(const Program& program, ConversionReport* report);
// The same from a plan. `weights` are the file's.
void DescribePlan(const PlanView& view, const VerifiedProgram& program, ConversionReport* report);

}  // namespace linnet::converter

// SPDX-License-Identifier: Apache-2.0
#include "converter/report/describe_placement.h"

#include <map>

#include "converter/place/explain.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// Which of the host's kernels a step gets, as far as that can be foretold.
std::string KernelText(const ConversionReport::Step& step) {
  if (step.reason.empty()) return step.backend;
  return fmt::format("{}: {}", step.backend == "none" ? "no work" : step.backend, step.reason);
}

void AddShares(const PlacedGraph& placed, const DeviceSet& devices, const CostModel& costs,
               ConversionReport::Devices* placement) {
  placement->shares = SharesOf(devices, costs, placed.partition);
  placement->segments = std::ssize(placed.partition.segments);
  placement->copies = std::ssize(placed.partition.copies);
  for (const Copy& copy : placed.partition.copies) placement->copy_bytes += copy.bytes;
  placement->estimated_us = placed.placement.completion_us;
}

}  // namespace

void DescribePlacement(const PlacedGraph& placed, const DeviceSet& devices, const Program& program,
                       ConversionReport* report) {
  const CostModel costs(devices, placed.profile);
  const bool is_first = report->placement.shares.empty();
  std::map<const Node*, std::string> kernels;
  if (is_first) {
    AddShares(placed, devices, costs, &report->placement);
    for (size_t i = 0; i < program.steps.size() && i < report->steps.size(); ++i)
      if (!program.steps[i].is_copy) kernels[program.steps[i].node] = KernelText(report->steps[i]);
  } else {
    report->placement.explanation += fmt::format("\nsignature '{}':\n", program.key);
  }
  report->placement.explanation +=
      ExplainPlacement(devices, costs, placed.placement, placed.partition, [&](const Node& node) {
        const auto it = kernels.find(&node);
        return it == kernels.end() ? std::string() : it->second;
      });
}

}  // namespace linnet::converter

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

}  // namespace

void DescribePlacement(const PlacedGraph& placed, const DeviceSet& devices, const Program& program,
                       ConversionReport* report) {
  const CostModel costs(devices, placed.profile);
  ConversionReport::Devices& placement = report->placement;
  std::map<const Node*, std::string> kernels;
  if (placement.shares.empty()) {
    placement.shares = SharesOf(devices, costs, placed.partition);
    placement.segments = std::ssize(placed.partition.segments);
    placement.copies = std::ssize(placed.partition.copies);
    for (const Copy& copy : placed.partition.copies) placement.copy_bytes += copy.bytes;
    placement.estimated_us = placed.placement.completion_us;
    for (size_t i = 0; i < program.steps.size() && i < report->steps.size(); ++i)
      if (!program.steps[i].is_copy) kernels[program.steps[i].node] = KernelText(report->steps[i]);
  } else {
    placement.explanation += fmt::format("\nsignature '{}':\n", program.key);
  }
  placement.explanation +=
      ExplainPlacement(devices, costs, placed.placement, placed.partition, [&](const Node& node) {
        const auto it = kernels.find(&node);
        return it == kernels.end() ? std::string() : it->second;
      });
}

}  // namespace linnet::converter

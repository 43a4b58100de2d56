// SPDX-License-Identifier: Apache-2.0
#include "converter/report/describe_placement.h"

#include <map>

#include "converter/place/explain.h"
#include "fmt/format.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {
namespace {

// Which of the host's kernels a step gets, as far as that can be foretold.
std::string KernelText(const ConversionReport::Step& step) {
  if (step.reason.empty()) return step.backend;
  return fmt::format("{}: {}", step.backend == "none" ? "no work" : step.backend, step.reason);
}

}  // namespace

void DescribePlacement(const PlacedGraph& placed, const DeviceSet& devices, const Program& host,
                       bool has_other, ConversionReport* report) {
  const CostModel costs(devices, placed.profile);
  ConversionReport::Devices& placement = report->placement;
  // By name, since the program may be of a copy of the graph.
  std::map<std::string, std::string> kernels;
  if (placement.shares.empty()) {
    placement.shares = SharesOf(devices, costs, placed.partition);
    placement.segments = std::ssize(placed.partition.segments);
    placement.copies = std::ssize(placed.partition.copies);
    for (const Copy& copy : placed.partition.copies) placement.copy_bytes += copy.bytes;
    placement.estimated_us = placed.placement.completion_us;
    for (size_t i = 0; i < host.steps.size() && i < report->steps.size(); ++i)
      kernels[host.steps[i].node->name()] = KernelText(report->steps[i]);
  } else {
    placement.explanation += fmt::format("\nsignature '{}':\n", host.key);
  }
  if (has_other)
    placement.explanation += fmt::format(
        "The program '{}' runs all steps on the CPU. The program '{}', for machines with such a "
        "device:\n",
        kHostVariant, kVulkanVariant);
  placement.explanation +=
      ExplainPlacement(devices, costs, placed.placement, placed.partition, [&](const Node& node) {
        const auto it = kernels.find(node.name());
        if (it == kernels.end()) return std::string();
        const bool on_host = devices[placed.placement.rows[node.id()].device].is_host;
        return on_host ? it->second : fmt::format("elsewhere {}", it->second);
      });
}

}  // namespace linnet::converter

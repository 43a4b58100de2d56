// SPDX-License-Identifier: Apache-2.0
#include "converter/place/explain.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "fmt/format.h"

namespace linnet::converter {
namespace {

// "1 step", "2 steps"
std::string Counted(int64_t count, const char* what, const char* plural) {
  return fmt::format("{} {}", count, count == 1 ? what : plural);
}

// The model's names for a step, unless its own is the only one. --place-node takes them.
std::string SourcesText(const Node& node) {
  constexpr size_t kMaxNames = 4;
  const std::span<const std::string> sources = node.sources();
  if (sources.empty() || (sources.size() == 1 && sources[0] == node.name())) return "";
  return fmt::format("; stands for {}{}",
                     fmt::join(sources.first(std::min(sources.size(), kMaxNames)), ", "),
                     sources.size() > kMaxNames ? ", ..." : "");
}

struct Explanation {
  const DeviceSet& devices;
  const CostModel& costs;
  const Placement& placement;
  const Partition& partition;
  const std::function<std::string(const Node&)>& detail_of;
  std::string text = {};

  std::string Write() {
    const int num_segments = static_cast<int>(partition.segments.size());
    for (int i = 0; i < num_segments; ++i) {
      CopiesBefore(i);
      for (const Node* node : partition.segments[i].nodes) Step(*node);
    }
    CopiesBefore(num_segments);
    Totals();
    return std::move(text);
  }

  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
    text += '\n';
  }

  std::string NameOf(int device) const { return ToString(devices[device].name); }

  void Step(const Node& node) {
    const Placement::Row& row = placement.rows[node.id()];
    const std::string detail = detail_of ? detail_of(node) : "";
    Line("{}: ({}): {}  {}{}{}{}", node.name(), node.op_name(), NameOf(row.device), row.reason,
         detail.empty() ? "" : "; ", detail, SourcesText(node));
  }

  void CopiesBefore(int segment) {
    for (const Copy& copy : partition.copies)
      if (copy.before == segment)
        Line("  copy {} ({} bytes, about {:.1f} us): {} -> {}",
             TensorName(copy.node->name(), copy.output), copy.bytes,
             costs.CopyUs(copy.bytes, copy.from, copy.to), NameOf(copy.from), NameOf(copy.to));
  }

  void Totals() {
    for (const DeviceShare& share : SharesOf(devices, costs, partition))
      Line("{}: {}, about {:.1f} us{}", share.device, Counted(share.steps, "step", "steps"),
           share.estimated_us, share.halves ? ", with floats in 16 bits" : "");
    int64_t bytes = 0;
    for (const Copy& copy : partition.copies) bytes += copy.bytes;
    Line("{}, {} of {} bytes; a run takes about {:.1f} us",
         Counted(std::ssize(partition.segments), "segment", "segments"),
         Counted(std::ssize(partition.copies), "copy", "copies"), bytes, placement.completion_us);
  }
};

}  // namespace

std::vector<DeviceShare> SharesOf(const DeviceSet& devices, const CostModel& costs,
                                  const Partition& partition) {
  std::vector<DeviceShare> shares;
  for (const Device& device : devices.all())
    shares.push_back({.device = device.key, .halves = device.layout == Layout::kRows4Half});
  for (const Segment& segment : partition.segments) {
    DeviceShare& share = shares[segment.device];
    share.steps += std::ssize(segment.nodes);
    share.estimated_us += costs.SubmitUs(segment.device);
    for (const Node* node : segment.nodes)
      share.estimated_us += costs.TimeUs(*node, segment.device);
  }
  return shares;
}

std::string ExplainPlacement(const DeviceSet& devices, const CostModel& costs,
                             const Placement& placement, const Partition& partition,
                             const std::function<std::string(const Node&)>& detail) {
  return Explanation{devices, costs, placement, partition, detail}.Write();
}

}  // namespace linnet::converter

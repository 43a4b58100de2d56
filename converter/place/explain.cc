// SPDX-License-Identifier: Apache-2.0
#include "converter/place/explain.h"

#include <algorithm>
#include <iterator>

#include "fmt/format.h"

namespace linnet::converter {
namespace {

// "1 step", "2 steps"
std::string Counted(size_t count, const char* what, const char* plural) {
  return fmt::format("{} {}", count, count == 1 ? what : plural);
}

// The names that the model knows a step by, where that is not its own: what --place-node takes.
std::string SourcesText(const Node& node) {
  constexpr size_t kMaxNames = 4;
  const std::vector<std::string>& sources = node.sources();
  if (sources.empty() || (sources.size() == 1 && sources[0] == node.name())) return "";
  const auto last =
      sources.begin() + static_cast<std::ptrdiff_t>(std::min(sources.size(), kMaxNames));
  return fmt::format("; stands for {}{}", fmt::join(sources.begin(), last, ", "),
                     last == sources.end() ? "" : ", ...");
}

class Explanation {
 public:
  Explanation(const DeviceSet& devices, const CostModel& costs, const Placement& placement,
              const Partition& partition, const std::function<std::string(const Node&)>& detail)
      : devices_(devices),
        costs_(costs),
        placement_(placement),
        partition_(partition),
        detail_(detail) {}

  std::string Write() {
    const int num_segments = static_cast<int>(partition_.segments.size());
    for (int i = 0; i < num_segments; ++i) {
      CopiesBefore(i);
      for (const Node* node : partition_.segments[i].nodes) Step(*node);
    }
    CopiesBefore(num_segments);
    Totals();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  std::string NameOf(int device) const { return ToString(devices_[device].name); }

  void Step(const Node& node) {
    const Placement::Row& row = placement_.rows[node.id()];
    const std::string detail = detail_ ? detail_(node) : "";
    Line("{}: ({}): {}  {}{}{}{}", node.name(), node.op_name(), NameOf(row.device), row.reason,
         detail.empty() ? "" : "; ", detail, SourcesText(node));
  }

  void CopiesBefore(int segment) {
    for (const Copy& copy : partition_.copies)
      if (copy.before == segment)
        Line("  copy {} ({} bytes, about {:.1f} us): {} -> {}",
             TensorName(copy.node->name(), copy.output), copy.bytes,
             costs_.CopyUs(copy.bytes, copy.from, copy.to), NameOf(copy.from), NameOf(copy.to));
  }

  void Totals() {
    for (const DeviceShare& share : SharesOf(devices_, costs_, partition_))
      Line("{}: {}, about {:.1f} us", share.device,
           Counted(static_cast<size_t>(share.steps), "step", "steps"), share.estimated_us);
    int64_t bytes = 0;
    for (const Copy& copy : partition_.copies) bytes += copy.bytes;
    Line("{}, {} of {} bytes; a run takes about {:.1f} us",
         Counted(partition_.segments.size(), "segment", "segments"),
         Counted(partition_.copies.size(), "copy", "copies"), bytes, placement_.completion_us);
  }

  const DeviceSet& devices_;
  const CostModel& costs_;
  const Placement& placement_;
  const Partition& partition_;
  const std::function<std::string(const Node&)>& detail_;
  std::string text_;
};

}  // namespace

std::vector<DeviceShare> SharesOf(const DeviceSet& devices, const CostModel& costs,
                                  const Partition& partition) {
  std::vector<DeviceShare> shares;
  for (const Device& device : devices.all()) shares.push_back({device.key});
  for (const Segment& segment : partition.segments) {
    DeviceShare& share = shares[segment.device];
    share.steps += std::ssize(segment.nodes);
    for (const Node* node : segment.nodes)
      share.estimated_us += costs.TimeUs(*node, segment.device);
  }
  return shares;
}

std::string ExplainPlacement(const DeviceSet& devices, const CostModel& costs,
                             const Placement& placement, const Partition& partition,
                             const std::function<std::string(const Node&)>& detail) {
  return Explanation(devices, costs, placement, partition, detail).Write();
}

}  // namespace linnet::converter

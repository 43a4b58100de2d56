// SPDX-License-Identifier: Apache-2.0
#include "converter/place/device.h"

#include <algorithm>
#include <tuple>

#include "fmt/format.h"

namespace linnet::converter {

DeviceSet::DeviceSet(std::vector<Device> devices) : devices_(std::move(devices)) {
  std::ranges::stable_sort(devices_, {}, [](const Device& device) {
    return std::tuple(-device.priority, device.name.type, ToString(device.name));
  });
}

int DeviceSet::host() const {
  const auto it = std::ranges::find(devices_, true, &Device::is_host);
  return it == devices_.end() ? -1 : static_cast<int>(it - devices_.begin());
}

int DeviceSet::FindKey(std::string_view key) const {
  const auto it = std::ranges::find(devices_, key, &Device::key);
  return it == devices_.end() ? -1 : static_cast<int>(it - devices_.begin());
}

std::string DeviceSet::Names() const {
  std::vector<std::string> names;
  for (const Device& device : devices_) names.push_back(ToString(device.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

int MemoryOf(const DeviceSet& devices, int index, DType dtype) {
  const bool on_host = std::ranges::count(devices[index].host_dtypes, dtype) > 0;
  return on_host && devices.host() >= 0 ? devices.host() : index;
}

NodeInstance::NodeInstance(const Node& node) : node_(node) {
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Output input = node.input(i);
    inputs_.push_back({input.node->type(input.index), nullptr, input.node->IsConstant()});
  }
  for (int i = 0; i < node.num_outputs(); ++i) outputs_.push_back(node.type(i));
}

}  // namespace linnet::converter

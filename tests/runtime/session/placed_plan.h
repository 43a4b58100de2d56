// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "converter/graph/graph.h"
#include "converter/place/device.h"
#include "converter/place/place_graph.h"

namespace linnet {

// The host, and test devices with these keys, whose memory has this layout.
converter::DeviceSet HostAnd(std::initializer_list<const char*> keys,
                             Layout layout = Layout::kDense);

// The plan of a graph in text form, as by TextPlan, for two devices: the second, "vulkan", runs
// everything that it can run (fake_support.h).
std::vector<std::byte> PlacedPlan(std::string_view text);
// In this layout of the second device's memory.
std::vector<std::byte> PlacedPlan(Layout layout, std::string_view text);
std::vector<std::byte> PlacedPlan(converter::Graph& graph);
// The plan with two programs: the host's, and "vulkan" with that placement.
std::vector<std::byte> VariantsPlan(std::string_view text);
std::vector<std::byte> VariantsPlan(converter::Graph& graph);
// The same for the devices of this build, which include Vulkan's.
std::vector<std::byte> VulkanPlan(
    std::string_view text, converter::GpuPrecision precision = converter::GpuPrecision::kF32);
// A plan for the test device of a model with a variable, f32[2]: sum += exp(x); out = sum.
std::vector<std::byte> RunningSumPlan();
// Only these nodes are not on the host: name -> key of the device.
std::vector<std::byte> PlacedPlan(std::string_view text,
                                  const std::map<std::string, std::string>& places);
std::vector<std::byte> PlacedPlan(converter::Graph& graph,
                                  const std::map<std::string, std::string>& places);

// A graph with the state "sum", which grows by the input f32[4] with each run (the node "add") and
// is the output; `doubled`: the output is twice that (the node "twice").
std::unique_ptr<converter::Graph> SumOfRuns(bool doubled = false);

}  // namespace linnet

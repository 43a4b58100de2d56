// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "converter/graph/graph.h"
#include "converter/place/device.h"
#include "converter/place/partition.h"
#include "converter/plan/program.h"
#include "converter/plan/weight_order.h"

namespace linnet {

// The plan of a graph in text form (converter/graph/README.md). Its arguments become the inputs
// "in0", "in1" ..., its results the outputs "out0", "out1" ...
std::vector<std::byte> TextPlan(std::string_view text,
                                converter::WeightOrder order = converter::WeightOrder::kPanels,
                                const converter::ProgramOptions& options = {});
// The same with steps that run in strips, where these save memory: of `rows` rows, which may be
// fewer than the converter chooses, or of as many as it chooses.
std::vector<std::byte> StripsPlan(std::string_view text, uint32_t rows = UINT32_MAX);
std::vector<std::byte> GraphPlan(const converter::Graph& graph);
// The plan of a graph that is already placed. States begin with zeros.
std::vector<std::byte> GraphPlan(const converter::Graph& graph,
                                 const converter::Partition& partition,
                                 const converter::DeviceSet& devices);
// The plan with two programs, as by `linnet convert --place vulkan`: the host's, and "vulkan" as it
// is placed.
std::vector<std::byte> VariantsPlan(const converter::Graph& graph,
                                    const converter::Partition& partition,
                                    const converter::DeviceSet& devices);
// The same with these names, and with these initial values of states.
std::vector<std::byte> GraphPlan(const converter::Graph& graph,
                                 std::span<const converter::PortName> inputs,
                                 std::span<const converter::PortName> outputs,
                                 const std::map<std::string, converter::Constant>& states,
                                 const converter::Partition& partition = {},
                                 const converter::DeviceSet& devices = converter::DeviceSet({}),
                                 const converter::ProgramOptions& options = {});

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schema/plan_generated.h"

namespace linnet::fuzz {

// A .linnet file as objects that can be changed.
struct PlanFile {
  schema::PlanT plan;  // offset and size of its weights are computed from `weights`
  std::vector<std::vector<uint8_t>> weights;  // bytes of the weights, in the order of plan.weights
};

// Nothing for a file whose structure is no FlatBuffer, or is too large to be changed quickly.
std::optional<PlanFile> ReadPlanFile(std::span<const uint8_t> file);

// A file with correct header, layout and weights, whatever the structure says.
std::vector<uint8_t> WritePlanFile(PlanFile& file);

}  // namespace linnet::fuzz

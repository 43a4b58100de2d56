// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "converter/plan/plan_structure.h"
#include "converter/plan/program.h"
#include "converter/plan/weight_layout.h"

namespace linnet::converter {

// A plan before it is written: `programs`, one per signature, over one set of weights. The weights'
// bytes are those of the programs, which outlive it.
struct BuiltPlan {
  WeightLayout weights;
  PlanStructure structure;
};
BuiltPlan BuildPlan(std::span<const Program> programs, WeightOrder order = WeightOrder::kPanels);

// What is checked of the file before it gets its name.
enum class WrittenCheck {
  kAsRuntime,  // everything that opening it checks
  kNone,       // for tests of what opening refuses
};

// Writes a .linnet file (schema/README.md): to `path`.part first, renamed when it is whole and has
// been checked. Weights are streamed from where they lie, or packed one by one; equal ones are
// written once. The same programs give the same bytes. Returns how many. Unavailable: it could not
// be written; Internal: it would not open.
absl::StatusOr<int64_t> WritePlan(const BuiltPlan& plan, const std::string& path,
                                  WrittenCheck check = WrittenCheck::kAsRuntime);

}  // namespace linnet::converter

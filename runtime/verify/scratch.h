// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "runtime/plan/extents.h"
#include "runtime/plan/plan_view.h"
#include "runtime/verify/overlap.h"
#include "runtime/verify/regions.h"

namespace linnet {

inline constexpr Status kNoMemoryToVerify{StatusCode::kNoMemory,
                                          "out of memory while verifying the plan"};

// Memory for a while, which all programs of a plan use one after the other.
struct VerifierScratch {
  explicit VerifierScratch(const HostAllocator& allocator) : region(allocator) {}

  // Room for the largest program and step of the plan.
  Status Create(const PlanView& view) {
    size_t most_inputs = 0;
    for (const PlanProgram& program : view.programs)
      for (const PlanStep& step : program.steps)
        most_inputs = std::max(most_inputs, step.inputs.size());
    const auto count = static_cast<int64_t>(most_inputs);
    inputs = region.New<InputInfo>(count);
    placed = region.New<const PlanTensor*>(count);
    ranges = region.New<ByteRange>(count);
    updated_by = region.New<const PlanProgram*>(static_cast<int64_t>(view.states.size()));
    reader_of = region.New<int64_t>(static_cast<int64_t>(view.symbols.size()));
    if (inputs == nullptr || placed == nullptr || ranges == nullptr || updated_by == nullptr ||
        reader_of == nullptr)
      return kNoMemoryToVerify;
    LINNET_RETURN_IF_ERROR(scopes.Create(view.programs, region));
    // Every symbol at its maximum: what follows for other values is checked by the same rules when
    // running.
    return extents.Create(view.symbols, region);
  }

  Region region;
  InputInfo* inputs = nullptr;               // of the current step
  const PlanTensor** placed = nullptr;       // the same, where they lie
  ByteRange* ranges = nullptr;               // one per input of the current step
  const PlanProgram** updated_by = nullptr;  // by state: the last program that updates it
  int64_t* reader_of = nullptr;              // by symbol: the last of `readers` that read it
  int64_t readers = 0;                       // steps that set extents
  RegionScopes scopes;
  Extents extents;
};

}  // namespace linnet

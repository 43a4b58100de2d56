// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "runtime/plan/extents.h"
#include "runtime/plan/plan_view.h"
#include "runtime/strips/strip_chain.h"
#include "runtime/verify/overlap.h"
#include "runtime/verify/regions.h"

namespace linnet {

inline constexpr Status kNoMemoryToVerify{StatusCode::kNoMemory,
                                          "out of memory while verifying the plan"};

// Temporary memory that the programs of a plan use one after the other.
struct VerifierScratch {
  explicit VerifierScratch(const HostAllocator& allocator) : region(allocator) {}

  // Allocates memory for the largest program and step of the plan.
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
    if (kLinkedStrips && HasStrips(view)) {
      auto* parts = region.New<StripPart>(kMaxStripParts);
      if (parts == nullptr) return kNoMemoryToVerify;
      strip_parts = {parts, kMaxStripParts};
    }
    LINNET_RETURN_IF_ERROR(scopes.Create(view.programs, region));
    // Every symbol is at its maximum. Runs check other values by the same rules.
    return extents.Create(view.symbols, region);
  }

  static bool HasStrips(const PlanView& view) {
    for (const PlanProgram& program : view.programs)
      if (!program.strips.empty()) return true;
    return false;
  }

  Region region;
  InputInfo* inputs = nullptr;               // of the current step
  const PlanTensor** placed = nullptr;       // the same, with their places
  ByteRange* ranges = nullptr;               // one per input of the current step
  const PlanProgram** updated_by = nullptr;  // by state: the last program that updates it
  int64_t* reader_of = nullptr;      // by symbol: value of `readers` when a step last read it, or
                                     // INT64_MAX if an input has it
  int64_t readers = 0;               // number of steps so far that set extents
  std::span<StripPart> strip_parts;  // of the strips of the moment; empty when no program has any
  RegionScopes scopes;
  Extents extents;
};

}  // namespace linnet

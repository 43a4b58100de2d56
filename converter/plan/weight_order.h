// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "converter/plan/program.h"

namespace linnet::converter {

// How the filters of matrix products lie in the plan.
enum class WeightOrder {
  kPanels,  // as our kernels read them (runtime/core/panels.h), so that loading packs nothing
  kRows,    // row-major, as the model has them
};

// Which weights of the plan go into panels: large ones that nothing but products on the host reads,
// all as the same matrix, if padding adds little; and small ones that may be multiplied in halves.
// What a device reads does not matter, because it packs its own form. `indices`: the plan's numbers
// of each program's weights, below `count`.
std::vector<bool> WeightsInPanels(std::span<const Program> programs,
                                  std::span<const std::vector<int>> indices, size_t count);

// The bytes of a constant in the order of panels, in which missing columns are zeros.
std::vector<std::byte> BytesInPanels(const Constant& value);

}  // namespace linnet::converter

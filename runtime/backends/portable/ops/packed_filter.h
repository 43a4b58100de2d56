// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/portable/portable_op.h"

namespace linnet::portable {

// The filter is input 1 of convolutions and matrix products. A constant filter is packed once
// (KernelContext::prepared); for any other, every run packs it to the beginning of scratch.
inline constexpr int kFilterInput = 1;

inline bool PacksFilter(const OpInstance&, int i) { return i == kFilterInput; }

inline bool HasConstantFilter(const OpInstance& op) { return op.inputs[kFilterInput].is_constant; }

inline const float* ConstantFilter(const OpInstance& op) {
  return static_cast<const float*>(op.inputs[kFilterInput].value);
}

// Bias: input 2, or null.
inline const float* BiasOf(const KernelContext& context) {
  return context.inputs.size() > 2 ? context.inputs[2].as<const float>() : nullptr;
}

// The packed filter of one run, and the rest of scratch.
struct PackedFilter {
  const float* panels;
  void* scratch;
};

// `pack(filter, panels)` fills `floats` floats.
template <typename Pack>
PackedFilter PackedFilterOf(const KernelContext& context, int64_t floats, const Pack& pack) {
  if (context.prepared != nullptr)
    return {static_cast<const float*>(context.prepared), context.scratch};
  auto* panels = static_cast<float*>(context.scratch);
  pack(context.inputs[kFilterInput].as<const float>(), panels);
  return {panels, static_cast<char*>(context.scratch) + AlignedBytes<float>(floats)};
}

}  // namespace linnet::portable

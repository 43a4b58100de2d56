// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/portable/portable_op.h"
#include "runtime/kernels/gemm.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/fully_connected.h"

namespace linnet::portable {

// The filter is input 1 of convolutions and matrix products. A constant filter is packed once
// (KernelContext::prepared), or is in panels in the plan; for any other, every run packs it to the
// beginning of scratch. Or no filter is packed (KernelContext::packs): functions that are not
// called then begin by asking kLinkedPacking, so that programs without that part do not contain
// them.
inline constexpr int kFilterInput = 1;

inline bool PacksFilter(const OpInstance&, int i) { return i == kFilterInput; }

inline bool HasConstantFilter(const OpInstance& op) { return op.inputs[kFilterInput].is_constant; }

inline const float* ConstantFilter(const OpInstance& op) {
  return static_cast<const float*>(op.inputs[kFilterInput].value);
}

// Whether a step multiplies its panels of halves as they are, because the plan allows it.
inline bool MultipliesInHalves(const OpInstance& op) {
  const bool allowed = op.kind == OpKind::kConv2D           ? op.as<Conv2DAttrs>().halves
                       : op.kind == OpKind::kFullyConnected ? op.as<FullyConnectedAttrs>().halves
                                                            : false;
  if (!allowed) return false;
  const InputInfo& filter = op.inputs[kFilterInput];
  const FilterMatrix matrix(filter.type.shape);
  return kernels::MultipliesInHalves(filter.in_panels.encoding, matrix.depth, matrix.cols);
}

// For a product with a row for each element of the output's other dimensions than the last.
inline PanelForm FormOfProduct(const OpInstance& op) {
  if (!kLinkedEncodedPanels) return PanelForm::kFloats;
  if (MultipliesInHalves(op)) return PanelForm::kEncoded;
  const Shape& out = op.output(0).shape;
  return out.Product(0, out.rank() - 1) <= kMostEncodedRows &&
                 kernels::ReadsEncoded(op.inputs[kFilterInput].in_panels.encoding)
             ? PanelForm::kEncoded
             : PanelForm::kFloats;
}

// In which form of panels a step has its filter. Also says what a program contains, which the
// optimiser cannot see from InputInfo::form.
inline PanelForm FilterForm(const OpInstance& op) {
  if (!kLinkedPanels || op.num_inputs() <= kFilterInput) return PanelForm::kNone;
  const PanelForm form = op.inputs[kFilterInput].form;
  return !kLinkedEncodedPanels && form == PanelForm::kEncoded ? PanelForm::kNone : form;
}

// Bias: input 2, or null.
inline const float* BiasOf(const KernelContext& context) {
  return context.inputs.size() > 2 ? context.inputs[2].as<const float>() : nullptr;
}

// The filter of one run, and the rest of scratch.
struct FilterOfRun {
  kernels::Filter filter;
  void* scratch;
};

// Temporary memory of `rest` bytes behind a filter of `floats` that each run packs.
inline int64_t ScratchBehindFilter(const OpInstance& op, int64_t floats, int64_t rest) {
  return HasConstantFilter(op) ? rest : SaturatingAdd(AlignedBytes<float>(floats), rest);
}

// `pack(filter, panels)` fills `floats` floats.
template <typename Pack>
FilterOfRun FilterOf(const KernelContext& context, int64_t floats, const Pack& pack) {
  if (kLinkedEncodedPanels && context.is_encoded)
    return {{.data = nullptr,
             .in_panels = true,
             .encoded = static_cast<const kernels::EncodedFilter*>(context.prepared)},
            context.scratch};
  if (context.prepared != nullptr)
    return {{static_cast<const float*>(context.prepared)}, context.scratch};
  const auto* plain = context.inputs[kFilterInput].as<const float>();
  if (!context.packs) return {{plain, false}, context.scratch};
  auto* panels = static_cast<float*>(context.scratch);
  pack(plain, panels);
  return {{panels}, static_cast<char*>(context.scratch) + AlignedBytes<float>(floats)};
}

}  // namespace linnet::portable

// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/support.h"

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/core/checked.h"

namespace linnet::vulkan {
namespace {

const char* WhyNoTensor(const TensorType& type) {
  if (!HasDeviceForm(type.dtype)) return "only f32, i32, u8 and bool, and i64 as indices";
  int64_t elements;
  if (!type.shape.NumElementsChecked(&elements)) return "impossible shape";
  // As steps have it, and as the host has it, which copies read and write.
  if (BytesIn(Layout::kRows4, type) > kMaxWindowBytes || type.bytes() > kMaxWindowBytes)
    return "a tensor of more than 128 MiB";
  return nullptr;
}

// Whether numbers of more than 32 bits could be lost.
const char* WhyNoWideIntegers(const OpInstance& op, const OpLowering& lowering) {
  constexpr const char* kReason = "i64 other than indices and positions";
  for (int i = 0; i < op.num_inputs(); ++i) {
    const bool as_tensor = !op.inputs[i].is_constant || lowering.packed_bytes == nullptr;
    if (as_tensor && op.input(i).dtype == DType::kInt64 && i != lowering.index_input)
      return kReason;
  }
  for (const TensorType& output : op.outputs)
    if (output.dtype == DType::kInt64 && !lowering.makes_positions) return kReason;
  return nullptr;
}

}  // namespace

const char* WhyUnsupported(const OpInstance& op) {
  const OpLowering* lowering = FindLowering(op.kind);
  if (lowering == nullptr) return "no Vulkan kernel";
  for (const InputInfo& input : op.inputs) {
    // What an op packs itself never has the device's form.
    if (input.is_constant && lowering->packed_bytes != nullptr) continue;
    if (const char* reason = WhyNoTensor(input.type)) return reason;
  }
  for (const TensorType& output : op.outputs)
    if (const char* reason = WhyNoTensor(output)) return reason;
  if (const char* reason = WhyNoWideIntegers(op, *lowering)) return reason;
  if (const char* reason = lowering->why_unsupported(op)) return reason;
  if (lowering->packed_bytes != nullptr &&
      lowering->packed_bytes(op, Layout::kRows4) > kMaxWindowBytes)
    return "constants of more than 128 MiB";
  return nullptr;
}

int64_t ScratchBytes(const OpInstance& op, Layout layout) {
  const ScratchForm* form = FindLowering(op.kind)->with_scratch;
  return form == nullptr ? 0 : AlignUp(form->scratch_bytes(op, layout), kWindowAlignment);
}

int64_t PackedBytes(const OpInstance& op, Layout layout, int64_t scratch_bytes) {
  if (const PackedForm own = FindPackedForm(op, layout, scratch_bytes); own.bytes != nullptr)
    return AlignUp(own.bytes(op, layout), kWindowAlignment);
  int64_t bytes = 0;
  for (const InputInfo& input : op.inputs) {
    if (!input.is_constant) continue;
    bytes = SaturatingAdd(bytes, AlignUp(BytesIn(layout, input.type), kWindowAlignment));
  }
  return bytes;
}

}  // namespace linnet::vulkan

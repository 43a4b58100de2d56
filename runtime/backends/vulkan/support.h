// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/layout.h"
#include "runtime/ops/op_def.h"

// What Vulkan can run. Free of Vulkan itself, because the converter links it too; assumes only what
// every device can do, so that the converter and all devices give the same answers.
namespace linnet::vulkan {

// nullptr when Vulkan can run `op`, in tensors of any of its layouts, else a short reason for
// reports. The values of constants may be unknown.
const char* WhyUnsupported(const OpInstance& op);

// True when the device has a form of this dtype.
constexpr bool HasDeviceForm(DType dtype) { return HasForm(Layout::kRows4, dtype); }

// Bytes of memory with which a step, whose tensors have `layout`, runs faster than without; 0 when
// none helps. A multiple of kRows4Alignment. REQUIRES: WhyUnsupported(op) == nullptr
int64_t ScratchBytes(const OpInstance& op, Layout layout);

// Bytes of the packed weights of a step whose tensors have `layout`, and to which the plan offers
// `scratch_bytes`. REQUIRES: WhyUnsupported(op) == nullptr
int64_t PackedBytes(const OpInstance& op, Layout layout, int64_t scratch_bytes);

}  // namespace linnet::vulkan

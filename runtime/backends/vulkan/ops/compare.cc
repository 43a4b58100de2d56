// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/compare.h"

#include "runtime/backends/vulkan/broadcast.h"

namespace linnet::vulkan {
namespace {

using schema::CompareKind;

static_assert(kCompareEqual == kCompare + static_cast<uint>(CompareKind::Equal));
static_assert(kCompareGreaterEqual == kCompare + static_cast<uint>(CompareKind::MAX));

void Lower(const OpInstance& op, Dispatches& dispatches) {
  const bool floats = op.input(0).dtype == DType::kFloat32;
  AddBroadcast(floats ? Shader::k_compare : Shader::k_binary_int, op,
               kCompare + static_cast<uint>(op.as<CompareAttrs>().kind), {}, dispatches);
}

}  // namespace

const OpLowering kCompareLowering = {.why_unsupported = WhyNotBroadcast, .lower = Lower};

}  // namespace linnet::vulkan

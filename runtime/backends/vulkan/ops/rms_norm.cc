// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/rms_norm.h"

#include "runtime/backends/vulkan/abi/rms_norm.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  auto push = PushRows<RmsNormPush>(op.output(0));
  push.epsilon = op.as<RmsNormAttrs>().epsilon;
  AddRows(Shader::k_rms_norm, op, dispatches).Push(push);
}

}  // namespace

const OpLowering kRmsNormLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/l2_normalize.h"

#include "runtime/backends/vulkan/abi/l2_normalize.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  auto push = PushRows<L2NormalizePush>(op.output(0));
  push.epsilon = op.as<L2NormalizeAttrs>().epsilon;
  AddRows(Shader::k_l2_normalize, op, dispatches).Push(push);
}

}  // namespace

const OpLowering kL2NormalizeLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/layer_norm.h"

#include "runtime/backends/vulkan/abi/layer_norm.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  auto push = PushRows<LayerNormPush>(op.output(0));
  push.epsilon = op.as<LayerNormAttrs>().epsilon;
  AddRows(Shader::k_layer_norm, op, dispatches).Push(push);
}

}  // namespace

const OpLowering kLayerNormLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/select.h"

#include "runtime/backends/vulkan/broadcast.h"

namespace linnet::vulkan {
namespace {

void Lower(const OpInstance& op, Dispatches& dispatches) {
  AddBroadcast(Shader::k_select, op, 0, {}, dispatches);
}

}  // namespace

const OpLowering kSelectLowering = {.why_unsupported = WhyNotBroadcast, .lower = Lower};

}  // namespace linnet::vulkan

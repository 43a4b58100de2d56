// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/prelu.h"

#include "runtime/backends/vulkan/broadcast.h"

namespace linnet::vulkan {
namespace {

void Lower(const OpInstance& op, Dispatches& dispatches) {
  AddBroadcast(Shader::k_binary, op, kBinaryPrelu, {}, dispatches);
}

}  // namespace

const OpLowering kPreluLowering = {.why_unsupported = WhyNotBroadcast, .lower = Lower};

}  // namespace linnet::vulkan

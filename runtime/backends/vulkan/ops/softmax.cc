// SPDX-License-Identifier: Apache-2.0
#include "runtime/ops/softmax.h"

#include "runtime/backends/vulkan/abi/softmax.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/row_group.h"

namespace linnet::vulkan {
namespace {

const char* WhyUnsupported(const OpInstance&) { return nullptr; }

void Lower(const OpInstance& op, Dispatches& dispatches) {
  Dispatch& dispatch = AddRows(Shader::k_softmax, op, dispatches);
  dispatch.Specialise(op.as<SoftmaxAttrs>().log ? 1 : 0);
  dispatch.Push(PushRows<SoftmaxPush>(op.output(0)));
}

}  // namespace

const OpLowering kSoftmaxLowering = {.why_unsupported = WhyUnsupported, .lower = Lower};

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/device_backend.h"

#include "runtime/core/checked.h"

namespace linnet {

int64_t SumPackedBytes(const DeviceBackend& device, const PreparedWeights& weights, int space,
                       std::span<InputInfo> inputs) {
  const VerifiedProgram& program = weights.program();
  int64_t sum = 0;
  for (int32_t i = 0; i < std::ssize(program.steps); ++i) {
    const VerifiedStep& step = program.steps[i];
    if (step.control != schema::Control::None || program.plan->steps[i].space != space) continue;
    TensorType outputs[kMaxOpOutputs];
    const OpInstance op = weights.Instance(i, inputs.first(step.inputs.size()), outputs);
    if (device.WhyUnsupported(op) == nullptr)
      sum =
          SaturatingAdd(sum, AlignUp(device.PackedBytes(weights.Context(i, op)), kDeviceAlignment));
  }
  return sum;
}

}  // namespace linnet

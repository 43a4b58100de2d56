// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/memory.h"
#include "runtime/core/region.h"
#include "runtime/ops/op_def.h"
#include "runtime/session/backend.h"

namespace linnet::vulkan {

// Where the constants of one step lie in the packed weights.
struct StepWeights {
  // What OpLowering::pack wrote: [offset, offset + bytes).
  bool own_form = false;
  int64_t offset = 0;
  int64_t bytes = 0;
  // Without a form of the op's own, by input: where its rows start, -1: not constant.
  int num_inputs = 0;
  int64_t* inputs = nullptr;
};

// The constants of all steps of a plan in one buffer of the device, shared by all sessions.
class DeviceWeights final : public PackedWeights {
 public:
  explicit DeviceWeights(Device& device) : device_(device) {}
  Status Allocate(int64_t bytes);
  // Packs the constants of a step whose tensors have `layout`. *out is in `region`, or null for a
  // step without constants.
  Status Pack(const OpInstance& op, Layout layout, Region& region, StepWeights** out);

  Status Finalize() override;
  int64_t device_bytes() const override { return buffer_.allocated; }
  void Destroy() override;

  const Buffer& buffer() const { return buffer_; }

 private:
  // Where the host writes the next `bytes`: the buffer itself, or the staging buffer.
  Status Reserve(int64_t bytes, std::byte** to);
  // Copies what lies in the staging buffer.
  Status CopyStaged();

  Device& device_;
  Buffer buffer_;
  Buffer staging_;           // only when the host cannot access buffer_
  int64_t bytes_ = 0;        // of buffer_, for constants
  int64_t used_ = 0;         // of bytes_
  int64_t staged_from_ = 0;  // [staged_from_, used_) lies in the staging buffer only
};

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/memory.h"
#include "runtime/backends/vulkan/pipeline_cache.h"
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

// What the sessions of a plan share: the constants of all steps in one buffer of the device, and
// what the driver has compiled.
class DeviceWeights final : public PackedWeights {
 public:
  explicit DeviceWeights(Device& device) : device_(device), cache_(device) {}
  Status Allocate(int64_t bytes);
  // Packs the constants of a step whose tensors have `layout`, and to which the plan offers
  // `scratch_bytes`. *out is in `region`, or null for a step without constants.
  Status Pack(const OpInstance& op, Layout layout, int64_t scratch_bytes, Region& region,
              StepWeights** out);

  Status Finalize() override;
  int64_t device_bytes() const override { return buffer_.allocated; }
  Status OpenCache(std::span<const std::byte> data) override { return cache_.Open(data); }
  int64_t SaveCache(void* to, int64_t capacity) const override { return cache_.Save(to, capacity); }
  void Destroy() override;

  const Buffer& buffer() const { return buffer_; }
  // Null unless OpenCache was called.
  VkPipelineCache pipeline_cache() { return cache_.handle(); }

 private:
  // Where the host writes the next `bytes`: the buffer itself, or the staging buffer.
  Status Reserve(int64_t bytes, std::byte** to);
  // Copies what lies in the staging buffer.
  Status CopyStaged();

  Device& device_;
  PipelineCache cache_;
  Buffer buffer_;
  Buffer staging_;           // only when the host cannot access buffer_
  int64_t bytes_ = 0;        // of buffer_, for constants
  int64_t used_ = 0;         // of bytes_
  int64_t staged_from_ = 0;  // [staged_from_, used_) lies in the staging buffer only
};

}  // namespace linnet::vulkan

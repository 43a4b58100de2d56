// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/session_memory.h"

#include "runtime/session/device_backend.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "the session's memory is too small"};

}  // namespace

SessionMemory::~SessionMemory() {
  for (size_t i = 0; kLinkedDevices && devices_ != nullptr && i < plan_->spaces.size(); ++i)
    if (devices_[i] != nullptr) devices_[i]->Destroy();
}

Status SessionMemory::Create(const PreparedWeights& weights, Region& region) {
  plan_ = weights.program().plan;
  // Kernels may read past a tensor, so the arena itself needs readable bytes after it.
  arena_bytes_ = plan_->arena().bytes + kWeightTail;
  arena_ = static_cast<std::byte*>(region.AllocateZeros(arena_bytes_));
  if (arena_ == nullptr) return kNoMemory;
  if (!plan_->has_devices()) return {};
  const Backend& device = *weights.backends()[weights.FindDevice(1)];
  return device.as_device()->CreateMemory(weights, region, this);
}

bool SessionMemory::is_shared(int32_t buffer) const {
  return kLinkedDevices && homes_ != nullptr && homes_[buffer].space != 0 &&
         devices_[homes_[buffer].space]->host_data() != nullptr;
}

void* SessionMemory::home(int32_t buffer) const {
  const PlanBuffer& planned = plan_->buffers[buffer];
  if (planned.space != 0) return nullptr;
  if (is_shared(buffer))
    return static_cast<std::byte*>(devices_[homes_[buffer].space]->host_data()) +
           homes_[buffer].offset;
  return arena_ + planned.offset;
}

}  // namespace linnet

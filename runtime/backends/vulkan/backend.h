// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/backends/vulkan/device.h"
#include "runtime/session/device_backend.h"

namespace linnet::vulkan {

// Steps on a GPU: see README.md in this folder.
class VulkanBackend final : public DeviceBackend {
 public:
  // On `device`, which must outlive it; null: on the one that the process shares.
  constexpr explicit VulkanBackend(Device* device = nullptr) : own_(device) {}

  const char* name() const override { return "vulkan"; }
  const char* device() const override { return "vulkan"; }
  bool is_software() const override;
  bool HasLayout(Layout layout) const override { return HasRows4(layout); }
  bool GetInfo(DeviceInfo* info) const override;
  bool GetKey(DeviceKey* key) const override;
  bool PrefersSpeed(Layout layout) const override;
  Status Initialize() const override;
  const char* WhyUnsupported(const OpInstance& op) const override;
  int64_t PackedBytes(const StepContext& step) const override;
  Status NewMemory(int64_t bytes, int64_t host_bytes, Region& region,
                   DeviceMemory** out) const override;
  Status NewSegment(DeviceMemory* memory, Layout layout, PackedWeights* weights, Region& region,
                    RunnableSegment** out) const override;
  Status NewPackedWeights(int64_t bytes, Region& region, PackedWeights** out) const override;
  bool PacksInput(const OpInstance& op, int i) const override;
  Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
              void** packed) const override;

 private:
  // kUnsupported, kDeviceLost.
  Status Find(Device** out) const;

  Device* own_;
};

// The backend on the device that the process shares. One object for the whole process.
const Backend& GetBackend();

}  // namespace linnet::vulkan

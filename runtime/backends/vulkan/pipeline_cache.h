// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "runtime/backends/vulkan/device.h"

namespace linnet::vulkan {

// What the driver has compiled for one plan. Any number of threads may use it at once.
class PipelineCache {
 public:
  explicit PipelineCache(Device& device) : device_(device) {}

  // Starts with `data`, which Save wrote for the same device and driver; empty where the driver's
  // header in it says otherwise, or where the driver refuses it. Does nothing the second time.
  // kDeviceLost.
  Status Open(std::span<const std::byte> data);
  // As PackedWeights::SaveCache.
  int64_t Save(void* to, int64_t capacity) const;
  // REQUIRES: nobody uses it.
  void Close();

  // Null before Open, and where the driver cannot make one: everything works without it.
  VkPipelineCache handle() const;

 private:
  Status Create(std::span<const std::byte> data);

  Device& device_;
  mutable std::mutex mutex_;  // guards what follows
  VkPipelineCache handle_ = VK_NULL_HANDLE;
  bool opened_ = false;
};

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/backends/vulkan/backend.h"
#include "runtime/backends/vulkan/segment.h"
#include "runtime/core/region.h"

namespace linnet::vulkan {

// What a session does with a backend, for segments of Clamp steps. Each function returns the first
// error; Destroy may follow any of them.
class TestSegment {
 public:
  // `constant_bytes` is as Backend::NewPackedWeights wants it, `cache` as PackedWeights::OpenCache.
  Status Open(const DeviceBackend& backend, int64_t arena_bytes, int64_t host_bytes,
              int64_t constant_bytes = 0, std::span<const std::byte> cache = {});
  // A Clamp to [low, high] from one offset to another.
  Status AddClamp(const Shape& shape, int64_t from, int64_t to, float low, float high);
  // The same of a constant.
  Status AddClampOf(const Shape& shape, const std::vector<float>& constant, int64_t to, float low,
                    float high);
  Segment& segment() const { return *static_cast<Segment*>(segment_); }
  DeviceMemory& memory() const { return *memory_; }
  const PackedWeights* weights() const { return weights_; }
  void Destroy();

 private:
  const DeviceBackend* backend_ = nullptr;
  Region region_;
  PackedWeights* weights_ = nullptr;
  DeviceMemory* memory_ = nullptr;
  RunnableSegment* segment_ = nullptr;
  int32_t num_steps_ = 0;
};

// -4, -3.5, -3, ...
std::vector<float> Ramp(int64_t count);
std::vector<float> Clamped(std::vector<float> values, float low, float high);

}  // namespace linnet::vulkan

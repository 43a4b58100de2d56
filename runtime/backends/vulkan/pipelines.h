// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/device.h"
#include "runtime/backends/vulkan/lowering.h"
#include "runtime/core/region.h"

namespace linnet::vulkan {

// The pipelines of a segment: one for each combination of shader and specialisation constants that
// its dispatches use.
class Pipelines {
 public:
  explicit Pipelines(Device& device) : device_(device) {}

  // *index is the pipeline of `dispatch`: a new one, or that of an equal dispatch. kNoMemory.
  Status Add(const Dispatch& dispatch, Region& region, int* index);
  // From now on the pipeline can run a part of a dispatch, which vkCmdDispatchBase records.
  void AllowParts(int index);
  // Makes all of them with one call, so that drivers can compile them in parallel. What `cache` has
  // compiled is not compiled again; it may be null. kUnsupported when the driver refuses one. Call
  // Destroy also after an error.
  Status Create(VkPipelineCache cache, Region& region);
  void Destroy();

  int size() const { return size_; }
  VkPipeline operator[](int index) const { return pipelines_[index]; }
  // Layouts for so many bindings; made by Create for the numbers in use.
  VkPipelineLayout layout(int num_bindings) const { return layouts_[num_bindings]; }
  VkDescriptorSetLayout set_layout(int num_bindings) const { return set_layouts_[num_bindings]; }

 private:
  struct Entry {
    Entry* next;         // in the order of Add
    Entry* next_in_bin;  // with the same hash
    int index;
    bool parts;  // as AllowParts
    Shader shader;
    ShaderMode mode;
    int num_bindings;
    int num_constants;
    uint32_t constants[1 + kMaxConstants];  // by constant_id
  };
  static constexpr int kBins = 256;

  static bool Same(const Entry& entry, const Dispatch& dispatch);
  Status CreateLayouts();
  Status CreateModule(Shader shader, ShaderMode mode, Region& region, VkShaderModule* out);
  Status CreateModules(Region& region, VkShaderModule* modules);
  Status CreateAll(const VkShaderModule* modules, VkPipelineCache cache, Region& region);

  Device& device_;
  Entry* bins_[kBins] = {};
  Entry* first_ = nullptr;
  Entry* last_ = nullptr;
  int size_ = 0;
  VkPipeline* pipelines_ = nullptr;
  VkDescriptorSetLayout set_layouts_[kMaxOperands + 1] = {};
  VkPipelineLayout layouts_[kMaxOperands + 1] = {};
};

}  // namespace linnet::vulkan

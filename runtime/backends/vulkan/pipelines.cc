// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pipelines.h"

#include <algorithm>

#include "runtime/backends/vulkan/spirv_packing.h"

namespace linnet::vulkan {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory"};
constexpr Status kDamaged{StatusCode::kInternal, "a shader in the library is damaged"};
constexpr int kNumModes = static_cast<int>(ShaderMode::kCount);
constexpr int kNumModules = static_cast<int>(Shader::kCount) * kNumModes;

int ModuleOf(Shader shader, ShaderMode mode) {
  return static_cast<int>(shader) * kNumModes + static_cast<int>(mode);
}

uint32_t HashOf(const Dispatch& dispatch) {
  auto hash = static_cast<uint32_t>(ModuleOf(dispatch.shader, dispatch.mode));
  for (int i = 0; i < dispatch.num_constants; ++i) hash = hash * 0x01000193 ^ dispatch.constants[i];
  return hash ^ hash >> 8 ^ hash >> 16 ^ hash >> 24;
}

}  // namespace

bool Pipelines::Same(const Entry& entry, const Dispatch& dispatch) {
  return entry.shader == dispatch.shader && entry.mode == dispatch.mode &&
         entry.num_bindings == dispatch.num_operands &&
         entry.num_constants == dispatch.num_constants &&
         std::equal(dispatch.constants, dispatch.constants + dispatch.num_constants,
                    entry.constants + 1);
}

Status Pipelines::Add(const Dispatch& dispatch, Region& region, int* index) {
  Entry*& bin = bins_[HashOf(dispatch) % kBins];
  for (const Entry* entry = bin; entry != nullptr; entry = entry->next_in_bin) {
    if (!Same(*entry, dispatch)) continue;
    *index = entry->index;
    return {};
  }
  auto* entry = region.New<Entry>();
  if (entry == nullptr) return kNoMemory;
  *entry = {.next_in_bin = bin,
            .index = size_,
            .shader = dispatch.shader,
            .mode = dispatch.mode,
            .num_bindings = dispatch.num_operands,
            .num_constants = dispatch.num_constants,
            .constants = {kWorkgroupSize}};
  std::copy_n(dispatch.constants, dispatch.num_constants, entry->constants + 1);
  bin = entry;
  (last_ == nullptr ? first_ : last_->next) = entry;
  last_ = entry;
  *index = size_++;
  return {};
}

void Pipelines::AllowParts(int index) {
  for (Entry* entry = first_; entry != nullptr; entry = entry->next)
    if (entry->index == index) entry->parts = true;
}

Status Pipelines::CreateLayouts() {
  const Functions& fn = device_.fn();
  bool used[kMaxOperands + 1] = {};
  for (const Entry* entry = first_; entry != nullptr; entry = entry->next)
    used[entry->num_bindings] = true;
  VkDescriptorSetLayoutBinding bindings[kMaxOperands];
  for (uint32_t i = 0; i < kMaxOperands; ++i)
    bindings[i] = {.binding = i,
                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                   .descriptorCount = 1,
                   .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  const VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                    .size = kMaxPushBytes};
  for (int n = 0; n <= kMaxOperands; ++n) {
    if (!used[n]) continue;
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = static_cast<uint32_t>(n),
        .pBindings = bindings};
    LINNET_RETURN_IF_ERROR(device_.Check(
        fn.CreateDescriptorSetLayout(device_.handle(), &set, nullptr, &set_layouts_[n]),
        "vkCreateDescriptorSetLayout failed"));
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set_layouts_[n],
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push};
    LINNET_RETURN_IF_ERROR(
        device_.Check(fn.CreatePipelineLayout(device_.handle(), &layout, nullptr, &layouts_[n]),
                      "vkCreatePipelineLayout failed"));
  }
  return {};
}

Status Pipelines::CreateModule(Shader shader, ShaderMode mode, Region& region,
                               VkShaderModule* out) {
  const std::span<const uint8_t> packed = PackedSpirvOf(shader, mode);
  const uint32_t num_words = NumSpirvWords(packed);
  if (num_words == 0) return kDamaged;
  auto* words = region.New<uint32_t>(num_words);
  if (words == nullptr) return kNoMemory;
  const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                         .codeSize = num_words * sizeof(uint32_t),
                                         .pCode = words};
  const Status status =
      UnpackSpirv(packed, {words, num_words})
          ? device_.Check(device_.fn().CreateShaderModule(device_.handle(), &info, nullptr, out),
                          "vkCreateShaderModule failed")
          : kDamaged;
  region.Free(words);
  return status;
}

Status Pipelines::CreateModules(Region& region, VkShaderModule* modules) {
  for (const Entry* entry = first_; entry != nullptr; entry = entry->next) {
    VkShaderModule& module = modules[ModuleOf(entry->shader, entry->mode)];
    if (module != VK_NULL_HANDLE) continue;
    LINNET_RETURN_IF_ERROR(CreateModule(entry->shader, entry->mode, region, &module));
  }
  return {};
}

Status Pipelines::CreateAll(const VkShaderModule* modules, VkPipelineCache cache, Region& region) {
  VkSpecializationMapEntry entries[1 + kMaxConstants];
  for (uint32_t i = 0; i < 1 + kMaxConstants; ++i)
    entries[i] = {.constantID = i, .offset = 4 * i, .size = 4};
  auto* constants = region.New<VkSpecializationInfo>(size_);
  auto* infos = region.New<VkComputePipelineCreateInfo>(size_);
  if (constants == nullptr || infos == nullptr) return kNoMemory;
  constexpr VkPipelineCreateFlags kParts = VK_PIPELINE_CREATE_DISPATCH_BASE;
  // NVIDIA's driver (580.159.04) does not look at this flag when it takes a shader from what the
  // process has compiled before. Where the same shader was compiled without it first, each
  // vkCmdDispatchBase begins at workgroup 0, and all parts but the first are never computed.
  const bool all_parts = device_.facts().device_class == DeviceClass::kNvidia;
  for (const Entry* entry = first_; entry != nullptr; entry = entry->next) {
    const auto num_constants = static_cast<uint32_t>(1 + entry->num_constants);
    constants[entry->index] = {.mapEntryCount = num_constants,
                               .pMapEntries = entries,
                               .dataSize = num_constants * sizeof(uint32_t),
                               .pData = entry->constants};
    infos[entry->index] = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                           .flags = entry->parts || all_parts ? kParts : 0,
                           .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                     .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                     .module = modules[ModuleOf(entry->shader, entry->mode)],
                                     .pName = "main",
                                     .pSpecializationInfo = &constants[entry->index]},
                           .layout = layouts_[entry->num_bindings]};
  }
  const VkResult result = device_.fn().CreateComputePipelines(
      device_.handle(), cache, static_cast<uint32_t>(size_), infos, nullptr, pipelines_);
  region.Free(infos);
  region.Free(constants);
  return device_.Check(result, "vkCreateComputePipelines failed");
}

Status Pipelines::Create(VkPipelineCache cache, Region& region) {
  if (size_ == 0) return {};
  pipelines_ = region.New<VkPipeline>(size_);
  if (pipelines_ == nullptr) return kNoMemory;
  LINNET_RETURN_IF_ERROR(CreateLayouts());
  VkShaderModule modules[kNumModules] = {};
  Status status = CreateModules(region, modules);
  if (status.ok()) status = CreateAll(modules, cache, region);
  if (device_.lost()) return status;
  for (VkShaderModule module : modules) {
    if (module != VK_NULL_HANDLE)
      device_.fn().DestroyShaderModule(device_.handle(), module, nullptr);
  }
  return status;
}

void Pipelines::Destroy() {
  if (device_.lost()) return;
  const Functions& fn = device_.fn();
  for (int i = 0; pipelines_ != nullptr && i < size_; ++i) {
    if (pipelines_[i] != VK_NULL_HANDLE)
      fn.DestroyPipeline(device_.handle(), pipelines_[i], nullptr);
    pipelines_[i] = VK_NULL_HANDLE;
  }
  for (int n = 0; n <= kMaxOperands; ++n) {
    if (layouts_[n] != VK_NULL_HANDLE)
      fn.DestroyPipelineLayout(device_.handle(), layouts_[n], nullptr);
    if (set_layouts_[n] != VK_NULL_HANDLE)
      fn.DestroyDescriptorSetLayout(device_.handle(), set_layouts_[n], nullptr);
    layouts_[n] = VK_NULL_HANDLE;
    set_layouts_[n] = VK_NULL_HANDLE;
  }
}

}  // namespace linnet::vulkan

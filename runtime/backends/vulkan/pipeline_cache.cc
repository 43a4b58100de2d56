// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pipeline_cache.h"

#include <cstring>

namespace linnet::vulkan {
namespace {

// Whether the data says that it is of this device and driver. Drivers should check that themselves,
// and not all do.
bool IsOf(const DeviceFacts& facts, std::span<const std::byte> data) {
  VkPipelineCacheHeaderVersionOne header;
  if (data.size() < sizeof(header)) return false;
  std::memcpy(&header, data.data(), sizeof(header));
  return header.headerSize >= sizeof(header) && header.headerSize <= data.size() &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendorID == facts.vendor_id && header.deviceID == facts.device_id &&
         std::memcmp(header.pipelineCacheUUID, facts.cache_uuid, VK_UUID_SIZE) == 0;
}

}  // namespace

Status PipelineCache::Create(std::span<const std::byte> data) {
  const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                          .initialDataSize = data.size(),
                                          .pInitialData = data.data()};
  const VkResult result =
      device_.fn().CreatePipelineCache(device_.handle(), &info, nullptr, &handle_);
  if (result != VK_SUCCESS) handle_ = VK_NULL_HANDLE;
  return device_.Check(result, "vkCreatePipelineCache failed");
}

Status PipelineCache::Open(std::span<const std::byte> data) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (opened_ || device_.lost()) return {};
  opened_ = true;
  if (!IsOf(device_.facts(), data)) data = {};
  Status status = Create(data);
  if (!status.ok() && !device_.lost() && !data.empty()) status = Create({});
  return device_.lost() ? status : Status();
}

int64_t PipelineCache::Save(void* to, int64_t capacity) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (handle_ == VK_NULL_HANDLE || device_.lost()) return 0;
  size_t bytes = to == nullptr ? 0 : static_cast<size_t>(capacity);
  // Where there is too little room drivers write what fits, and that is of use too, but the next
  // call can have it all.
  const VkResult result = device_.fn().GetPipelineCacheData(device_.handle(), handle_, &bytes, to);
  return device_.Check(result, "vkGetPipelineCacheData failed").ok() ? static_cast<int64_t>(bytes)
                                                                     : 0;
}

void PipelineCache::Close() {
  if (handle_ != VK_NULL_HANDLE && !device_.lost())
    device_.fn().DestroyPipelineCache(device_.handle(), handle_, nullptr);
  handle_ = VK_NULL_HANDLE;
}

VkPipelineCache PipelineCache::handle() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return handle_;
}

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/core/host_allocator.h"

namespace linnet::vulkan {
namespace {

constexpr Status kNoDevice{StatusCode::kUnsupported, "there is no GPU that Vulkan can use"};
constexpr uint32_t kMaxDevices = 16;
constexpr uint32_t kMaxFamilies = 32;

// Does a list of extensions, which `enumerate` yields as Vulkan does, contain `wanted`? Not when
// there is no memory for the list.
template <typename Enumerate>
bool HasExtension(const char* wanted, Enumerate enumerate) {
  uint32_t count = 0;
  if (enumerate(&count, nullptr) != VK_SUCCESS || count == 0) return false;
  const auto bytes = static_cast<int64_t>(count * sizeof(VkExtensionProperties));
  auto* list =
      static_cast<VkExtensionProperties*>(kMalloc.Allocate(bytes, alignof(VkExtensionProperties)));
  if (list == nullptr) return false;
  bool found = false;
  if (enumerate(&count, list) >= 0) {
    for (uint32_t i = 0; i < count; ++i) found |= std::strcmp(list[i].extensionName, wanted) == 0;
  }
  kMalloc.Release(list, bytes);
  return found;
}

bool HasDeviceExtension(const Functions& fn, VkPhysicalDevice device, const char* wanted) {
  return HasExtension(wanted, [&](uint32_t* count, VkExtensionProperties* list) {
    return fn.EnumerateDeviceExtensionProperties(device, nullptr, count, list);
  });
}

// Devices of Vulkan 1.2 have this as an extension too.
constexpr char kHalvesExtension[] = VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME;

// Which of enum Feature the device has.
uint32_t FindFeatures(const Functions& fn, VkPhysicalDevice device) {
  if (!HasDeviceExtension(fn, device, kHalvesExtension)) return 0;
  VkPhysicalDeviceShaderFloat16Int8Features halves = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES};
  VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                   .pNext = &halves};
  fn.GetPhysicalDeviceFeatures2(device, &all);
  return halves.shaderFloat16 == VK_TRUE ? uint32_t{kFloat16} : 0;
}

// The first queue family that computes; false when there is none.
bool FindComputeFamily(const Functions& fn, VkPhysicalDevice device, DeviceFacts* facts) {
  VkQueueFamilyProperties families[kMaxFamilies];
  uint32_t count = kMaxFamilies;
  fn.GetPhysicalDeviceQueueFamilyProperties(device, &count, families);
  for (uint32_t i = 0; i < count; ++i) {
    if (families[i].queueCount == 0 || !(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    facts->queue_family = i;
    facts->timestamp_bits = families[i].timestampValidBits;
    return true;
  }
  return false;
}

// Digits are a number, all else is part of a name.
bool IsNamed(const char* wanted, uint32_t number, const char* name) {
  if (std::strspn(wanted, "0123456789") != std::strlen(wanted))
    return std::strstr(name, wanted) != nullptr;
  char text[16];
  std::snprintf(text, sizeof(text), "%u", number);
  return std::strcmp(wanted, text) == 0;
}

}  // namespace

const char* WhyUnusable(const VkPhysicalDeviceProperties& properties) {
  const VkPhysicalDeviceLimits& limits = properties.limits;
  if (properties.apiVersion < VK_API_VERSION_1_1)
    return "the GPU's driver is of Vulkan 1.0, want 1.1";
  // The specification promises these limits; a driver that breaks it must not lead to wrong
  // results.
  if (limits.maxPerStageDescriptorStorageBuffers < kMaxOperands ||
      limits.maxPushConstantsSize < kMaxPushBytes ||
      limits.maxStorageBufferRange < kMaxWindowBytes ||
      limits.minStorageBufferOffsetAlignment > kWindowAlignment ||
      limits.maxComputeWorkGroupInvocations < kWorkgroupSize ||
      limits.maxComputeWorkGroupSize[0] < kWorkgroupSize)
    return "the GPU's limits are below those of Vulkan 1.1";
  return nullptr;
}

DeviceClass ClassOf(const VkPhysicalDeviceProperties& properties) {
  if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) return DeviceClass::kCpu;
  switch (properties.vendorID) {
    case 0x5143:
      return DeviceClass::kAdreno;
    case 0x13b5:
      return DeviceClass::kMali;
    case 0x1010:
      return DeviceClass::kPowerVr;
    case 0x1002:
    case 0x144d:
      return DeviceClass::kAmd;
    case 0x10de:
      return DeviceClass::kNvidia;
    case 0x8086:
      return DeviceClass::kIntel;
    case 0x106b:
      return DeviceClass::kApple;
    default:
      return DeviceClass::kOther;
  }
}

Status Device::Check(VkResult result, const char* what) {
  switch (result) {
    case VK_SUCCESS:
      return {};
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_MEMORY_MAP_FAILED:
      return {StatusCode::kNoMemory, what};
    case VK_ERROR_DEVICE_LOST:
      Lose();
      return {StatusCode::kDeviceLost, what};
    default:
      return {StatusCode::kUnsupported, what};
  }
}

Status Device::Submit(const VkSubmitInfo* info, VkFence fence) {
  VkResult result;
  {
    const std::lock_guard<std::mutex> lock(submitting_);
    result = fn_.QueueSubmit(queue_, info == nullptr ? 0 : 1, info, fence);
  }
  return Check(result, "vkQueueSubmit failed");
}

Status Device::OpenInstance() {
  uint32_t version = 0;
  LINNET_RETURN_IF_ERROR(
      Check(fn_.EnumerateInstanceVersion(&version), "vkEnumerateInstanceVersion failed"));
  if (version < VK_API_VERSION_1_1)
    return {StatusCode::kUnsupported, "the Vulkan library is of version 1.0, want 1.1"};
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .pEngineName = "Linnet",
                                         .apiVersion = VK_API_VERSION_1_1};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &application};
  // Without this MoltenVK hides its devices, which are not conformant in everything.
  static const char* const kPortability = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
  if (HasExtension(kPortability, [&](uint32_t* count, VkExtensionProperties* list) {
        return fn_.EnumerateInstanceExtensionProperties(nullptr, count, list);
      })) {
    info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &kPortability;
  }
  const VkResult result = fn_.CreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    return {StatusCode::kUnsupported, "there is no Vulkan driver"};
  LINNET_RETURN_IF_ERROR(Check(result, "vkCreateInstance failed"));
  return fn_.LoadInstance(instance_);
}

Status Device::Choose(const char* wanted, VkPhysicalDevice* out) {
  VkPhysicalDevice devices[kMaxDevices];
  uint32_t count = kMaxDevices;
  const VkResult result = fn_.EnumeratePhysicalDevices(instance_, &count, devices);
  if (result != VK_INCOMPLETE)
    LINNET_RETURN_IF_ERROR(Check(result, "vkEnumeratePhysicalDevices failed"));
  Status status = kNoDevice;
  bool chosen_is_cpu = false;
  *out = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceProperties properties;
    fn_.GetPhysicalDeviceProperties(devices[i], &properties);
    const bool is_cpu = ClassOf(properties) == DeviceClass::kCpu;
    if (wanted != nullptr && !IsNamed(wanted, i, properties.deviceName)) continue;
    if (*out != nullptr && (wanted != nullptr || is_cpu || !chosen_is_cpu)) continue;
    DeviceFacts facts;
    if (const char* reason = WhyUnusable(properties)) {
      if (*out == nullptr) status = {StatusCode::kUnsupported, reason};
    } else if (FindComputeFamily(fn_, devices[i], &facts)) {
      *out = devices[i];
      chosen_is_cpu = is_cpu;
    }
  }
  return *out == nullptr ? status : Status();
}

// Fills facts_, but for what belongs to the queue.
void Device::ReadFacts(VkPhysicalDevice physical) {
  VkPhysicalDeviceDriverProperties driver = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties maintenance = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &driver};
  VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                     .pNext = &maintenance};
  fn_.GetPhysicalDeviceProperties2(physical, &all);
  fn_.GetPhysicalDeviceMemoryProperties(physical, &facts_.memory);
  std::memcpy(facts_.name, all.properties.deviceName, sizeof(facts_.name));
  facts_.vendor_id = all.properties.vendorID;
  facts_.device_id = all.properties.deviceID;
  facts_.driver_version = all.properties.driverVersion;
  facts_.driver_id = driver.driverID;
  std::snprintf(facts_.driver, sizeof(facts_.driver), "%s%s%s", driver.driverName,
                driver.driverInfo[0] == '\0' ? "" : ", ", driver.driverInfo);
  std::memcpy(facts_.cache_uuid, all.properties.pipelineCacheUUID, sizeof(facts_.cache_uuid));
  facts_.device_class = ClassOf(all.properties);
  facts_.limits = all.properties.limits;
  facts_.max_allocation = static_cast<int64_t>(
      std::min<VkDeviceSize>(maintenance.maxMemoryAllocationSize, VkDeviceSize{1} << 46));
  facts_.features = FindFeatures(fn_, physical);
}

// Enables facts_.features and no others.
Status Device::CreateDevice(VkPhysicalDevice physical) {
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = facts_.queue_family,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
  const char* extensions[2];
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue,
                             .ppEnabledExtensionNames = extensions};
  // A device that has this extension must not be used without it. Its name is only in Vulkan's beta
  // header.
  constexpr char kSubset[] = "VK_KHR_portability_subset";
  if (HasDeviceExtension(fn_, physical, kSubset))
    extensions[info.enabledExtensionCount++] = kSubset;
  VkPhysicalDeviceShaderFloat16Int8Features halves = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
      .shaderFloat16 = VK_TRUE};
  if ((facts_.features & kFloat16) != 0) {
    extensions[info.enabledExtensionCount++] = kHalvesExtension;
    info.pNext = &halves;
  }
  return Check(fn_.CreateDevice(physical, &info, nullptr, &handle_), "vkCreateDevice failed");
}

Status Device::OpenDevice(VkPhysicalDevice physical) {
  if (!FindComputeFamily(fn_, physical, &facts_)) return kNoDevice;
  ReadFacts(physical);
  tiles_ = TilesOf(facts_.device_class);
  pace_ = PaceOf(facts_.device_class);
  set_native_halves(IsFastInHalves(facts_.device_class));
  LINNET_RETURN_IF_ERROR(CreateDevice(physical));
  LINNET_RETURN_IF_ERROR(fn_.LoadDevice(handle_));
  fn_.GetDeviceQueue(handle_, facts_.queue_family, 0, &queue_);
  return {};
}

Status Device::Open(PFN_vkGetInstanceProcAddr get, const char* wanted) {
  VkPhysicalDevice physical = nullptr;
  Status status = fn_.LoadGlobal(get);
  if (status.ok()) status = OpenInstance();
  if (status.ok()) status = Choose(wanted, &physical);
  if (status.ok()) status = OpenDevice(physical);
  if (!status.ok()) Close();
  return status;
}

void Device::Close() {
  if (!lost()) {
    if (handle_ != nullptr && fn_.DestroyDevice != nullptr) fn_.DestroyDevice(handle_, nullptr);
    if (instance_ != nullptr && fn_.DestroyInstance != nullptr)
      fn_.DestroyInstance(instance_, nullptr);
  }
  handle_ = nullptr;
  queue_ = nullptr;
  instance_ = nullptr;
  fn_ = {};
  facts_ = {};
}

Status SharedDevice(Device** out) {
  static Device device;
  static const Status status = [] {
    PFN_vkGetInstanceProcAddr get = nullptr;
    LINNET_RETURN_IF_ERROR(OpenLibrary(kLibraryNames, &get));
    const auto setting = [](const char* name) {
      const char* value = std::getenv(name);
      return value != nullptr && value[0] != '\0' ? value : nullptr;
    };
    LINNET_RETURN_IF_ERROR(device.Open(get, setting("LINNET_VULKAN_DEVICE")));
    if (const char* halves = setting("LINNET_VULKAN_NATIVE_HALVES"))
      device.set_native_halves(std::strcmp(halves, "0") != 0);
    return Status();
  }();
  *out = &device;
  return status.ok() ? device.CheckAlive() : status;
}

}  // namespace linnet::vulkan

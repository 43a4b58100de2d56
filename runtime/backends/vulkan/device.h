// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

#include "runtime/backends/vulkan/device_class.h"
#include "runtime/backends/vulkan/loader.h"
#include "runtime/backends/vulkan/pace.h"
#include "runtime/backends/vulkan/shader.h"
#include "runtime/backends/vulkan/tile.h"
#include "runtime/core/status.h"

namespace linnet::vulkan {

// What the driver says about a device, read once.
struct DeviceFacts {
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE] = {};
  char driver[VK_MAX_DRIVER_NAME_SIZE + VK_MAX_DRIVER_INFO_SIZE + 2] =
      {};  // "" when it does not say
  uint32_t vendor_id = 0;
  uint32_t device_id = 0;
  uint32_t driver_version = 0;
  VkDriverId driver_id = VkDriverId{};  // 0 when the driver does not say
  uint8_t cache_uuid[VK_UUID_SIZE] = {};
  DeviceClass device_class = DeviceClass::kOther;
  VkPhysicalDeviceLimits limits = {};
  VkPhysicalDeviceMemoryProperties memory = {};
  int64_t max_allocation = 0;  // bytes of one vkAllocateMemory
  uint32_t queue_family = 0;
  uint32_t timestamp_bits = 0;  // of the queue; 0: it has no timestamps
  uint32_t features = 0;        // of enum Feature; these are enabled
};

// One VkDevice with its queue. Any number of threads may use it at once.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Opens the device whose number in the driver's list is `wanted`, or whose name contains it;
  // null: the first usable one that is not a CPU, else the first usable one. kUnsupported when
  // there is none. After an error the object may be opened again.
  Status Open(PFN_vkGetInstanceProcAddr get, const char* wanted);
  // REQUIRES: everything made with this device is destroyed.
  void Close();

  VkDevice handle() const { return handle_; }
  const Functions& fn() const { return fn_; }
  const DeviceFacts& facts() const { return facts_; }
  // What segments use from now on: the tiles of the device's class, unless a test wants others.
  const Tiles& tiles() const { return tiles_; }
  void set_tiles(const Tiles& tiles) { tiles_ = tiles; }
  // The same for how much work the device gets at once.
  const Pace& pace() const { return pace_; }
  void set_pace(const Pace& pace) { pace_ = pace; }
  // Whether segments use shaders of the mode f16a from now on: where the device can and its class
  // is faster then, unless someone wants it otherwise.
  bool native_halves() const { return native_halves_; }
  // No effect where the device cannot.
  void set_native_halves(bool on) { native_halves_ = on && CanUse(ShaderMode::k_f16a); }
  bool CanUse(ShaderMode mode) const { return (FeaturesOf(mode) & ~facts_.features) == 0; }
  // Whether segments merge steps (fusion.h), which they do unless a test wants to see each result.
  bool fuses() const { return fuses_; }
  void set_fuses(bool fuses) { fuses_ = fuses; }

  // Once true, always true: no function of this device may be called any more, and what was made
  // with it is leaked, because the GPU may still be using it.
  bool lost() const { return lost_.load(std::memory_order_relaxed); }
  Status CheckAlive() const {
    return lost() ? Status(StatusCode::kDeviceLost, "the GPU stopped working") : Status();
  }
  void Lose() { lost_.store(true, std::memory_order_relaxed); }

  // A Status for a result; `what` says which call failed. VK_ERROR_DEVICE_LOST loses the device.
  Status Check(VkResult result, const char* what);
  // vkQueueSubmit of one batch, or with null of the fence only, one thread at a time.
  Status Submit(const VkSubmitInfo* info, VkFence fence);

 private:
  Status OpenInstance();
  Status Choose(const char* wanted, VkPhysicalDevice* out);
  Status OpenDevice(VkPhysicalDevice physical);
  void ReadFacts(VkPhysicalDevice physical);
  Status CreateDevice(VkPhysicalDevice physical);

  Functions fn_;
  DeviceFacts facts_;
  Tiles tiles_;
  Pace pace_;
  bool native_halves_ = false;
  bool fuses_ = true;
  VkInstance instance_ = nullptr;
  VkDevice handle_ = nullptr;
  VkQueue queue_ = nullptr;
  std::mutex submitting_;
  std::atomic<bool> lost_{false};
};

// The device that all sessions of this process share, opened by the first call and never closed.
// The environment variable LINNET_VULKAN_DEVICE names another one than the first, as Open's
// `wanted`; LINNET_VULKAN_NATIVE_HALVES=1 or =0 says whether native_halves, if the device can.
// kUnsupported when there is none; kDeviceLost when it stopped working.
Status SharedDevice(Device** out);

// nullptr when this device can run every shader, else what it lacks.
const char* WhyUnusable(const VkPhysicalDeviceProperties& properties);
DeviceClass ClassOf(const VkPhysicalDeviceProperties& properties);

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/backend_table.h"
#include "runtime/api/gpu_sessions.h"
#include "runtime/threads/mutex.h"

namespace linnet::api {

const linnet_device* FindGpu() {
  static Mutex mutex;
  static linnet_device device = {};
  const Lock lock(mutex);
  if (device.id != nullptr) return &device;
  const DeviceBackend* gpu = FindDevice(kVulkanVariant);
  DeviceInfo info;
  if (gpu == nullptr || !gpu->Initialize().ok() || !gpu->GetInfo(&info)) return nullptr;
  device = {.id = kVulkanVariant,
            .name = info.name,
            .kind = LINNET_DEVICE_GPU,
            .instruction_set = "",
            .driver = info.driver,
            .is_software = gpu->is_software() ? 1 : 0,
            .computes_f16 = info.computes_f16 ? 1 : 0,
            .memory_bytes = info.memory_bytes};
  return &device;
}

}  // namespace linnet::api

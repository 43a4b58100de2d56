// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/device.h"

#include <cstring>
#include <mutex>

#include "linnet/linnet.h"
#include "runtime/api/backend_table.h"
#include "runtime/core/instruction_set.h"
#include "runtime/plan/file_header.h"
#include "runtime/threads/cores.h"

namespace linnet::api {
namespace {

const linnet_device& Cpu() {
  static const linnet_device cpu = {
      .id = "cpu",
      .name = CpuName(),
      .kind = LINNET_DEVICE_CPU,
      .threads = AvailableCores(),
      .instruction_set = kInstructionSetNames[static_cast<size_t>(ChosenInstructionSet().set)],
      .driver = "",
  };
  return cpu;
}

// Null where there is none. Once it was found it stays, also when it is lost: indices are not to
// change.
const linnet_device* Gpu() {
  static std::mutex mutex;
  static linnet_device device = {};
  const std::lock_guard<std::mutex> lock(mutex);
  if (device.id != nullptr) return &device;
  const Backend* gpu = DeviceBackend(kVulkanVariant);
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

}  // namespace

bool IsGpu(const char* id) { return id != nullptr && std::strcmp(id, kVulkanVariant) == 0; }

Status CheckDevice(const char* id) {
  // Who wants the CPU need not wait for Vulkan.
  if (id == nullptr || std::strcmp(id, Cpu().id) == 0) return {};
  if (IsGpu(id) && Gpu() != nullptr) return {};
  return {StatusCode::kUnsupported,
          "this machine has no device with that id: linnet_get_device lists its devices"};
}

}  // namespace linnet::api

extern "C" {

int32_t linnet_num_devices(void) { return linnet::api::Gpu() == nullptr ? 1 : 2; }

const linnet_device* linnet_get_device(int32_t index) {
  if (index == 0) return &linnet::api::Cpu();
  return index == 1 ? linnet::api::Gpu() : nullptr;
}

}  // extern "C"

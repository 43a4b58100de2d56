// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/device.h"

#include <cstring>

#include "linnet/linnet.h"
#include "runtime/api/backend_table.h"
#include "runtime/api/gpu_sessions.h"
#include "runtime/core/instruction_set.h"
#include "runtime/plan/file_header.h"
#include "runtime/threads/cores.h"

namespace linnet::api {
namespace {

constexpr char kCpuId[] = "cpu";

const linnet_device& Cpu() {
  static const linnet_device cpu = {
      .id = kCpuId,
      .name = CpuName(),
      .kind = LINNET_DEVICE_CPU,
      .threads = AvailableCores(),
      .instruction_set = kInstructionSetNames[static_cast<size_t>(ChosenInstructionSet().set)],
      .driver = "",
  };
  return cpu;
}

// Null where there is none.
const linnet_device* Gpu() {
  return kLinkedGpuSessions == nullptr ? nullptr : kLinkedGpuSessions->device();
}

}  // namespace

bool IsGpu(const char* id) { return id != nullptr && std::strcmp(id, kVulkanVariant) == 0; }

Status CheckDevice(const char* id) {
  // Who wants the CPU need not wait for Vulkan.
  if (id == nullptr || std::strcmp(id, kCpuId) == 0) return {};
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

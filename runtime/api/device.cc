// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/device.h"

#include <cstring>

#include "linnet/linnet.h"
#include "runtime/api/backend_table.h"
#include "runtime/core/instruction_set.h"
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
  };
  return cpu;
}

}  // namespace

Status CheckDevice(const char* id) {
  if (id == nullptr) return {};
  for (int32_t i = 0; i < linnet_num_devices(); ++i)
    if (std::strcmp(linnet_get_device(i)->id, id) == 0) return {};
  return {StatusCode::kUnsupported,
          "this machine has no device with that id: linnet_get_device lists its devices"};
}

}  // namespace linnet::api

extern "C" {

int32_t linnet_num_devices(void) { return 1; }

const linnet_device* linnet_get_device(int32_t index) {
  return index == 0 ? &linnet::api::Cpu() : nullptr;
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/api/fake_gpu.h"

namespace linnet {

FakeDevice& FakeGpu() {
  static FakeDevice device({.device = "vulkan", .maps_memory = true});
  return device;
}

namespace fake_gpu {

const Backend& GetBackend() { return FakeGpu(); }

}  // namespace fake_gpu
}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "runtime/backends/vulkan/loader.h"

namespace linnet::vulkan {

// The Khronos validation layer that toolchains/vulkan_drivers.sh brings, between Linnet and the
// driver. There is one for the whole process; it is used by one thread.
class ValidationLayer {
 public:
  enum class Looks : uint8_t {
    kBetweenDispatches,  // synchronisation: barriers that are missing in a command buffer
    kIntoShaders,        // GPU-assisted: what shaders access, and their calls of barrier()
  };
  // What tests without the layer say when they are skipped.
  static constexpr const char* kMissing =
      "no validation layer (toolchains/vulkan_drivers.sh brings it)";

  // Vulkan as `inner` has it, with the layer. Null without the layer. Instances that were created
  // before stay as they are.
  static PFN_vkGetInstanceProcAddr Get(Looks looks, PFN_vkGetInstanceProcAddr inner);
  // Every error and warning since the last Forget, each beginning with its identifier.
  static const std::vector<std::string>& messages();
  static void Forget();
};

}  // namespace linnet::vulkan

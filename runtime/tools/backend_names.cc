// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/backend_names.h"

#include <cstring>

namespace linnet::tools {

const char* BackendName(const linnet_backend_info& info) {
  if (info.backend == LINNET_BACKEND_VULKAN) return "vulkan";
  if (info.backend == LINNET_BACKEND_PLAIN) return "plain";
  return info.backend == LINNET_BACKEND_PORTABLE ? "portable" : "cpu";
}

const char* SelfTestName(const linnet_backend_info& info) {
  switch (info.self_test) {
    case LINNET_SELF_TEST_PASSED:
      return "passed";
    case LINNET_SELF_TEST_CACHED:
      return "cached";
    case LINNET_SELF_TEST_FAILED:
      return "failed";
    default:
      return "none";
  }
}

const char* XnnpackPackage() {
  const char* space = std::strchr(linnet_cpu_kernels(), ' ');
  return space == nullptr ? linnet_cpu_kernels() : space + 1;
}

}  // namespace linnet::tools

// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/backend_table.h"

#include "runtime/backends/portable/backend.h"
#if LINNET_HAS_XNNPACK
#include "runtime/backends/xnnpack/backend.h"
#include "runtime/backends/xnnpack/support.h"
#endif

namespace linnet::api {

std::span<const Backend* const> Backends(linnet_backend choice) {
  static const Backend* const kAll[] = {
#if LINNET_HAS_XNNPACK
    &xnnpack::XnnpackBackend(),
#endif
    &portable::GetBackend(),
  };
  const std::span<const Backend* const> all = kAll;
  switch (choice) {
    case LINNET_BACKEND_AUTO:
    case LINNET_BACKEND_CPU:
      return all;
    case LINNET_BACKEND_PORTABLE:
      return all.last(1);
    case LINNET_BACKEND_VULKAN:
      break;
  }
  return {};
}

int64_t BackendHeapBytes() {
#if LINNET_HAS_XNNPACK
  return xnnpack::XnnpackBackend().heap_bytes();
#else
  return 0;
#endif
}

}  // namespace linnet::api

extern "C" const char* linnet_cpu_kernels(void) {
#if LINNET_HAS_XNNPACK
  return linnet::xnnpack::PackageFeatures().library;
#else
  return "none";
#endif
}

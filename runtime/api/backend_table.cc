// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/backend_table.h"

// The backends of runtime/backends/backends.def that this build has.
#define BACKEND(folder)        \
  namespace linnet::folder {   \
  const Backend& GetBackend(); \
  }
#include "runtime/backends/built_backends.def"
#undef BACKEND

namespace linnet::api {
namespace {

// The preferred ones first.
std::span<const Backend* const> All() {
  static const Backend* const all[] = {
#define BACKEND(folder) &folder::GetBackend(),
#include "runtime/backends/built_backends.def"
#undef BACKEND
  };
  return all;
}

}  // namespace

std::span<const Backend* const> Backends(linnet_backend choice) {
  switch (choice) {
    case LINNET_BACKEND_AUTO:
    case LINNET_BACKEND_CPU:
      return All();
    case LINNET_BACKEND_PORTABLE:
      return All().last(1);
    default:
      return {};
  }
}

int64_t BackendHeapBytes() {
  int64_t bytes = 0;
  for (const Backend* backend : All()) bytes += backend->heap_bytes();
  return bytes;
}

const char* CpuName() {
  for (const Backend* backend : All())
    if (const char* name = backend->processor(); name != nullptr) return name;
  return "";
}

}  // namespace linnet::api

extern "C" const char* linnet_cpu_kernels(void) {
  for (const linnet::Backend* backend : linnet::api::All())
    if (const char* name = backend->library(); name != nullptr) return name;
  return "none";
}

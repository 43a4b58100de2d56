// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/backend_table.h"

#include <cstring>

#include "runtime/backends/portable/backend.h"
#include "runtime/core/linked_weights.h"
#include "runtime/session/prepared_weights.h"

namespace linnet::api {
namespace {

// The preferred ones first.
std::span<const Backend* const> All() {
  struct Table {
    const Backend* rows[PreparedWeights::kMaxBackends] = {};
    size_t count = 0;
    Table() {
      for (int i = 0; i < kNumLinkedBackends && count < PreparedWeights::kMaxBackends; ++i)
        rows[count++] = &kLinkedBackends[i]();
    }
  };
  static const Table table;
  return {table.rows, table.count};
}

// How many backends run steps on a device other than the host. They come first.
size_t NumDevices() {
  size_t count = 0;
  while (All()[count]->device()[0] != '\0') ++count;
  return count;
}

}  // namespace

std::span<const Backend* const> AllBackends() { return All(); }

std::span<const Backend* const> HostBackends(linnet_backend choice) {
  static const Backend* const plain = &portable::GetPlainBackend();
  if (choice == LINNET_BACKEND_PLAIN && kLinkedPlain) return {&plain, 1};
  return choice == LINNET_BACKEND_PORTABLE ? All().last(1) : All().subspan(NumDevices());
}

const DeviceBackend* FindDevice(const char* device) {
  for (const Backend* backend : All())
    if (std::strcmp(backend->device(), device) == 0) return backend->as_device();
  return nullptr;
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

// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/host_allocator.h"

#include <algorithm>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace linnet {
namespace {

#if defined(__linux__)
// Large pieces in huge pages where the system has them: one page fault instead of 512, which is a
// quarter of what it takes to load a large model. Less would leave most of a huge page unused.
constexpr size_t kHugePage = size_t{2} << 20;

void* AllocateHuge(size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, kHugePage, bytes) != 0) return nullptr;
  madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);  // a wish: it may fail
  return memory;
}
#endif

}  // namespace

constinit const HostAllocator kMalloc = {
    .context = nullptr,
    .allocate = [](void*, size_t bytes, size_t alignment) -> void* {
#if defined(__linux__)
      if (bytes >= kHugePage) return AllocateHuge(bytes);
#endif
      // Not aligned_alloc, which Android has only since version 9.
      void* memory = nullptr;
      return posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes) == 0 ? memory
                                                                                     : nullptr;
    },
    .release = [](void*, void* memory, size_t) { std::free(memory); },
};

}  // namespace linnet

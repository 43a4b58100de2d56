// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/host_allocator.h"

#include <algorithm>
#include <cstdlib>

namespace linnet {

constinit const HostAllocator kMalloc = {
    .context = nullptr,
    .allocate = [](void*, size_t bytes, size_t alignment) -> void* {
      // Not aligned_alloc, which Android has only since version 9.
      void* memory = nullptr;
      return posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes) == 0 ? memory
                                                                                     : nullptr;
    },
    .release = [](void*, void* memory, size_t) { std::free(memory); },
};

}  // namespace linnet

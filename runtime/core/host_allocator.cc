// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/host_allocator.h"

#include <cstdlib>

#include "runtime/core/checked.h"

namespace linnet {

constinit const HostAllocator kMalloc = {
    .context = nullptr,
    .allocate = [](void*, size_t bytes, size_t alignment) -> void* {
      // aligned_alloc needs a size that is a multiple of the alignment, which is at least a
      // pointer's.
      const size_t unit = alignment < sizeof(void*) ? sizeof(void*) : alignment;
      return std::aligned_alloc(unit, static_cast<size_t>(AlignUp(static_cast<int64_t>(bytes),
                                                                  static_cast<int64_t>(unit))));
    },
    .release = [](void*, void* memory, size_t) { std::free(memory); },
};

}  // namespace linnet

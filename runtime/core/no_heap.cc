// SPDX-License-Identifier: Apache-2.0
// In the place of host_allocator.cc in builds without an operating system: whatever does not come
// from a block or an allocator of the caller is out of memory.
#include "runtime/core/host_allocator.h"

namespace linnet {

constinit const HostAllocator kMalloc = {
    .context = nullptr,
    .allocate = [](void*, size_t, size_t) -> void* { return nullptr; },
    .release = [](void*, void*, size_t) {},
};

}  // namespace linnet

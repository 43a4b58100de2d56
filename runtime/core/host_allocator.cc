// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/host_allocator.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/core/system_pages.h"

namespace linnet {
namespace {

// `given` is from malloc or calloc, `alignment` bytes larger than was asked for: the memory begins
// at the next multiple, and free finds `given` in front of it.
void* Align(void* given, size_t alignment) {
  if (given == nullptr) return nullptr;
  const size_t skip = alignment - reinterpret_cast<uintptr_t>(given) % alignment;
  void* memory = static_cast<std::byte*>(given) + skip;
  static_cast<void**>(memory)[-1] = given;
  return memory;
}

// At least malloc's own, so that a pointer fits in front of the memory.
size_t Enough(size_t alignment) { return std::max(alignment, alignof(std::max_align_t)); }

}  // namespace

constinit const HostAllocator kMalloc = {
    .context = nullptr,
    .allocate = [](void*, size_t bytes, size_t alignment) -> void* {
      if (WantsPages(bytes)) return MapPages(bytes);
      alignment = Enough(alignment);
      return Align(std::malloc(bytes + alignment), alignment);
    },
    .release =
        [](void*, void* memory, size_t bytes) {
          if (WantsPages(bytes)) return UnmapPages(memory, bytes);
          std::free(static_cast<void**>(memory)[-1]);
        },
    // Pages fresh from the system are zeros already: calloc leaves them alone, where not MapPages
    // but malloc asks for them.
    .allocate_zeros = [](void*, size_t bytes, size_t alignment) -> void* {
      if (WantsPages(bytes)) return MapPages(bytes);
      alignment = Enough(alignment);
      return Align(std::calloc(1, bytes + alignment), alignment);
    },
};

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/host_allocator.h"

#include <algorithm>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace linnet {
namespace {

// Asks for huge pages in a large piece, where the system has them: each is one page fault instead
// of 512, and those are a quarter of what it takes to load a large model. Not with a larger
// alignment, for which malloc would take more than was asked for.
void AskForHugePages([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) {
#if defined(__linux__)
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t last = (begin + bytes) / kHugePage * kHugePage;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): only arithmetic on addresses finds the pages.
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

// `given` is from malloc or calloc, `alignment` bytes larger than was asked for: the memory begins
// at the next multiple, and free finds `given` in front of it.
void* Align(void* given, size_t bytes, size_t alignment) {
  if (given == nullptr) return nullptr;
  const size_t skip = alignment - reinterpret_cast<uintptr_t>(given) % alignment;
  void* memory = static_cast<std::byte*>(given) + skip;
  static_cast<void**>(memory)[-1] = given;
  AskForHugePages(memory, bytes);
  return memory;
}

// At least malloc's own, so that a pointer fits in front of the memory.
size_t Enough(size_t alignment) { return std::max(alignment, alignof(std::max_align_t)); }

}  // namespace

constinit const HostAllocator kMalloc = {
    .context = nullptr,
    .allocate = [](void*, size_t bytes, size_t alignment) -> void* {
      alignment = Enough(alignment);
      return Align(std::malloc(bytes + alignment), bytes, alignment);
    },
    .release = [](void*, void* memory, size_t) { std::free(static_cast<void**>(memory)[-1]); },
    // Pages fresh from the system are zeros already: calloc leaves them alone, so that each is
    // taken only when it is used.
    .allocate_zeros = [](void*, size_t bytes, size_t alignment) -> void* {
      alignment = Enough(alignment);
      return Align(std::calloc(1, bytes + alignment), bytes, alignment);
    },
};

}  // namespace linnet

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

}  // namespace

constinit const HostAllocator kMalloc = {
    .context = nullptr,
    .allocate = [](void*, size_t bytes, size_t alignment) -> void* {
      // Not aligned_alloc, which Android has only since version 9.
      void* memory = nullptr;
      if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes) != 0) return nullptr;
      AskForHugePages(memory, bytes);
      return memory;
    },
    .release = [](void*, void* memory, size_t) { std::free(memory); },
};

}  // namespace linnet

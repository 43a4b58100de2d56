// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/huge_pages.h"

#if defined(__linux__)
#include <sys/mman.h>

#include <cstdint>

#include "runtime/core/checked.h"
#endif

namespace linnet {

#if defined(__linux__)
namespace {

// A multiple of every small page that Linux has.
constexpr size_t kSmallPageBytes = size_t{64} << 10;

// Of the addresses that a piece takes.
size_t MappedBytes(size_t bytes) {
  const size_t last = bytes % kHugePageBytes;
  return static_cast<size_t>(
      AlignUp(static_cast<int64_t>(bytes),
              static_cast<int64_t>(last >= kLeastHugeBytes ? kHugePageBytes : kSmallPageBytes)));
}

}  // namespace

// The system gives addresses that begin anywhere. What is around the huge pages goes back.
void* MapHugePages(size_t bytes) {
  if (bytes > PTRDIFF_MAX - 2 * kHugePageBytes) return nullptr;
  const size_t size = MappedBytes(bytes), all = size + kHugePageBytes;
  void* given = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (given == MAP_FAILED) return nullptr;
  auto* begin = static_cast<char*>(given);
  const size_t before = -reinterpret_cast<uintptr_t>(begin) % kHugePageBytes;
  char* memory = begin + before;
  if (before > 0) munmap(begin, before);
  munmap(memory + size, all - before - size);
  // An error only means that the pages are small: the system may have no others.
  madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

void UnmapHugePages(void* memory, size_t bytes) { munmap(memory, MappedBytes(bytes)); }

#else

void* MapHugePages(size_t) { return nullptr; }
void UnmapHugePages(void*, size_t) {}

#endif

}  // namespace linnet

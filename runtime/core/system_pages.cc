// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/system_pages.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "runtime/core/checked.h"
#endif

namespace linnet {

#if defined(__linux__)
namespace {

size_t RoundUp(size_t bytes, size_t unit) {
  return static_cast<size_t>(AlignUp(static_cast<int64_t>(bytes), static_cast<int64_t>(unit)));
}

// Bytes of the huge pages that a piece begins with.
size_t HugeBytes(size_t bytes) {
  const size_t last = bytes % kHugePageBytes;
  return last >= kLeastHugeBytes ? RoundUp(bytes, kHugePageBytes) : bytes - last;
}

// Of the addresses that a piece takes.
size_t MappedBytes(size_t bytes) {
  return RoundUp(std::max(bytes, HugeBytes(bytes)), static_cast<size_t>(getpagesize()));
}

// Null when out of memory. `flags` beside those that all memory has.
void* Map(void* at, size_t bytes, int flags) {
  void* memory =
      mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Addresses of `size` bytes at a multiple of kHugePageBytes. The system gives some that begin
// anywhere; those around them go back.
char* MapAtHugePage(size_t size) {
  const size_t all = size + kHugePageBytes;
  auto* begin = static_cast<char*>(Map(nullptr, all, 0));
  if (begin == nullptr) return nullptr;
  const size_t before = -reinterpret_cast<uintptr_t>(begin) % kHugePageBytes;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size, all - before - size);
  return begin + before;
}

}  // namespace

void* MapPages(size_t bytes) {
  if (bytes > PTRDIFF_MAX - 2 * kHugePageBytes) return nullptr;
  const size_t size = MappedBytes(bytes), huge = HugeBytes(bytes);
  if (huge == 0) return Map(nullptr, size, MAP_POPULATE);
  char* memory = MapAtHugePage(size);
  if (memory == nullptr) return nullptr;
  // An error only means that the pages are small: the system may have no others.
  madvise(memory, huge, MADV_HUGEPAGE);
  if (size > huge && Map(memory + huge, size - huge, MAP_FIXED | MAP_POPULATE) == nullptr) {
    munmap(memory, size);
    return nullptr;
  }
  return memory;
}

void UnmapPages(void* memory, size_t bytes) { munmap(memory, MappedBytes(bytes)); }

#else

void* MapPages(size_t) { return nullptr; }
void UnmapPages(void*, size_t) {}

#endif

}  // namespace linnet

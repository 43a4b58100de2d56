// SPDX-License-Identifier: Apache-2.0
// The heap of linnet.wasm, in the place of the C library's, which is 5 % of a small module. The
// runtime asks for few and large pieces of memory, and all of it goes away with the instance, so a
// list of free blocks in the order of their addresses will do.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// Of the linker: where memory of nobody begins. NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" unsigned char __heap_base;

namespace {

// What a block begins with. Blocks consist of units of its size, so every piece is aligned to that.
struct alignas(64) Block {
  Block* next;  // while it is free: the free block behind it
  size_t units;
};
constexpr size_t kUnit = sizeof(Block);
constexpr size_t kPage = size_t{64} << 10;

Block head = {nullptr, 0};  // before the first free block
Block* end = nullptr;       // behind the last block, free or not

Block* Behind(Block* block) { return block + block->units; }

// Makes `at` and the free block behind it one, if nothing is between them.
void Merge(Block* at) {
  if (at == &head || Behind(at) != at->next) return;
  at->units += at->next->units;
  at->next = at->next->next;
}

void Insert(Block* block) {
  Block* before = &head;
  while (before->next != nullptr && before->next < block) before = before->next;
  block->next = before->next;
  before->next = block;
  Merge(block);
  Merge(before);
}

// Adds a free block of at least `units` units at the end of the memory; false when there is none.
bool Grow(size_t units) {
  if (end == nullptr) {
    const auto base = reinterpret_cast<uintptr_t>(&__heap_base);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): memory begins where the linker says.
    end = reinterpret_cast<Block*>((base + kUnit - 1) / kUnit * kUnit);
  }
  const size_t there = __builtin_wasm_memory_size(0) * kPage - reinterpret_cast<uintptr_t>(end);
  const size_t missing = units * kUnit > there ? units * kUnit - there : 0;
  const size_t pages = missing / kPage + (missing % kPage != 0 ? 1 : 0);
  if (pages > 0 && __builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return false;
  Block* block = end;
  block->units = (there + pages * kPage) / kUnit;
  end = Behind(block);
  Insert(block);
  return true;
}

// Takes the first free block that is large enough, or its last part.
void* Take(size_t units) {
  for (Block* before = &head; before->next != nullptr; before = before->next) {
    Block* block = before->next;
    if (block->units < units) continue;
    if (block->units == units) {
      before->next = block->next;
      return block + 1;
    }
    block->units -= units;
    block = Behind(block);
    block->units = units;
    return block + 1;
  }
  return nullptr;
}

}  // namespace

extern "C" int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  constexpr size_t kMost = SIZE_MAX / 2;
  if (alignment > kUnit || bytes > kMost) return ENOMEM;
  const size_t units = 1 + (bytes + kUnit - 1) / kUnit;
  void* taken = Take(units);
  if (taken == nullptr && Grow(units)) taken = Take(units);
  if (taken == nullptr) return ENOMEM;
  *memory = taken;
  return 0;
}

extern "C" void free(void* memory) {
  if (memory != nullptr) Insert(static_cast<Block*>(memory) - 1);
}

extern "C" void* malloc(size_t bytes) {
  void* memory = nullptr;
  return posix_memalign(&memory, kUnit, bytes) == 0 ? memory : nullptr;
}

// The linker, which optimises, would drop it as one of the C library's.
extern "C" __attribute__((used)) void* calloc(size_t count, size_t bytes) {
  size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
  void* memory = malloc(all);
  return memory == nullptr ? nullptr : std::memset(memory, 0, all);
}

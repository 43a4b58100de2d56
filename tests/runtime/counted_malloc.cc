// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/counted_malloc.h"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

// calls of all threads while counting
std::atomic<bool> counting{false};
std::atomic<int64_t> calls{0};
std::atomic<int64_t> live{0}, live_bytes{0}, peak_bytes{0};
std::atomic<int64_t> fail_at{-1};  // the number of the call that returns null

bool Fails() { return counting && calls++ == fail_at; }

void Grow(int64_t bytes) {
  const int64_t now = live_bytes += bytes;
  int64_t peak = peak_bytes;
  while (peak < now && !peak_bytes.compare_exchange_weak(peak, now)) {
  }
}

int64_t Usable(void* piece) { return static_cast<int64_t>(malloc_usable_size(piece)); }

void* Count(void* piece) {
  if (piece == nullptr || !counting) return piece;
  ++live;
  Grow(Usable(piece));
  return piece;
}

}  // namespace

// Visible to shared libraries, whose calls are counted too.
#pragma GCC visibility push(default)
extern "C" {
void* malloc(size_t bytes) { return Fails() ? nullptr : Count(__libc_malloc(bytes)); }
void* calloc(size_t n, size_t bytes) { return Fails() ? nullptr : Count(__libc_calloc(n, bytes)); }
void* realloc(void* piece, size_t bytes) {
  if (Fails()) return nullptr;
  const int64_t before = piece == nullptr ? 0 : Usable(piece);
  void* moved = __libc_realloc(piece, bytes);
  if (piece == nullptr) return Count(moved);
  if (moved != nullptr && counting) Grow(Usable(moved) - before);
  return moved;
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  return Fails() ? nullptr : Count(__libc_memalign(alignment, bytes));
}
void* memalign(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* piece = aligned_alloc(alignment, bytes);
  if (piece == nullptr) return ENOMEM;
  *out = piece;
  return 0;
}
void free(void* piece) {
  if (piece != nullptr && counting) {
    --live;
    live_bytes -= Usable(piece);
  }
  __libc_free(piece);
}
}
#pragma GCC visibility pop

namespace linnet {

CountedScope::CountedScope(int64_t fail) {
  ::calls = 0;
  ::live = 0;
  ::live_bytes = 0;
  ::peak_bytes = 0;
  fail_at = fail;
  counting = true;
}

CountedScope::~CountedScope() { counting = false; }

int64_t CountedScope::calls() { return ::calls; }
int64_t CountedScope::live() { return ::live; }
int64_t CountedScope::peak_bytes() { return ::peak_bytes; }

}  // namespace linnet

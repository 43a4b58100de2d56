// SPDX-License-Identifier: Apache-2.0
// An LD_PRELOAD library for fault_table.py. Call number LINNET_FAIL_MALLOC of malloc, calloc,
// realloc, posix_memalign and aligned_alloc (from 0, counted from the start of main, in all
// threads) returns null with ENOMEM. With LINNET_MALLOC_COUNT=PATH the number of calls is written
// there when the program ends. The library looks up a file called "main begins" to mark the start
// of main.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

using Main = int (*)(int, char**, char**);

std::atomic<bool> counting{false};
std::atomic<long> calls{0};
long fail_at = -1;
const char* count_path = nullptr;
Main program_main = nullptr;

bool Fails() {
  if (!counting.load(std::memory_order_relaxed)) return false;
  if (calls.fetch_add(1, std::memory_order_relaxed) != fail_at) return false;
  errno = ENOMEM;
  return true;
}

void WriteCount() {
  counting = false;
  const int file = open(count_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  dprintf(file, "%ld\n", calls.load());
  close(file);
}

int CountedMain(int argc, char** argv, char** environment) {
  access("main begins", F_OK);  // fault_table.py finds this system call in the trace
  counting = true;
  return program_main(argc, argv, environment);
}

}  // namespace

extern "C" {
void* malloc(size_t bytes) { return Fails() ? nullptr : __libc_malloc(bytes); }
void* calloc(size_t n, size_t bytes) { return Fails() ? nullptr : __libc_calloc(n, bytes); }
void* realloc(void* piece, size_t bytes) {
  return Fails() ? nullptr : __libc_realloc(piece, bytes);
}
void* memalign(size_t alignment, size_t bytes) {
  return Fails() ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* piece = memalign(alignment, bytes);
  if (piece == nullptr) return ENOMEM;
  *out = piece;
  return 0;
}

// The entry of the C library: main is wrapped, so that calls of the dynamic loader are not counted.
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  if (const char* number = getenv("LINNET_FAIL_MALLOC")) fail_at = atol(number);
  count_path = getenv("LINNET_MALLOC_COUNT");
  if (count_path != nullptr) atexit(WriteCount);
  program_main = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(CountedMain, argc, argv, init, fini, rtld_fini, stack_end);
}
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * page_size.c: preloaded, simulates for liblinnet.so a system whose pages have LINNET_TEST_PAGE
 * bytes. Files are mapped at addresses and from offsets that are multiples of that only, and what a
 * kernel would refuse ends the program.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t PageBytes(void) {
  const char* text = getenv("LINNET_TEST_PAGE");
  return text == NULL ? 4096 : (size_t)atol(text);
}

/* Was the caller, to which `address` returns, code of liblinnet.so? */
static int IsLinnet(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 && info.dli_fname != NULL &&
         strstr(info.dli_fname, "/liblinnet.so") != NULL;
}

static void Want(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "page_size: a kernel with pages of %zu bytes refuses %s\n", PageBytes(), what);
  abort();
}

static void* Map(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  return (void*)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}

long sysconf(int name) {
  static long (*real)(int);
  if (name == _SC_PAGESIZE && IsLinnet(__builtin_return_address(0))) return (long)PageBytes();
  if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, "sysconf");
  return real(name);
}

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (!IsLinnet(__builtin_return_address(0)))
    return Map(at, bytes, protection, flags, file, offset);
  const size_t page = PageBytes();
  Want((size_t)offset % page == 0, "the offset of a mapping");
  /* Room in which an address is a multiple of `page`; what is left over stays reserved. */
  char* room = Map(NULL, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return room;
  room += -(uintptr_t)room % page;
  return Map(room, bytes, protection, flags | MAP_FIXED, file, offset);
}

int munmap(void* at, size_t bytes) {
  if (IsLinnet(__builtin_return_address(0)))
    Want((uintptr_t)at % PageBytes() == 0, "the address to unmap");
  return (int)syscall(SYS_munmap, at, bytes);
}

int madvise(void* at, size_t bytes, int advice) {
  if (IsLinnet(__builtin_return_address(0)))
    Want((uintptr_t)at % PageBytes() == 0 && bytes % PageBytes() == 0, "the pages of an advice");
  return (int)syscall(SYS_madvise, at, bytes, advice);
}

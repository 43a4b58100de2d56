// SPDX-License-Identifier: Apache-2.0
// What a slice wants of Apple's libraries, on Linux: functions by Darwin's names
// and with Darwin's constants and structs, over those of glibc. Only what differs is here;
// slice_as_elf.py binds the rest, such as memcpy, to glibc's function of the name.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DARWIN(name) __asm__("darwin" name)

int* darwin_error(void) DARWIN("___error");
int* darwin_error(void) { return &errno; }

int darwin_open(const char* path, int flags) DARWIN("_open");
int darwin_open(const char* path, int flags) {
  enum { kReadOnly = 0, kNonBlock = 0x4, kNoTerminal = 0x20000, kCloseOnExec = 0x1000000 };
  if ((flags & ~(kNonBlock | kNoTerminal | kCloseOnExec)) != kReadOnly) abort();
  return open(path, O_RDONLY | O_NOCTTY | (flags & kNonBlock ? O_NONBLOCK : 0) |
                        (flags & kCloseOnExec ? O_CLOEXEC : 0));
}

struct darwin_stat {
  int32_t device;
  uint16_t mode, links;
  uint64_t inode;
  uint32_t user, group;
  int32_t special_device;
  int64_t times[8];
  int64_t size, blocks;
  int32_t block_size;
  uint32_t rest[5];
};

#if defined(__x86_64__)
int darwin_fstat(int fd, struct darwin_stat* to) DARWIN("_fstat$INODE64");
#else
int darwin_fstat(int fd, struct darwin_stat* to) DARWIN("_fstat");
#endif
int darwin_fstat(int fd, struct darwin_stat* to) {
  struct stat from;
  if (fstat(fd, &from) != 0) return -1;
  memset(to, 0, sizeof *to);
  to->mode = (uint16_t)from.st_mode;  // its bits are the same
  to->size = from.st_size;
  return 0;
}

void* darwin_mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset)
    DARWIN("_mmap");
void* darwin_mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  enum { kPrivate = 0x2, kAnonymous = 0x1000 };
  if (flags & ~(kPrivate | kAnonymous)) abort();
  return mmap(at, bytes, protection, MAP_PRIVATE | (flags & kAnonymous ? MAP_ANONYMOUS : 0), fd,
              offset);
}

long darwin_sysconf(int name) DARWIN("_sysconf");
long darwin_sysconf(int name) {
  switch (name) {
    case 29:
      return sysconf(_SC_PAGESIZE);
    case 57:
      return sysconf(_SC_NPROCESSORS_CONF);
    case 58:
      return sysconf(_SC_NPROCESSORS_ONLN);
    default:
      abort();
  }
}

int darwin_clock_gettime(int clock, struct timespec* now) DARWIN("_clock_gettime");
int darwin_clock_gettime(int clock, struct timespec* now) {
  return clock_gettime(clock == 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, now);
}

int darwin_setname(const char* name) DARWIN("_pthread_setname_np");
int darwin_setname(const char* name) { return pthread_setname_np(pthread_self(), name); }

// Sets of signals have another size; nobody here sends any.
int darwin_sigmask(int how, const uint32_t* set, uint32_t* old) DARWIN("_pthread_sigmask");
int darwin_sigmask(int how, const uint32_t* set, uint32_t* old) {
  (void)how, (void)set;
  if (old != NULL) *old = 0;
  return 0;
}

void darwin_bzero(void* at, size_t bytes) DARWIN("___bzero");
void darwin_bzero(void* at, size_t bytes) { memset(at, 0, bytes); }

void darwin_pattern16(char* to, const char* pattern, size_t bytes) DARWIN("_memset_pattern16");
void darwin_pattern16(char* to, const char* pattern, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) to[i] = pattern[i % 16];
}

struct sine_cosine {
  double sine, cosine;
};
struct sine_cosine_f {
  float sine, cosine;
};
struct sine_cosine darwin_sincos(double x) DARWIN("___sincos_stret");
struct sine_cosine darwin_sincos(double x) {
  return (struct sine_cosine){sin(x), cos(x)};
}
struct sine_cosine_f darwin_sincosf(float x) DARWIN("___sincosf_stret");
struct sine_cosine_f darwin_sincosf(float x) {
  return (struct sine_cosine_f){sinf(x), cosf(x)};
}

uintptr_t darwin_guard DARWIN("___stack_chk_guard") = 0x1122334455667788;
void darwin_guard_fail(void) DARWIN("___stack_chk_fail");
void darwin_guard_fail(void) { abort(); }

// On ARM, Darwin has all arguments behind the format on the stack, eight bytes each, and a va_list
// is their address.
#if defined(__aarch64__)
// Writes one conversion, as "%-3lld", to `to`; returns its end in the format.
static const char* convert(const char* format, const uint64_t** next, char* to, size_t bytes) {
  char text[64] = "%";
  size_t length = 1;
  while (strchr("diouxXcsgfep%", *++format) == NULL) {
    if (*format == '*') {
      length += (size_t)snprintf(text + length, sizeof text - length, "%d", (int)*(*next)++);
    } else {
      text[length++] = *format;
    }
  }
  text[length++] = *format;
  text[length] = 0;
  if (*format == '%') {
    snprintf(to, bytes, "%%");
  } else if (strchr("gfe", *format) != NULL) {
    double value;
    memcpy(&value, (*next)++, sizeof value);
    snprintf(to, bytes, text, value);
  } else {
    snprintf(to, bytes, text, *(*next)++);
  }
  return format + 1;
}

int darwin_vsnprintf(char* to, size_t bytes, const char* format, const uint64_t* next)
    DARWIN("_vsnprintf");
int darwin_vsnprintf(char* to, size_t bytes, const char* format, const uint64_t* next) {
  size_t used = 0;
  char part[512];
  while (*format != 0) {
    if (*format == '%') {
      format = convert(format, &next, part, sizeof part);
    } else {
      part[0] = *format++, part[1] = 0;
    }
    for (const char* from = part; *from != 0; ++from, ++used)
      if (used + 1 < bytes) to[used] = *from;
  }
  if (bytes > 0) to[used < bytes ? used : bytes - 1] = 0;
  return (int)used;
}

// What would be in registers on Linux is skipped.
int darwin_snprintf(char* to, size_t bytes, const char* format, long r3, long r4, long r5, long r6,
                    long r7, uint64_t first) DARWIN("_snprintf");
int darwin_snprintf(char* to, size_t bytes, const char* format, long r3, long r4, long r5, long r6,
                    long r7, uint64_t first) {
  (void)r3, (void)r4, (void)r5, (void)r6, (void)r7;
  return darwin_vsnprintf(to, bytes, format, &first);
}
#endif

// ---- libc++ ------------------------------------------------------------------------------------
void* darwin_new(size_t bytes) DARWIN("__Znwm");
void* darwin_new(size_t bytes) { return malloc(bytes); }
void* darwin_new_array(size_t bytes) DARWIN("__Znam");
void* darwin_new_array(size_t bytes) { return malloc(bytes); }
void darwin_delete(void* memory, size_t bytes) DARWIN("__ZdlPvm");
void darwin_delete(void* memory, size_t bytes) { (void)bytes, free(memory); }
void darwin_delete_array(void* memory) DARWIN("__ZdaPv");
void darwin_delete_array(void* memory) { free(memory); }

// A mutex of Darwin's has 64 bytes, of which the first are its kind; one behind them is enough
// here.
static char* held(void* mutex) { return (char*)mutex + 16; }
void darwin_lock(void* mutex) DARWIN("__ZNSt3__15mutex4lockEv");
void darwin_lock(void* mutex) {
  while (__atomic_test_and_set(held(mutex), __ATOMIC_ACQUIRE)) sched_yield();
}
void darwin_unlock(void* mutex) DARWIN("__ZNSt3__15mutex6unlockEv");
void darwin_unlock(void* mutex) { __atomic_clear(held(mutex), __ATOMIC_RELEASE); }
void darwin_destroy(void* mutex) DARWIN("__ZNSt3__15mutexD1Ev");
void darwin_destroy(void* mutex) { (void)mutex; }

// Waiting threads look again and again.
int64_t darwin_monitor(const volatile void* at) DARWIN("__ZNSt3__123__libcpp_atomic_monitorEPVKv");
int64_t darwin_monitor(const volatile void* at) { return (void)at, 0; }
void darwin_wait(const volatile void* at, int64_t value)
    DARWIN("__ZNSt3__120__libcpp_atomic_waitEPVKvx");
void darwin_wait(const volatile void* at, int64_t value) {
  (void)at, (void)value;
  nanosleep(&(struct timespec){0, 20000}, NULL);
}
void darwin_notify(const volatile void* at) DARWIN("__ZNSt3__123__cxx_atomic_notify_allEPVKv");
void darwin_notify(const volatile void* at) { (void)at; }

int64_t darwin_steady_now(void) DARWIN("__ZNSt3__16chrono12steady_clock3nowEv");
int64_t darwin_steady_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

int darwin_guard_acquire(char* guard) DARWIN("___cxa_guard_acquire");
int darwin_guard_acquire(char* guard) { return guard[0] == 0; }
void darwin_guard_release(char* guard) DARWIN("___cxa_guard_release");
void darwin_guard_release(char* guard) { guard[0] = 1; }

int darwin_at_exit(void (*call)(void*), void* object, void* library) DARWIN("___cxa_atexit");
int darwin_at_exit(void (*call)(void*), void* object, void* library) {
  return (void)call, (void)object, (void)library, 0;
}

// SPDX-License-Identifier: Apache-2.0
// For programs that use Vulkan and may be built with AddressSanitizer: drivers in software leak
// some memory of their own. CMakeLists.txt makes a file of these lines too, for programs that tests
// start.
#include "tests/driver_leaks.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libvulkan\nleak:libLLVM\nleak:libvk_swiftshader\n";
}

// GCC 12's AddressSanitizer follows the thread-local memory of libraries that were opened at run
// time. Where such a block lies 16 bytes behind a page's start, it reads the block's heap header as
// glibc 2.19's and crashes in the leak check: with drivers, once in some hundred programs.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "intercept_tls_get_addr=0"; }

// Absent, so null, without AddressSanitizer.
extern "C" __attribute__((weak)) int __lsan_do_recoverable_leak_check();

void EndBesideDrivers(int result) {
  std::fflush(nullptr);
  const bool looks_for_leaks = __lsan_do_recoverable_leak_check != nullptr;
  if (!looks_for_leaks && std::getenv("VK_INSTANCE_LAYERS") == nullptr) std::exit(result);
  if (looks_for_leaks && __lsan_do_recoverable_leak_check() != 0) {
    usleep(200'000);
    if (__lsan_do_recoverable_leak_check() != 0) result = 1;
  }
  std::_Exit(result);
}

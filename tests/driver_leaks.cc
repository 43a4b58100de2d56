// SPDX-License-Identifier: Apache-2.0
// For programs that use Vulkan and may be built with AddressSanitizer: drivers in software leak
// some memory of their own. CMakeLists.txt makes a file of these lines too, for programs that tests
// start.

extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libvulkan\nleak:libLLVM\nleak:libvk_swiftshader\n";
}

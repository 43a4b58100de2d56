// SPDX-License-Identifier: Apache-2.0
// What compilers refer to and no call of the library reaches, in the place of the C++ library's
// own, which would bring the heap, exceptions and unwinding into an image. The linker drops what
// nothing refers to in the end: the checker of images says that neither new nor delete[] is left.
#include <cstddef>

namespace {

[[noreturn]] void NeverReached() { __builtin_trap(); }

}  // namespace

// Objects of classes with virtual functions could be deleted through a pointer, so there is code
// for it; but all of them are in memory of the caller. FlatBuffers' code for writing uses new[].
void operator delete(void*) noexcept { NeverReached(); }
void operator delete(void*, size_t) noexcept { NeverReached(); }
void operator delete[](void*) noexcept { NeverReached(); }
void operator delete[](void*, size_t) noexcept { NeverReached(); }
void* operator new(size_t) { NeverReached(); }
void* operator new[](size_t) { NeverReached(); }

extern "C" {

// A virtual function that no class defines.
void __cxa_pure_virtual() { NeverReached(); }

// Where newlib's mathematics writes errno, which nobody reads; newlib's own would bring a kilobyte
// of tables for files.
int* __errno() {
  static int error;
  return &error;
}

}  // extern "C"

# SPDX-License-Identifier: Apache-2.0
# Toolchain file for WebAssembly with 128-bit vectors (SIMD128): Debian's clang, its linker and wasi-libc. Modules import nothing
# of WASI but what they use, which platform/web supplies.
#   LINNET_WASM_LLVM  which of Debian's LLVM: libc++-14-dev-wasm32 is that of 14
set(LINNET_WASM_LLVM 14 CACHE STRING "The version of Debian's clang, lld and libc++-dev-wasm32")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LINNET_WASM_LLVM)
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})  # Platform/WASI.cmake
set(CMAKE_C_COMPILER clang-${LINNET_WASM_LLVM})
set(CMAKE_CXX_COMPILER clang++-${LINNET_WASM_LLVM})
foreach(_language C CXX)
  set(CMAKE_${_language}_COMPILER_TARGET wasm32-wasi)
  # Engines that have vectors have the others too, which make code smaller and faster.
  set(CMAKE_${_language}_FLAGS_INIT "-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext")
endforeach()
find_program(CMAKE_AR llvm-ar-${LINNET_WASM_LLVM} REQUIRED)          # others make no index of WebAssembly's objects
find_program(CMAKE_RANLIB llvm-ranlib-${LINNET_WASM_LLVM} REQUIRED)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

include(${CMAKE_CURRENT_LIST_DIR}/host_flatbuffers.cmake)
string(APPEND CMAKE_CXX_FLAGS_INIT " -isystem ${FLATBUFFERS_INCLUDE_DIR}")

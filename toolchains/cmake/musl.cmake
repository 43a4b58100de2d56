# SPDX-License-Identifier: Apache-2.0
# Toolchain file for programs without shared libraries, which need only a kernel: clang, musl and libc++ as PyPI's package
# ziglang has them. toolchains/static_run.sh, which fetches that package, sets the environment variables LINNET_ZIG, the path of
# zig, and LINNET_MUSL_BOARD, arm64 or armv7.
set(_zig $ENV{LINNET_ZIG})
set(CMAKE_SYSTEM_NAME Linux)
if("$ENV{LINNET_MUSL_BOARD}" STREQUAL arm64)
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
  set(_target -target aarch64-linux-musl)
else()
  set(CMAKE_SYSTEM_PROCESSOR armv7l)
  set(_target -target thumb-linux-musleabihf -mcpu=cortex_a8)  # Thumb-2: a quarter less code than in ARM state
endif()
# zig compiles musl and libc++ for each set of options that it meets, which takes minutes: all links have the same.
list(APPEND _target -Os -s)
set(CMAKE_C_COMPILER ${_zig} cc ${_target})
set(CMAKE_CXX_COMPILER ${_zig} c++ ${_target})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# The host's ar does not know objects of other CPUs.
foreach(_language C CXX)
  set(CMAKE_${_language}_ARCHIVE_CREATE "\"${_zig}\" ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${_language}_ARCHIVE_FINISH "\"${_zig}\" ranlib <TARGET>")
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")

include(${CMAKE_CURRENT_LIST_DIR}/host_flatbuffers.cmake)
set(CMAKE_CXX_FLAGS_INIT "-isystem ${FLATBUFFERS_INCLUDE_DIR}")
# Nothing here throws, so nobody needs to know how to unwind the stack, which would take 70 KB. Links must not have this option.
add_compile_options(-fno-unwind-tables -fno-asynchronous-unwind-tables)

# SPDX-License-Identifier: Apache-2.0
# Toolchain file for Apple's systems: Xcode's clang on a Mac, elsewhere the clang of PyPI's package ziglang, which brings headers of Darwin
# and of libc++. toolchains/xcframework.sh uses it.
#   LINNET_APPLE_TARGET  clang's name of the system and its oldest version, as arm64-apple-ios15.0-simulator
#   LINNET_APPLE_SDK     on a Mac: xcrun's name of the SDK, as iphonesimulator
# Elsewhere the environment variable LINNET_ZIG has to be the path of zig.
set(LINNET_APPLE_TARGET arm64-apple-ios15.0 CACHE STRING "clang's name of the system and its oldest version")
set(LINNET_APPLE_SDK iphoneos CACHE STRING "On a Mac: xcrun's name of the SDK")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LINNET_APPLE_TARGET LINNET_APPLE_SDK)
set(CMAKE_SYSTEM_NAME Darwin)
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${LINNET_APPLE_TARGET})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(_language C CXX)
  set(CMAKE_${_language}_COMPILER_TARGET ${LINNET_APPLE_TARGET})
endforeach()
# Objects name the library that they need, so that no app has to.
set(CMAKE_CXX_FLAGS_INIT "-Xclang --linker-option=-lc++")

if(CMAKE_HOST_APPLE)
  execute_process(COMMAND xcrun --sdk ${LINNET_APPLE_SDK} --show-sdk-path OUTPUT_VARIABLE CMAKE_OSX_SYSROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND xcrun --sdk ${LINNET_APPLE_SDK} --find clang OUTPUT_VARIABLE CMAKE_C_COMPILER OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND xcrun --sdk ${LINNET_APPLE_SDK} --find clang++ OUTPUT_VARIABLE CMAKE_CXX_COMPILER OUTPUT_STRIP_TRAILING_WHITESPACE)
else()
  set(_zig $ENV{LINNET_ZIG})
  set(_clang ${CMAKE_CURRENT_LIST_DIR}/../zig_clang.sh)
  get_filename_component(_lib ${_zig} DIRECTORY)
  string(APPEND _lib /lib)
  set(CMAKE_C_COMPILER ${_clang})
  set(CMAKE_CXX_COMPILER ${_clang} --driver-mode=g++)
  set(_system "-isystem ${_lib}/include -isystem ${_lib}/libc/include/any-darwin-any")
  set(CMAKE_C_FLAGS_INIT "-nostdinc ${_system}")
  string(APPEND CMAKE_CXX_FLAGS_INIT " -nostdinc -nostdinc++ -isystem ${_lib}/libcxx/include -isystem ${_lib}/libcxxabi/include ${_system}")
  # What Apple's own headers of libc++ say: its first ABI, threads, and functions only since the version of the system that brought them.
  foreach(_value ABI_VERSION=1 ABI_NAMESPACE=__1 HAS_THREADS=1 HAS_THREAD_API_PTHREAD=1 HAS_THREAD_API_EXTERNAL=0 HAS_THREAD_API_WIN32=0
      HAS_THREAD_API_C11=0 HAS_MONOTONIC_CLOCK=1 HAS_TERMINAL=1 HAS_MUSL_LIBC=0 HAS_VENDOR_AVAILABILITY_ANNOTATIONS=1 HAS_FILESYSTEM=1
      HAS_RANDOM_DEVICE=1 HAS_LOCALIZATION=1 HAS_UNICODE=1 HAS_WIDE_CHARACTERS=1 HAS_TIME_ZONE_DATABASE=0 INSTRUMENTED_WITH_ASAN=0
      HARDENING_MODE_DEFAULT=_LIBCPP_HARDENING_MODE_NONE ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE)
    string(APPEND CMAKE_CXX_FLAGS_INIT " -D_LIBCPP_${_value}")
  endforeach()
  # The host's ar does not know these objects.
  foreach(_language C CXX)
    set(CMAKE_${_language}_ARCHIVE_CREATE "\"${_zig}\" ar qc --format=darwin <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_${_language}_ARCHIVE_FINISH "\"${_zig}\" ranlib <TARGET>")
  endforeach()
  set(CMAKE_INSTALL_NAME_TOOL true)  # CMake insists on one, for shared libraries
endif()

include(${CMAKE_CURRENT_LIST_DIR}/host_flatbuffers.cmake)
string(APPEND CMAKE_CXX_FLAGS_INIT " -isystem ${FLATBUFFERS_INCLUDE_DIR}")

# SPDX-License-Identifier: Apache-2.0
# Compiler flags of the whole tree, and linnet_library(), by which every room of the architecture declares its libraries.

if(LINNET_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
endif()
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the sloppiness ccache caches nothing that uses precompiled headers. A precompiled header remembers the checksums of
  # its files, and `#pragma once` fails for a file that differs from it: even by a comment, or an #include that changes nothing. So
  # ccache must compare the files themselves (depend mode), not what the preprocessor makes of them.
  set(_ccache ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${_ccache})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_ccache})
endif()

add_library(linnet_flags INTERFACE)
target_include_directories(linnet_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
target_compile_options(linnet_flags INTERFACE
  -Wall -Wextra -Wno-missing-field-initializers -ffunction-sections -fdata-sections
  # Results must not depend on the compiler's choice: no fused multiply-add unless a kernel asks for it by name.
  -ffp-contract=off
  $<$<BOOL:${LINNET_WERROR}>:-Werror>)
target_compile_definitions(linnet_flags INTERFACE $<$<BOOL:${LINNET_DCHECKS}>:LINNET_DCHECKS=1>
  $<$<NOT:$<BOOL:${LINNET_THREADS}>>:LINNET_NO_THREADS=1> $<$<BOOL:${LINNET_FREESTANDING}>:LINNET_FREESTANDING=1>)
foreach(_set baseline avx2 avx512)
  if(NOT _set IN_LIST LINNET_X86_KERNELS)
    string(TOUPPER ${_set} _upper)
    target_compile_definitions(linnet_flags INTERFACE LINNET_WITHOUT_${_upper}_KERNELS=1)  # core/instruction_set.h
  endif()
endforeach()
if(NOT APPLE)
  target_link_options(linnet_flags INTERFACE -Wl,--gc-sections)
endif()
if(LINNET_SANITIZE)
  # vptr checks need RTTI, which runtime code is built without.
  add_compile_options(-fsanitize=${LINNET_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LINNET_SANITIZE})
  # Sanitized programs are large, and there are many: LLVM's linker takes a fifth of the time.
  find_program(LINNET_LLD ld.lld)
  mark_as_advanced(LINNET_LLD)
  if(LINNET_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
# linnet_sanitize_coarsely(): with AddressSanitizer and UBSan, halves the time of compiling this folder and those inside of it. UBSan does
# not look at each pointer, since AddressSanitizer finds what a wrong one leads to, and AddressSanitizer's checks are calls. Not for the
# runtime, whose pointers come from plans that nobody trusts; nor where clang builds fuzz targets, which should be fast.
macro(linnet_sanitize_coarsely)
  if(LINNET_SANITIZE MATCHES undefined AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fno-sanitize=null,object-size,alignment,pointer-overflow --param=asan-instrumentation-with-call-threshold=0)
  endif()
endmacro()
if(LINNET_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()

# Smaller than CMake's -Os and, as measured on x86-64, as fast. GCC has it since version 12.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-Oz LINNET_HAS_OZ)

# Link-time optimisation happens in the programs, so the static archive contains both forms of code: GCC's and the machine's. WebAssembly's
# modules are always made so (platform/web).
if(LINNET_LTO AND (BUILD_SHARED_LIBS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU))
  message(FATAL_ERROR "LINNET_LTO is for static archives (-DBUILD_SHARED_LIBS=OFF) made by GCC; this would be by ${CMAKE_CXX_COMPILER_ID}")
endif()

# Runtime code: no exceptions, no RTTI. The converter may link libraries that throw.
add_library(linnet_runtime_flags INTERFACE)
target_link_libraries(linnet_runtime_flags INTERFACE linnet_flags)
target_compile_options(linnet_runtime_flags INTERFACE -fno-exceptions -fno-rtti -fno-math-errno -fno-trapping-math
  "$<$<STREQUAL:${CMAKE_SYSTEM_NAME},WASI>:-flto>"
  "$<$<BOOL:${LINNET_LTO}>:-flto=auto;-ffat-lto-objects>"
  # Nothing is thrown through it, so only debuggers would read tables for unwinding.
  "$<$<CONFIG:MinSizeRel>:-fno-asynchronous-unwind-tables;-fno-unwind-tables>"
  "$<$<AND:$<CONFIG:MinSizeRel>,$<BOOL:${LINNET_HAS_OZ}>>:-Oz>")

# linnet_precompile(TARGET HEADER...): the headers are parsed once, for TARGET and for every OTHER with
# linnet_precompiled(OTHER TARGET). All of these need the same compiler flags: either all are libraries or all are programs.
# LINNET_LARGE_HEADERS are headers that nearly all files of the converter and of its tests include.
set(LINNET_LARGE_HEADERS
  <algorithm> <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <vector>
  <absl/status/statusor.h> <fmt/format.h> <fmt/ranges.h>)
function(linnet_precompile target)
  if(LINNET_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE ${_linnet_false_alarms})
  endif()
endfunction()
function(linnet_precompiled target owner)
  if(LINNET_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    target_compile_options(${target} PRIVATE ${_linnet_false_alarms})
  endif()
endfunction()
# GCC 12 wrongly reports overruns when string literals are copied; in precompiled headers it no longer knows that the code
# is in a system header.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(_linnet_false_alarms -Wno-array-bounds -Wno-restrict -Wno-stringop-overread -Wno-stringop-overflow)
endif()

# linnet_library(NAME SRCS a.cc b.cc DEPS linnet::x [RUNTIME])
#   Makes the static library linnet_NAME, with the alias linnet::NAME. DEPS lists the libraries that it may use. RUNTIME: it
#   runs on devices, so it is compiled without exceptions and RTTI.
function(linnet_library name)
  cmake_parse_arguments(ARG "RUNTIME" "" "SRCS;DEPS" ${ARGN})
  add_library(linnet_${name} STATIC ${ARG_SRCS})
  add_library(linnet::${name} ALIAS linnet_${name})
  target_link_libraries(linnet_${name} PUBLIC ${ARG_DEPS})
  if(ARG_RUNTIME)
    target_link_libraries(linnet_${name} PUBLIC linnet_flags PRIVATE linnet_runtime_flags)
    # Its files use the same short names for their own functions, such as Prepare and Run.
    set_target_properties(linnet_${name} PROPERTIES UNITY_BUILD OFF)
  else()
    target_link_libraries(linnet_${name} PUBLIC linnet_flags)
  endif()
  if(LINNET_PRECOMPILED_BY)
    linnet_precompiled(linnet_${name} ${LINNET_PRECOMPILED_BY})
  endif()
endfunction()

# linnet_objects_of(OUT TARGET...): sets OUT to the object files of the static libraries TARGET and of all static libraries
# that they link.
function(linnet_objects_of out)
  set(todo ${ARGN})
  set(seen "")
  set(objects "")
  while(todo)
    list(POP_FRONT todo library)
    if(NOT TARGET ${library})
      continue()
    endif()
    get_target_property(aliased ${library} ALIASED_TARGET)
    if(aliased)
      set(library ${aliased})
    endif()
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL STATIC_LIBRARY OR library IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${library})
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
    get_target_property(next ${library} LINK_LIBRARIES)
    list(APPEND todo ${next})
  endwhile()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# linnet_contain(TARGET LIBRARY...): puts the objects of these static libraries of the runtime, and of all that they link, into TARGET, and
# links what these need of the system.
function(linnet_contain target)
  linnet_objects_of(objects ${ARGN})
  target_sources(${target} PRIVATE ${objects})
  if(LINNET_THREADS)
    target_link_libraries(${target} PRIVATE Threads::Threads)
  endif()
  if(TARGET linnet_xnnpack)
    target_link_libraries(${target} PRIVATE XNNPACK::XNNPACK)
  endif()
  if(TARGET linnet_vulkan)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
# Finds FlatBuffers: FLATBUFFERS_INCLUDE_DIR for the target, FLATC_PROGRAM for this machine. The converter and the tests also need the library,
# flatbuffers::flatbuffers; the runtime is content with the headers.
find_package(FlatBuffers CONFIG QUIET)
if(TARGET flatbuffers::flatbuffers)
  get_target_property(FLATBUFFERS_INCLUDE_DIR flatbuffers::flatbuffers INTERFACE_INCLUDE_DIRECTORIES)
else()
  find_path(FLATBUFFERS_INCLUDE_DIR flatbuffers/flatbuffers.h)
  mark_as_advanced(FLATBUFFERS_INCLUDE_DIR)
endif()
# What the converter links. Python's modules are shared libraries, and Debian's archive is not position-independent.
set(LINNET_FLATBUFFERS flatbuffers::flatbuffers)
if(LINNET_BUILD_PYTHON AND TARGET flatbuffers::flatbuffers_shared)
  set(LINNET_FLATBUFFERS flatbuffers::flatbuffers_shared)
endif()
# A cross compiler's sysroot may contain a flatc too, which does not run here.
find_program(FLATC_PROGRAM flatc NO_CMAKE_FIND_ROOT_PATH)

set(_missing "")
if(NOT FLATBUFFERS_INCLUDE_DIR OR (NOT TARGET flatbuffers::flatbuffers AND (LINNET_BUILD_CONVERTER OR LINNET_BUILD_TESTS)))
  list(APPEND _missing "FlatBuffers for the target (Debian: libflatbuffers-dev)")
endif()
if(NOT FLATC_PROGRAM)
  list(APPEND _missing "the program flatc for this machine (Debian: flatbuffers-compiler)")
endif()
if(_missing)
  list(JOIN _missing " and " _missing)
  message(FATAL_ERROR "Linnet needs ${_missing}")
endif()

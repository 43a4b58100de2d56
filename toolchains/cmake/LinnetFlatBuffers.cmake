# SPDX-License-Identifier: Apache-2.0
# Finds FlatBuffers: FLATBUFFERS_INCLUDE_DIR for the target, and LINNET_FLATC, the command that runs flatc. The converter and the tests also
# need the library, flatbuffers::flatbuffers; the runtime is content with the headers.
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
find_program(FLATC_PROGRAM flatc NO_CMAKE_FIND_ROOT_PATH)
set(LINNET_FLATC ${FLATC_PROGRAM})

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

# What flatc writes compiles only with headers of its own version. Those of a sysroot may have another than this machine's flatc; then
# the sysroot's flatc runs in the emulator.
file(STRINGS ${FLATBUFFERS_INCLUDE_DIR}/flatbuffers/base.h _wanted REGEX "define FLATBUFFERS_VERSION_(MAJOR|MINOR|REVISION) ")
string(REGEX MATCHALL "[0-9]+" _wanted "${_wanted}")
list(JOIN _wanted . _wanted)
execute_process(COMMAND ${LINNET_FLATC} --version OUTPUT_VARIABLE _version)
if(NOT _version MATCHES " ${_wanted}[^0-9.]")
  set(_own ${CMAKE_SYSROOT}/usr/bin/flatc)
  if(NOT CMAKE_CROSSCOMPILING_EMULATOR OR NOT EXISTS ${_own})
    message(FATAL_ERROR "${FLATC_PROGRAM} is not of the version of FlatBuffers' headers in ${FLATBUFFERS_INCLUDE_DIR}, ${_wanted}: name "
      "one that is with -DFLATC_PROGRAM=PATH")
  endif()
  set(LINNET_FLATC ${CMAKE_CROSSCOMPILING_EMULATOR} ${_own})
endif()

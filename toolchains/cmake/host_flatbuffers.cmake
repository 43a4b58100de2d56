# SPDX-License-Identifier: Apache-2.0
# Included by toolchain files of systems without packages: FlatBuffers consists of headers only there, so the host's will do, in a folder
# of their own, because nothing else of the host's headers may be seen. Sets FLATBUFFERS_INCLUDE_DIR, if the host has them.
find_path(_flatbuffers flatbuffers/flatbuffers.h PATHS /usr/include /usr/local/include /opt/homebrew/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
if(_flatbuffers)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers)
  file(CREATE_LINK ${_flatbuffers}/flatbuffers ${CMAKE_BINARY_DIR}/headers/flatbuffers SYMBOLIC)
  set(FLATBUFFERS_INCLUDE_DIR ${CMAKE_BINARY_DIR}/headers CACHE PATH "Where FlatBuffers' headers are, and nothing else")
endif()
set(CMAKE_DISABLE_FIND_PACKAGE_FlatBuffers ON)

# SPDX-License-Identifier: Apache-2.0
# What CMake, which does not know this system, has to know of it. wasm.cmake names it.
set(CMAKE_EXECUTABLE_SUFFIX .wasm)

# SPDX-License-Identifier: Apache-2.0
# Toolchain file for boards with a 32-bit ARM CPU (ARMv7, hardware floats) and Debian (debian_board.cmake).
set(LINNET_BOARD armhf)
set(LINNET_BOARD_PROCESSOR armv7l)
set(LINNET_BOARD_TRIPLET arm-linux-gnueabihf)
set(LINNET_BOARD_QEMU arm)
set(LINNET_BOARD_CPU cortex-a7)
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)  # notes about a change of GCC 7, with which nothing here was built
include(${CMAKE_CURRENT_LIST_DIR}/debian_board.cmake)

# SPDX-License-Identifier: Apache-2.0
# Toolchain file for boards with a 64-bit ARM CPU and Debian (debian_board.cmake).
set(LINNET_BOARD arm64)
set(LINNET_BOARD_PROCESSOR aarch64)
set(LINNET_BOARD_TRIPLET aarch64-linux-gnu)
set(LINNET_BOARD_QEMU aarch64)
set(LINNET_BOARD_CPU cortex-a76)
include(${CMAKE_CURRENT_LIST_DIR}/debian_board.cmake)

# SPDX-License-Identifier: Apache-2.0
# Cross-compiles for a board with Debian: included by arm64.cmake and armhf.cmake, which set LINNET_BOARD and the four
# variables below it. Libraries come from a sysroot of Debian's packages, made by toolchains/sysroot.sh when it is missing,
# and programs that a build or ctest starts run in qemu.
#   LINNET_SYSROOT_SUITE  bookworm (Debian 12) or trixie (Debian 13, with another generation of XNNPACK)
set(LINNET_SYSROOT_SUITE bookworm CACHE STRING "The Debian whose packages are linked: bookworm or trixie")
set_property(CACHE LINNET_SYSROOT_SUITE PROPERTY STRINGS bookworm trixie)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LINNET_SYSROOT_SUITE)

execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../sysroot.sh ${LINNET_BOARD} ${LINNET_SYSROOT_SUITE}
  OUTPUT_VARIABLE CMAKE_SYSROOT OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE _result)
if(NOT _result EQUAL 0)
  message(FATAL_ERROR "there is no sysroot for ${LINNET_BOARD} with Debian ${LINNET_SYSROOT_SUITE}: see above")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${LINNET_BOARD_PROCESSOR})
set(CMAKE_C_COMPILER ${LINNET_BOARD_TRIPLET}-gcc)
set(CMAKE_CXX_COMPILER ${LINNET_BOARD_TRIPLET}-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)  # flatc, protoc and Python are the host's
foreach(_kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${_kind} ONLY)
endforeach()

# The compiler has C and C++ libraries of its own, which are the host's Debian's: those of the board come first.
file(GLOB _gcc ${CMAKE_SYSROOT}/usr/lib/gcc/${LINNET_BOARD_TRIPLET}/*)
foreach(_kind EXE SHARED MODULE)
  set(CMAKE_${_kind}_LINKER_FLAGS_INIT "-L${_gcc} -L${CMAKE_SYSROOT}/usr/lib/${LINNET_BOARD_TRIPLET}")
endforeach()

find_program(LINNET_QEMU qemu-${LINNET_BOARD_QEMU}-static)
mark_as_advanced(LINNET_QEMU)
if(LINNET_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${LINNET_QEMU} -cpu ${LINNET_BOARD_CPU} -L ${CMAKE_SYSROOT})
endif()

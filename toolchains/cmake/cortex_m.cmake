# SPDX-License-Identifier: Apache-2.0
# Toolchain file for microcontrollers: Debian's GCC for bare ARM with newlib, of which images link only mathematics and what copies memory.
#   LINNET_CORTEX_M  the processor: m7 (ARMv7E-M, floats in double precision too) or m55 (ARMv8.1-M)
set(LINNET_CORTEX_M m7 CACHE STRING "The processor that is compiled for: m7 or m55")
set_property(CACHE LINNET_CORTEX_M PROPERTY STRINGS m7 m55)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LINNET_CORTEX_M)
set(_flags_m7 "-mcpu=cortex-m7 -mfpu=fpv5-d16")
set(_flags_m55 "-mcpu=cortex-m55")
if(NOT DEFINED _flags_${LINNET_CORTEX_M})
  message(FATAL_ERROR "LINNET_CORTEX_M is '${LINNET_CORTEX_M}': choose m7 or m55")
endif()

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-${LINNET_CORTEX_M})
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
# With link-time optimisation, an archive's index is made by what GCC brings.
find_program(CMAKE_AR arm-none-eabi-gcc-ar REQUIRED)
find_program(CMAKE_RANLIB arm-none-eabi-gcc-ranlib REQUIRED)
foreach(_language C CXX)
  set(CMAKE_${_language}_FLAGS_INIT "${_flags_${LINNET_CORTEX_M}} -mthumb -mfloat-abi=hard")
endforeach()
# There is one thread, and nothing runs at exit.
string(APPEND CMAKE_CXX_FLAGS_INIT " -fno-threadsafe-statics -fno-use-cxa-atexit")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # programs need a linker script
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

include(${CMAKE_CURRENT_LIST_DIR}/host_flatbuffers.cmake)
string(APPEND CMAKE_CXX_FLAGS_INIT " -isystem ${FLATBUFFERS_INCLUDE_DIR}")

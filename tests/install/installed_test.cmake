# SPDX-License-Identifier: Apache-2.0
# Installs a build into a fresh prefix, builds the example project against it with find_package and with pkg-config, and runs it on PLAN.
# cmake -DBUILD_DIR=... -DPROJECT=... -DWORK_DIR=... -DPLAN=... -DC_COMPILER=... -DCXX_COMPILER=... -DNM=... [-DSOURCE_DIR=... -DOPTIONS=...]
#       [-DTOOLCHAIN=... -DFLAGS=... -DEMULATOR=...] -P installed_test.cmake
# With OPTIONS, the runtime is first built from SOURCE_DIR with these options into BUILD_DIR. With TOOLCHAIN, options for CMake, the
# project is built for another machine: compilers called without CMake get FLAGS, and programs run in the EMULATOR.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(_toolchain)
if(TOOLCHAIN)
  # Toolchain files look for packages only below the roots, which are the sysroot and what stands here.
  set(_toolchain ${TOOLCHAIN} -DCMAKE_FIND_ROOT_PATH=${WORK_DIR}/prefix)
endif()

file(REMOVE_RECURSE ${WORK_DIR})
if(OPTIONS)
  run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${BUILD_DIR} -DCMAKE_BUILD_TYPE=Release -DLINNET_BUILD_CONVERTER=OFF
    -DLINNET_BUILD_TESTS=OFF -DLINNET_CCACHE=ON -DLINNET_WERROR=ON ${OPTIONS})
  run(${CMAKE_COMMAND} --build ${BUILD_DIR})
endif()
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
# Ninja as in our own presets, because a bare machine has no make.
run(${CMAKE_COMMAND} -G Ninja -S ${PROJECT} -B ${WORK_DIR}/build ${_toolchain} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
foreach(_program run_plan_c99 run_plan_cpp17 run_plan_cpp20)
  run(${EMULATOR} ${WORK_DIR}/build/${_program} ${PLAN})
endforeach()
run(${EMULATOR} ${WORK_DIR}/prefix/bin/linnet-run ${PLAN} --json)
if(EXISTS ${WORK_DIR}/prefix/bin/linnet)
  run(${WORK_DIR}/prefix/bin/linnet bisect ${PLAN} --against portable)
endif()

# A shared library exports the functions of linnet.h and nothing else.
file(GLOB_RECURSE _shared ${WORK_DIR}/prefix/liblinnet.so)
if(_shared)
  execute_process(COMMAND ${NM} --dynamic --defined-only --format=just-symbols ${_shared}
    OUTPUT_VARIABLE _symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "linnet_[a-z0-9_]+\n" "" _foreign "${_symbols}")
  if(_foreign OR NOT _symbols)
    message(FATAL_ERROR "the library exports other names than linnet_...: ${_foreign}")
  endif()
endif()

# The same without CMake, with a prefix that was moved after the installation.
file(RENAME ${WORK_DIR}/prefix ${WORK_DIR}/moved)
file(GLOB_RECURSE _pc ${WORK_DIR}/moved/linnet.pc)
get_filename_component(_pc ${_pc} DIRECTORY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${_pc} pkg-config --cflags --libs "linnet >= 0.1"
  OUTPUT_VARIABLE _flags OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE _result)
if(NOT _result EQUAL 0)
  message(FATAL_ERROR "pkg-config does not find Linnet")
endif()
separate_arguments(_flags UNIX_COMMAND "${_flags}")
get_filename_component(_lib ${_pc} DIRECTORY)
run(${C_COMPILER} ${FLAGS} -std=c99 -Wall -Wextra -Werror ${PROJECT}/run_plan.c ${_flags} -o ${WORK_DIR}/run_plan_pc_c99)
run(${CXX_COMPILER} ${FLAGS} -std=c++17 -Wall -Wextra -Werror ${PROJECT}/run_plan.cc ${_flags} -o ${WORK_DIR}/run_plan_pc_cpp17)
foreach(_standard c99 cpp17)
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${_lib} ${EMULATOR} ${WORK_DIR}/run_plan_pc_${_standard} ${PLAN})
endforeach()

# SPDX-License-Identifier: Apache-2.0
# Installs the build into a fresh prefix, builds the consumer against it, runs it on PLAN.
# cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DPLAN=... -DC_COMPILER=... -P consumer_test.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
# Ninja as in our own presets: a bare machine has no make.
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${WORK_DIR}/build -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/consumer_c ${PLAN})

# Without CMake, from a prefix that was moved.
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
run(${C_COMPILER} -std=c99 -Wall -Wextra -Werror ${SOURCE_DIR}/consumer.c ${_flags} -o ${WORK_DIR}/consumer_pc)
run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${_lib} ${WORK_DIR}/consumer_pc ${PLAN})
file(RENAME ${WORK_DIR}/moved ${WORK_DIR}/prefix)

run(${WORK_DIR}/build/consumer_cpp ${PLAN})
run(${WORK_DIR}/prefix/bin/linnet-run ${PLAN} --json)
run(${WORK_DIR}/prefix/bin/linnet bisect ${PLAN} --against portable)

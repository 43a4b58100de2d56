# SPDX-License-Identifier: Apache-2.0
# Installs the build into a fresh prefix, builds the consumer against it, runs it on PLAN.
# cmake -DBUILD_DIR=... -DSOURCE_DIR=... -DWORK_DIR=... -DPLAN=... -P consumer_test.cmake
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
run(${WORK_DIR}/build/consumer_cpp ${PLAN})
run(${WORK_DIR}/prefix/bin/linnet-run ${PLAN} --json)
run(${WORK_DIR}/prefix/bin/linnet bisect ${PLAN} --against portable)

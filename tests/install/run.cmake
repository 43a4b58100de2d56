# SPDX-License-Identifier: Apache-2.0
# run(PROGRAM ARGUMENT...): fails with the program's output unless it exits with 0.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGN}\n${output}")
  endif()
endfunction()

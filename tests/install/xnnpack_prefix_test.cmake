# SPDX-License-Identifier: Apache-2.0
# LINNET_XNNPACK=PREFIX: XNNPACK is found in a folder, as archives and shared, and nothing else in its stead.
# cmake -DSOURCE_DIR=... -DWORK_DIR=... -P xnnpack_prefix_test.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
set(_project ${CMAKE_CURRENT_LIST_DIR}/xnnpack_prefix)
# The same build folder for both, so that what was found in the first must be forgotten in the second.
foreach(_shared OFF ON)
  set(_prefix ${WORK_DIR}/prefix_${_shared})
  run(${CMAKE_COMMAND} -G Ninja -S ${_project} -B ${WORK_DIR}/make -DMAKE=ON -DBUILD_SHARED_LIBS=${_shared})
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/make)
  run(${CMAKE_COMMAND} --install ${WORK_DIR}/make --prefix ${_prefix})
  run(${CMAKE_COMMAND} -G Ninja -S ${_project} -B ${WORK_DIR}/find -DXNNPACK_PREFIX=${_prefix})
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/find)
  run(${WORK_DIR}/find/count_parts)
  # pthreadpool and cpuinfo in a second folder.
  set(_second ${WORK_DIR}/second_${_shared})
  file(GLOB _files RELATIVE ${_prefix} ${_prefix}/*/*pthreadpool* ${_prefix}/*/*cpuinfo* ${_prefix}/*/*clog*)
  foreach(_file IN LISTS _files)
    get_filename_component(_folder ${_second}/${_file} DIRECTORY)
    file(MAKE_DIRECTORY ${_folder})
    file(RENAME ${_prefix}/${_file} ${_second}/${_file})
  endforeach()
  if(NOT _shared)  # shared libraries would look for each other in their own folder
    run(${CMAKE_COMMAND} -S ${_project} -B ${WORK_DIR}/find "-DXNNPACK_PREFIX=${_prefix}\\;${_second}")
    run(${CMAKE_COMMAND} --build ${WORK_DIR}/find)
    run(${WORK_DIR}/find/count_parts)
  endif()
endforeach()

# must_fail(VALUE TEXT): Linnet's configuration with LINNET_XNNPACK=VALUE ends with a message that contains TEXT.
function(must_fail value text)
  file(REMOVE_RECURSE ${WORK_DIR}/refused)
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${WORK_DIR}/refused -DLINNET_BUILD_CONVERTER=OFF -DLINNET_BUILD_TESTS=OFF
      "-DLINNET_XNNPACK=${value}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${text}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "LINNET_XNNPACK=${value}: want a failure with '${text}', got (${result})\n${output}")
  endif()
endfunction()
must_fail(sytem "LINNET_XNNPACK is 'sytem': choose system, off or the absolute path")
must_fail(${WORK_DIR}/nowhere "choose system, off or the absolute path")
file(MAKE_DIRECTORY ${WORK_DIR}/empty)
must_fail(${WORK_DIR}/empty "cannot be used from there: missing: xnnpack.h, libXNNPACK")

# SPDX-License-Identifier: Apache-2.0
# How tests start programs of this build, in cross builds too. ctest starts a test that is a target in the emulator by itself;
# scripts and programs that start others use what is defined here:
#   LINNET_PROGRAMS  the folder in which they are: `linnet` and those named by linnet_started_program()
#   LINNET_CONVERTER the command `linnet`
#   LINNET_NUMPY_PYTHON  the interpreter for scripts that need numpy
#   LINNET_HOST_RUN  where `linnet` is the host's, the linnet-run beside it
# In cross builds the folder holds scripts that start the emulator, and `linnet` is the host's, because models are converted on
# workstations: the one that LINNET_HOST_LINNET names, or one that is built along. So it is in the preset `tsan`, without an emulator: the
# converter has one thread.

# The first interpreter in PATH may lack numpy; Debian's package installs it for /usr/bin/python3.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import numpy" RESULT_VARIABLE _no_numpy ERROR_QUIET)
set(LINNET_NUMPY_PYTHON ${Python3_EXECUTABLE})
if(_no_numpy)
  set(LINNET_NUMPY_PYTHON /usr/bin/python3)
endif()

if(NOT CMAKE_CROSSCOMPILING AND NOT LINNET_BUILD_CONVERTER STREQUAL "tests")
  set(LINNET_PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  set(LINNET_CONVERTER linnet-converter)
  function(linnet_started_program target path)
    set(${path} $<TARGET_FILE:${target}> PARENT_SCOPE)
  endfunction()
  return()
endif()

set(LINNET_PROGRAMS ${PROJECT_BINARY_DIR}/emulated)
set(LINNET_CONVERTER ${LINNET_PROGRAMS}/linnet)

# linnet_started_program(TARGET PATH): scripts and programs may start TARGET from LINNET_PROGRAMS; sets PATH to it.
function(linnet_started_program target path)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " _emulator)
  file(GENERATE OUTPUT ${LINNET_PROGRAMS}/${target} CONTENT "#!/bin/sh\nexec ${_emulator} $<TARGET_FILE:${target}> \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(${path} ${LINNET_PROGRAMS}/${target} PARENT_SCOPE)
endfunction()

set(LINNET_HOST_LINNET "" CACHE FILEPATH "Builds without a converter of their own: the host's linnet, which converts models for tests; empty: build it along")
set(_host_linnet ${LINNET_HOST_LINNET})
if(NOT _host_linnet)
  # The same build as toolchains/demo.sh makes, by the host's compilers. All such builds of this tree share it.
  set(_host_linnet ${PROJECT_SOURCE_DIR}/build/demo/bin/linnet)
  add_custom_target(host_linnet ALL
    COMMAND ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX --unset=CFLAGS --unset=CXXFLAGS --unset=LDFLAGS
            ${CMAKE_COMMAND} --preset demo
    COMMAND ${CMAKE_COMMAND} --build build/demo --target linnet-converter linnet-run
    BYPRODUCTS ${LINNET_CONVERTER}  # the link below: what needs it waits
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL COMMENT "Building the host's linnet" VERBATIM)
endif()
file(MAKE_DIRECTORY ${LINNET_PROGRAMS})
file(CREATE_LINK ${_host_linnet} ${LINNET_CONVERTER} SYMBOLIC)
# Beside it; for tests that compare a device with the host.
get_filename_component(LINNET_HOST_RUN ${_host_linnet} DIRECTORY)
set(LINNET_HOST_RUN ${LINNET_HOST_RUN}/linnet-run)

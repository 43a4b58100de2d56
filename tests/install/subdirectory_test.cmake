# SPDX-License-Identifier: Apache-2.0
# Builds the example project with Linnet as its subdirectory, static and linked with -flto, unoptimised, and runs it on PLAN. Types and functions that are
# defined twice with one name show then (-Wodr), and are errors. With CONVERTER=ON the converter is linked so too, and every file is compiled
# without precompiled headers, so that an #include which is missing shows. That takes some ten minutes: toolchains/check.sh --all does it.
# cmake -DSOURCE_DIR=... -DPROJECT=... -DWORK_DIR=... -DPLAN=... [-DCONVERTER=ON] -P subdirectory_test.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# What is built is otherwise left to the defaults.
set(_options -DLINNET_PRECOMPILE=ON)
if(CONVERTER)
  set(_options -DLINNET_PRECOMPILE=OFF -DLINNET_BUILD_CONVERTER=ON)
endif()
file(REMOVE_RECURSE ${WORK_DIR})
# Not optimised, which would take minutes: definitions are compared all the same.
run(${CMAKE_COMMAND} -G Ninja -S ${PROJECT} -B ${WORK_DIR} -DLINNET_SOURCE=${SOURCE_DIR} -DBUILD_SHARED_LIBS=OFF ${_options}
  -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -flto=auto -Wodr -Wlto-type-mismatch -Werror"
  "-DCMAKE_C_FLAGS_DEBUG=-O0 -flto=auto")
run(${CMAKE_COMMAND} --build ${WORK_DIR})
# As a subdirectory Linnet brings its runtime alone, and installs nothing with the project.
if(NOT CONVERTER)
  file(GLOB _own ${WORK_DIR}/linnet/converter ${WORK_DIR}/linnet/tests ${WORK_DIR}/bin/linnet* ${WORK_DIR}/linnet/bin/linnet*)
  if(_own)
    message(FATAL_ERROR "the subdirectory also brought ${_own}")
  endif()
  run(${CMAKE_COMMAND} --install ${WORK_DIR} --prefix ${WORK_DIR}/prefix)
  file(GLOB_RECURSE _installed ${WORK_DIR}/prefix/*)
  if(_installed)
    message(FATAL_ERROR "the subdirectory also installed ${_installed}")
  endif()
endif()
foreach(_program run_plan_c99 run_plan_cpp17 run_plan_cpp20)
  run(${WORK_DIR}/${_program} ${PLAN})
endforeach()

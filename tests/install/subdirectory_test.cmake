# SPDX-License-Identifier: Apache-2.0
# Builds the example project with Linnet as its subdirectory, static and linked with -flto, unoptimised, and runs it on PLAN. Types and functions that are
# defined twice with one name show then (-Wodr), and are errors. With CONVERTER=ON the converter is linked so too, and every file is compiled
# without precompiled headers, so that an #include which is missing shows. That takes some ten minutes: toolchains/check.sh --all does it.
# cmake -DSOURCE_DIR=... -DPROJECT=... -DWORK_DIR=... -DPLAN=... [-DCONVERTER=ON] -P subdirectory_test.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(_precompile OFF)
if(NOT CONVERTER)
  set(CONVERTER OFF)
  set(_precompile ON)
endif()
file(REMOVE_RECURSE ${WORK_DIR})
# Not optimised, which would take minutes: definitions are compared all the same.
run(${CMAKE_COMMAND} -G Ninja -S ${PROJECT} -B ${WORK_DIR} -DLINNET_SOURCE=${SOURCE_DIR} -DBUILD_SHARED_LIBS=OFF -DLINNET_BUILD_CONVERTER=${CONVERTER}
  -DLINNET_PRECOMPILE=${_precompile}
  -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -flto=auto -Wodr -Wlto-type-mismatch -Werror"
  "-DCMAKE_C_FLAGS_DEBUG=-O0 -flto=auto")
run(${CMAKE_COMMAND} --build ${WORK_DIR})
foreach(_program run_plan_c99 run_plan_cpp17 run_plan_cpp20)
  run(${WORK_DIR}/${_program} ${PLAN})
endforeach()

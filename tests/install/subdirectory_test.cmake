# SPDX-License-Identifier: Apache-2.0
# Builds the example project with Linnet as its subdirectory, statically linked, and runs it on PLAN. Link-time optimisation compares all
# definitions, so two types or functions of one name that differ (-Wodr) are errors.
# cmake -DSOURCE_DIR=... -DPROJECT=... -DWORK_DIR=... -DPLAN=... -P subdirectory_test.cmake
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
# -O0, because optimising would take minutes; the definitions are compared all the same.
run(${CMAKE_COMMAND} -G Ninja -S ${PROJECT} -B ${WORK_DIR} -DLINNET_SOURCE=${SOURCE_DIR} -DBUILD_SHARED_LIBS=OFF
  -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -flto=auto -Wodr -Wlto-type-mismatch -Werror"
  "-DCMAKE_C_FLAGS_DEBUG=-O0 -flto=auto")
run(${CMAKE_COMMAND} --build ${WORK_DIR})
foreach(_program run_plan_c99 run_plan_cpp17 run_plan_cpp20)
  run(${WORK_DIR}/${_program} ${PLAN})
endforeach()

# SPDX-License-Identifier: Apache-2.0
# Fails unless every row of op_list.def has exactly the files that runtime/ops/README.md lists, and every such file has a row.
# cmake -DROOT=<repository> -P op_files_test.cmake
cmake_minimum_required(VERSION 3.22)
file(STRINGS ${ROOT}/runtime/ops/op_list.def rows REGEX "^LINNET_OP\\(")
set(problems "")
set(ops "")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^LINNET_OP\\(([A-Za-z0-9]+), *([a-z0-9_]+)\\).*" "\\2" op ${row})
  list(APPEND ops ${op})
  foreach(path runtime/ops/${op}.h runtime/ops/${op}.cc runtime/backends/portable/ops/${op}.cc
               tests/conformance/golden/${op}.json)
    if(NOT EXISTS ${ROOT}/${path})
      list(APPEND problems "${op}: ${path} is missing")
    endif()
  endforeach()
  # A script called select.py or random.py would hide Python's own module of that name.
  set(script tests/golden/conformance/${op})
  if(NOT EXISTS ${ROOT}/${script}.py AND NOT EXISTS ${ROOT}/${script}_cases.py)
    list(APPEND problems "${op}: ${script}.py is missing")
  endif()
endforeach()

foreach(pattern runtime/backends/portable/ops/*.cc runtime/backends/xnnpack/ops/*.cc
                tests/conformance/golden/*.json)
  file(GLOB files RELATIVE ${ROOT} ${ROOT}/${pattern})
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    if(NOT name IN_LIST ops)
      list(APPEND problems "${file} belongs to no row of op_list.def")
    endif()
  endforeach()
endforeach()

if(problems)
  list(JOIN problems "\n  " text)
  message(FATAL_ERROR "op_list.def and the tree differ:\n  ${text}")
endif()
list(LENGTH ops count)
message("${count} ops, all files there")

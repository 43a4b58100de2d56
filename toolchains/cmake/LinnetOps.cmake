# SPDX-License-Identifier: Apache-2.0
# Reads runtime/ops/op_list.def, the only list of ops, and names each op's files from its row.

set(_list ${PROJECT_SOURCE_DIR}/runtime/ops/op_list.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_list})
file(STRINGS ${_list} _rows REGEX "^LINNET_OP\\(")
set(LINNET_OPS "")
foreach(_row IN LISTS _rows)
  string(REGEX REPLACE "^LINNET_OP\\(([A-Za-z0-9]+), *([a-z0-9_]+)\\).*" "\\2" _file ${_row})
  list(APPEND LINNET_OPS ${_file})
endforeach()

# linnet_op_sources(OUT PREFIX): PREFIX/<op>.cc for every row.
function(linnet_op_sources out prefix)
  list(TRANSFORM LINNET_OPS PREPEND "${prefix}" OUTPUT_VARIABLE _files)
  list(TRANSFORM _files APPEND ".cc")
  set(${out} ${_files} PARENT_SCOPE)
endfunction()

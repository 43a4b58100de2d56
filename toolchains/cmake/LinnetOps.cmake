# SPDX-License-Identifier: Apache-2.0
# Reads runtime/ops/op_list.def, the only list of ops: LINNET_OPS gets the names of files (conv2d), LINNET_OP_NAMES those of
# ops (Conv2D). Writes runtime/ops/all_attrs.h into the build folder; it includes every op's header.

set(_list ${PROJECT_SOURCE_DIR}/runtime/ops/op_list.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_list})
file(STRINGS ${_list} _rows REGEX "^LINNET_OP\\(")
set(LINNET_OPS "")
set(LINNET_OP_NAMES "")
foreach(_row IN LISTS _rows)
  string(REGEX MATCH "^LINNET_OP\\(([A-Za-z0-9]+), *([a-z0-9_]+)\\)" _row ${_row})
  list(APPEND LINNET_OP_NAMES ${CMAKE_MATCH_1})
  list(APPEND LINNET_OPS ${CMAKE_MATCH_2})
endforeach()

set(_includes "")
foreach(_op IN LISTS LINNET_OPS)
  string(APPEND _includes "#include \"runtime/ops/${_op}.h\"\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/runtime/ops/all_attrs.h CONTENT
"// Every op's attribute struct, for tables over all ops. Code about one op includes that op's header.
#pragma once
${_includes}")

# linnet_op_sources(OUT PREFIX): sets OUT to PREFIX<op>.cc for every op.
function(linnet_op_sources out prefix)
  list(TRANSFORM LINNET_OPS PREPEND "${prefix}" OUTPUT_VARIABLE _files)
  list(TRANSFORM _files APPEND ".cc")
  set(${out} ${_files} PARENT_SCOPE)
endfunction()

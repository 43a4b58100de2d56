# SPDX-License-Identifier: Apache-2.0
# Reads converter/pass/passes.def, the only list of passes: a row there compiles the pass's file.

# linnet_passes(VARIABLE FOLDER): sets VARIABLE to the source files of the passes in converter/FOLDER.
set(_linnet_passes ${PROJECT_SOURCE_DIR}/converter/pass/passes.def)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_linnet_passes})
file(STRINGS ${_linnet_passes} _linnet_pass_rows REGEX "^PASS\\(")
function(linnet_passes variable folder)
  set(files "")
  foreach(row IN LISTS _linnet_pass_rows)
    if(row MATCHES "^PASS\\(${folder}, ([a-z0-9_]+),")
      list(APPEND files ${CMAKE_MATCH_1}.cc)
    endif()
  endforeach()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

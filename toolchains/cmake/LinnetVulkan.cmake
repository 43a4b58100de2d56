# SPDX-License-Identifier: Apache-2.0
# Reads lowerings.def and shaders.def of runtime/backends/vulkan: LINNET_VULKAN_OPS gets the files of ops/, and all_spirv.h in the
# build folder includes the SPIR-V of every shader.

set(_vulkan ${PROJECT_SOURCE_DIR}/runtime/backends/vulkan)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_vulkan}/lowerings.def ${_vulkan}/shaders.def)

set(LINNET_VULKAN_OPS "")
file(STRINGS ${_vulkan}/lowerings.def _rows REGEX "^LINNET_LOWERING\\(")
foreach(_row IN LISTS _rows)
  string(REGEX MATCH "^LINNET_LOWERING\\([A-Za-z0-9]+, *([a-z0-9_]+)\\)" _row ${_row})
  list(APPEND LINNET_VULKAN_OPS ops/${CMAKE_MATCH_1}.cc)
endforeach()
list(REMOVE_DUPLICATES LINNET_VULKAN_OPS)

set(_arrays "")
file(STRINGS ${_vulkan}/shaders.def _rows REGEX "^LINNET_(FLOAT_)?SHADER\\(")
foreach(_row IN LISTS _rows)
  string(REGEX MATCH "^LINNET_(FLOAT_)?SHADER\\(([a-z0-9_]+)\\)" _row ${_row})
  set(_modules ${CMAKE_MATCH_2})
  if(CMAKE_MATCH_1)
    list(APPEND _modules ${CMAKE_MATCH_2}_half)
  endif()
  foreach(_module IN LISTS _modules)
    string(APPEND _arrays "inline constexpr uint32_t k_${_module}[] = {\n#include \"runtime/backends/vulkan/spirv/${_module}.inc\"\n};\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/runtime/backends/vulkan/all_spirv.h CONTENT
"// The words of every shader of shaders.def.
#pragma once
#include <cstdint>

namespace linnet::vulkan::spirv {
${_arrays}}  // namespace linnet::vulkan::spirv
")

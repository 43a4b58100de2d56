# SPDX-License-Identifier: Apache-2.0
# Reads lowerings.def and shaders.def of runtime/backends/vulkan: LINNET_VULKAN_OPS gets the files of ops/, and all_spirv.h in the
# build folder includes the packed SPIR-V of every shader, in each of its modes.

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
set(_modules "")
file(STRINGS ${_vulkan}/shaders.def _rows REGEX "^LINNET_SHADER\\(")
foreach(_row IN LISTS _rows)
  string(REGEX MATCH "^LINNET_SHADER\\(([a-z0-9_]+), *([a-z0-9, ]+)\\)" _row ${_row})
  set(_name ${CMAKE_MATCH_1})
  string(REGEX MATCHALL "[a-z0-9]+" _modes "${CMAKE_MATCH_2}")
  foreach(_mode IN LISTS _modes)
    string(APPEND _arrays
      "inline constexpr uint8_t k_${_name}_${_mode}[] = {\n#include \"runtime/backends/vulkan/spirv/${_name}.${_mode}.inc\"\n};\n")
    string(APPEND _modules "    {Shader::k_${_name}, ShaderMode::k_${_mode}, k_${_name}_${_mode}},\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/runtime/backends/vulkan/all_spirv.h CONTENT
"// The packed SPIR-V of every shader of shaders.def.
#pragma once
#include <cstdint>
#include <span>

#include \"runtime/backends/vulkan/shader.h\"

namespace linnet::vulkan::spirv {
${_arrays}
struct Module {
  Shader shader;
  ShaderMode mode;
  std::span<const uint8_t> packed;
};
inline constexpr Module kModules[] = {
${_modules}};
}  // namespace linnet::vulkan::spirv
")

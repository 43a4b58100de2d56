# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs, in components as Debian divides packages: `runtime` (the shared library), `development` (headers, the
# static archive, and the files by which CMake's find_package and pkg-config find them), `tools` (linnet-run) and `converter` (linnet).
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/linnet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS linnet EXPORT LinnetTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(TARGET linnet-run)
  install(TARGETS linnet-run RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()
if(TARGET linnet-converter AND NOT LINNET_BUILD_CONVERTER STREQUAL "tests")
  install(TARGETS linnet-converter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT converter)
endif()

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/Linnet)
install(EXPORT LinnetTargets NAMESPACE linnet:: DESTINATION ${_package} COMPONENT development)
# Libraries that a program must link in addition to our static archive. The shared library is already linked with them.
# _static_folders: where they are, unless that is where the linker looks anyway.
set(_static_libraries "")
set(_static_folders "")
if(NOT BUILD_SHARED_LIBS AND TARGET linnet_xnnpack)
  foreach(_library IN LISTS XNNPACK_LIBRARIES)
    get_filename_component(_name ${_library} NAME_WE)
    string(REGEX REPLACE "^lib" "" _name ${_name})
    list(APPEND _static_libraries ${_name})
    get_filename_component(_folder ${_library} DIRECTORY)
    if(XNNPACK_PREFIX AND NOT _folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND _static_folders ${_folder})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES _static_folders)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/LinnetConfig.cmake.in ${PROJECT_BINARY_DIR}/LinnetConfig.cmake
  INSTALL_DESTINATION ${_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LinnetConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LinnetConfig.cmake ${PROJECT_BINARY_DIR}/LinnetConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/LinnetEmbed.cmake DESTINATION ${_package} COMPONENT development)

# Paths are relative to linnet.pc, so an installed prefix may be moved.
file(RELATIVE_PATH _up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(_link_flags "")
if(NOT BUILD_SHARED_LIBS)
  set(_link_flags ${_static_libraries})
  if(TARGET linnet_vulkan)
    list(APPEND _link_flags ${CMAKE_DL_LIBS})
  endif()
  list(TRANSFORM _link_flags PREPEND " -l")
  list(JOIN _link_flags "" _link_flags)
  foreach(_library ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})  # the C++ library, for programs in C
    if(_library MATCHES "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
      string(APPEND _link_flags " -l${_library}")
    endif()
  endforeach()
  string(APPEND _link_flags " ${CMAKE_THREAD_LIBS_INIT}")
  list(TRANSFORM _static_folders PREPEND " -L" OUTPUT_VARIABLE _folder_flags)
  list(JOIN _folder_flags "" _folder_flags)
  string(PREPEND _link_flags "${_folder_flags}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/linnet.pc.in ${PROJECT_BINARY_DIR}/linnet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/linnet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

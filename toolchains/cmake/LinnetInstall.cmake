# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the package that find_package(Linnet CONFIG) finds.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/linnet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS linnet EXPORT LinnetTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET linnet-run)
  install(TARGETS linnet-run RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET linnet-converter)
  install(TARGETS linnet-converter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/Linnet)
install(EXPORT LinnetTargets NAMESPACE linnet:: DESTINATION ${_package})
file(WRITE ${PROJECT_BINARY_DIR}/LinnetConfig.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/LinnetTargets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LinnetConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LinnetConfig.cmake ${PROJECT_BINARY_DIR}/LinnetConfigVersion.cmake
  DESTINATION ${_package})

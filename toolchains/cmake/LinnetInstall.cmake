# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, in two components: `runtime` (library, headers, linnet-run, what finds them: CMake's package and
# pkg-config's) and `converter` (linnet).
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/runtime/include/linnet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT runtime FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS linnet EXPORT LinnetTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT runtime)
if(TARGET linnet-run)
  install(TARGETS linnet-run RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endif()
if(TARGET linnet-converter)
  install(TARGETS linnet-converter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT converter)
endif()

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/Linnet)
install(EXPORT LinnetTargets NAMESPACE linnet:: DESTINATION ${_package} COMPONENT runtime)
file(WRITE ${PROJECT_BINARY_DIR}/LinnetConfig.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/LinnetTargets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LinnetConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LinnetConfig.cmake ${PROJECT_BINARY_DIR}/LinnetConfigVersion.cmake
  DESTINATION ${_package} COMPONENT runtime)

# Found wherever the prefix is moved to.
file(RELATIVE_PATH _up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/linnet.pc.in ${PROJECT_BINARY_DIR}/linnet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/linnet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT runtime)

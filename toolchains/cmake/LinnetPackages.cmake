# SPDX-License-Identifier: Apache-2.0
# What `cpack` makes: Debian's packages of what is installed, one for each component that this build has (LinnetInstall.cmake). The preset
# `debs` configures a build for them. What a package depends on is found by dpkg-shlibdeps, in the libraries that were linked.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME linnet)
set(CPACK_PACKAGE_CONTACT "Linnet's maintainers <maintainers@linnet.invalid>" CACHE STRING "Maintainer of Debian's packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Runs plans converted from TensorFlow graphs")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

# linnet_package(COMPONENT NAME SECTION SUMMARY): the component's package.
set(CPACK_COMPONENTS_ALL "")
macro(linnet_package component name section summary)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} _component)
  set(CPACK_DEBIAN_${_component}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${_component}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${_component}_DESCRIPTION ${summary})
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")  # other installations have no such folders
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} RENAME copyright
      COMPONENT ${component})
  endif()
endmacro()

linnet_package(development liblinnet-dev libdevel "Runs plans converted from TensorFlow graphs: headers")
if(BUILD_SHARED_LIBS)
  # Each minor version may change the interface, so the package of each has another name.
  linnet_package(runtime liblinnet${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} libs
    "Runs plans converted from TensorFlow graphs: shared library")
  set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
  set(CPACK_COMPONENT_TOOLS_DEPENDS runtime)
  set(CPACK_COMPONENT_CONVERTER_DEPENDS runtime)
elseif(TARGET linnet_xnnpack)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libxnnpack-dev, libpthreadpool-dev, libcpuinfo-dev")
endif()
if(TARGET linnet-run)
  linnet_package(tools linnet-run utils "Runs, measures and profiles plans converted from TensorFlow graphs")
endif()
if(TARGET linnet-converter)
  linnet_package(converter linnet utils "Converts TensorFlow graphs to plans for small devices")
  set(CPACK_DEBIAN_CONVERTER_PACKAGE_RECOMMENDS linnet-run)
endif()
include(CPack)

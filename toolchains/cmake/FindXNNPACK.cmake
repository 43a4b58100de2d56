# SPDX-License-Identifier: Apache-2.0
# Finds XNNPACK with pthreadpool and cpuinfo: target XNNPACK::XNNPACK.
#
# XNNPACK has no releases and no version number, so test programs find out which interface it has:
#   XNNPACK_GENERATION  2022  create / setup                   (Debian 12, 2022-02)
#                       2024  create / reshape / setup, unified elementwise operators, weights
#                             cache provider                   (Debian 13, 2024-11)
# XNNPACK_PREFIX, where it is not empty, is a list of folders: XNNPACK is taken from there and from nowhere else, pthreadpool and
# cpuinfo preferably from there. A shared library needs nothing more; beside archives, those that XNNPACK and cpuinfo are split into
# are found too. XNNPACK_LIBRARIES are all of them, in the order in which they are linked.
#
# When XNNPACK_FOUND is false, XNNPACK_REASON says why. XNNPACK_UNKNOWN_INTERFACE is true when XNNPACK
# is installed but has neither interface.
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)
include(FindPackageHandleStandardArgs)
find_package(Threads QUIET)

# What was found for another value of XNNPACK_PREFIX is forgotten.
if(DEFINED XNNPACK_FOUND_IN AND NOT "${XNNPACK_FOUND_IN}" STREQUAL "${XNNPACK_PREFIX}")
  foreach(_of INCLUDE_DIR LIBRARY MICROKERNELS_LIBRARY HAS_CREATE_SETUP HAS_CREATE_RESHAPE_SETUP)
    unset(XNNPACK_${_of} CACHE)
  endforeach()
  foreach(_of PTHREADPOOL_INCLUDE_DIR PTHREADPOOL_LIBRARY CPUINFO_INCLUDE_DIR CPUINFO_LIBRARY CLOG_LIBRARY)
    unset(${_of} CACHE)
  endforeach()
endif()
set(XNNPACK_FOUND_IN "${XNNPACK_PREFIX}" CACHE INTERNAL "The XNNPACK_PREFIX of the last search")

set(_lib lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE})
if(XNNPACK_PREFIX)
  # The folders are meant as they are, also by a cross compiler that looks for everything else in a sysroot.
  set(_only PATHS ${XNNPACK_PREFIX} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  find_path(XNNPACK_INCLUDE_DIR xnnpack.h ${_only} PATH_SUFFIXES include)
  find_library(XNNPACK_LIBRARY NAMES XNNPACK ${_only} PATH_SUFFIXES ${_lib})
  foreach(_part pthreadpool cpuinfo)
    string(TOUPPER ${_part} _PART)
    find_path(${_PART}_INCLUDE_DIR ${_part}.h ${_only} PATH_SUFFIXES include)
    find_library(${_PART}_LIBRARY NAMES ${_part} ${_only} PATH_SUFFIXES ${_lib})
  endforeach()
endif()
if(NOT XNNPACK_PREFIX)
  find_path(XNNPACK_INCLUDE_DIR xnnpack.h)
  find_library(XNNPACK_LIBRARY NAMES XNNPACK)
endif()
find_path(PTHREADPOOL_INCLUDE_DIR pthreadpool.h)
find_path(CPUINFO_INCLUDE_DIR cpuinfo.h)
find_library(PTHREADPOOL_LIBRARY NAMES pthreadpool)
find_library(CPUINFO_LIBRARY NAMES cpuinfo)
# Archives of later versions and of cpuinfo are in two files.
foreach(_archive "XNNPACK;XNNPACK_MICROKERNELS;xnnpack-microkernels-prod;microkernels-prod;microkernels_prod" "CPUINFO;CLOG;clog")
  list(POP_FRONT _archive _whole _rest)
  if(${_whole}_LIBRARY MATCHES "\\.a$")
    get_filename_component(_beside ${${_whole}_LIBRARY} DIRECTORY)
    find_library(${_rest}_LIBRARY NAMES ${_archive} PATHS ${_beside} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  endif()
endforeach()
mark_as_advanced(XNNPACK_INCLUDE_DIR PTHREADPOOL_INCLUDE_DIR XNNPACK_LIBRARY XNNPACK_MICROKERNELS_LIBRARY PTHREADPOOL_LIBRARY
  CPUINFO_LIBRARY CPUINFO_INCLUDE_DIR CLOG_LIBRARY)
set(XNNPACK_LIBRARIES "")
foreach(_part XNNPACK XNNPACK_MICROKERNELS PTHREADPOOL CPUINFO CLOG)
  if(${_part}_LIBRARY)
    list(APPEND XNNPACK_LIBRARIES ${${_part}_LIBRARY})
  endif()
endforeach()

set(XNNPACK_GENERATION "")
set(XNNPACK_UNKNOWN_INTERFACE FALSE)
if(XNNPACK_INCLUDE_DIR AND XNNPACK_LIBRARY AND PTHREADPOOL_INCLUDE_DIR AND PTHREADPOOL_LIBRARY
   AND CPUINFO_LIBRARY AND CPUINFO_INCLUDE_DIR)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_INCLUDES ${XNNPACK_INCLUDE_DIR} ${PTHREADPOOL_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${XNNPACK_LIBRARIES} Threads::Threads)
  set(CMAKE_REQUIRED_QUIET ${XNNPACK_FIND_QUIETLY})
  # Functions whose signatures changed in XNNPACK's history; the programs are never run. (The first
  # three took caches a few weeks after 2022-02, everything else stayed the same for longer.)
  check_cxx_source_compiles([[
#include <xnnpack.h>
int main() {
  xnn_operator_t op = nullptr;
  const size_t dims[2] = {1, 1};
  return xnn_create_convolution2d_nhwc_f32(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nullptr,
                                           nullptr, 0, 1, 0, &op) +
         xnn_create_deconvolution2d_nhwc_f32(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nullptr,
                                             nullptr, 0, 1, 0, &op) +
         xnn_create_fully_connected_nc_f32(1, 1, 1, 1, nullptr, nullptr, 0, 1, 0, &op) +
         xnn_setup_convolution2d_nhwc_f32(op, 1, 1, 1, nullptr, nullptr, nullptr) +
         xnn_create_softmax_nc_f32(1, 1, 1, 0, &op) +
         xnn_create_prelu_nc_f32(1, 1, 1, nullptr, 0, &op) +
         xnn_setup_add_nd_f32(op, 2, dims, 2, dims, nullptr, nullptr, nullptr, nullptr) +
         xnn_setup_resize_bilinear2d_nhwc_f32(op, 1, 1, 1, 1, 1, nullptr, nullptr, nullptr) +
         xnn_create_depth_to_space_nhwc_x32(1, 1, 1, 2, 0, &op);
}]] XNNPACK_HAS_CREATE_SETUP)
  check_cxx_source_compiles([[
#include <xnnpack.h>
int main() {
  xnn_operator_t op = nullptr;
  xnn_weights_cache_provider cache = {};
  cache.look_up = [](void*, const xnn_weights_cache_look_up_key* key) -> size_t { return key->seed; };
  size_t out[4];
  const size_t dims[2] = {1, 1};
  const int64_t axes[1] = {0};
  return xnn_create_convolution2d_nhwc_f32(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nullptr,
                                           nullptr, 0, 1, 0, nullptr, &cache, &op) +
         xnn_reshape_convolution2d_nhwc_f32(op, 1, 1, 1, out, out, out, out, nullptr) +
         xnn_setup_convolution2d_nhwc_f32(op, nullptr, nullptr, nullptr) +
         xnn_reshape_average_pooling2d_nhwc_f32(op, 1, 1, 1, 1, 1, 1, out, out, out, out, nullptr) +
         xnn_create_unary_elementwise_nc(xnn_unary_tanh, xnn_datatype_fp32, xnn_datatype_fp32,
                                         nullptr, nullptr, nullptr, 0, &op) +
         xnn_create_binary_elementwise_nd(xnn_binary_prelu, xnn_datatype_fp32, nullptr, nullptr,
                                          nullptr, 0, &op) +
         xnn_create_reduce_nd(xnn_reduce_mean, xnn_datatype_fp32, nullptr, nullptr, 0, &op) +
         xnn_reshape_reduce_nd(op, 1, axes, 2, dims, out, out, nullptr) +
         xnn_reshape_batch_matrix_multiply_nc_f32(op, 1, dims, dims, 1, 1, 1, out, out, nullptr) +
         xnn_create_resize_bilinear2d_nhwc_f32(1, 1, 0, &op) +
         xnn_reshape_transpose_nd_x32(op, 2, dims, dims, nullptr) +
         xnn_reshape_space_to_depth_nhwc_x32(op, 1, 2, 2, 1, out, out, out, nullptr);
}]] XNNPACK_HAS_CREATE_RESHAPE_SETUP)
  cmake_pop_check_state()
  if(XNNPACK_HAS_CREATE_RESHAPE_SETUP)
    set(XNNPACK_GENERATION 2024)
  elseif(XNNPACK_HAS_CREATE_SETUP)
    set(XNNPACK_GENERATION 2022)
  else()
    set(XNNPACK_UNKNOWN_INTERFACE TRUE)
    set(XNNPACK_REASON "${XNNPACK_INCLUDE_DIR}/xnnpack.h and ${XNNPACK_LIBRARY} offer neither the interface of 2022-02 (Debian 12) nor that of 2024-11 (Debian 13), or do not link. The log in ${CMAKE_BINARY_DIR}/CMakeFiles shows what failed to compile")
  endif()
else()
  set(_missing "")
  foreach(_part XNNPACK PTHREADPOOL CPUINFO)
    string(TOLOWER ${_part} _file)
    if(NOT ${_part}_INCLUDE_DIR)
      list(APPEND _missing ${_file}.h)
    endif()
    if(NOT ${_part}_LIBRARY)
      string(REPLACE xnnpack XNNPACK _file ${_file})
      list(APPEND _missing lib${_file})
    endif()
  endforeach()
  list(JOIN _missing ", " _missing)
  set(XNNPACK_REASON "missing: ${_missing} (Debian: libxnnpack-dev)")
endif()

find_package_handle_standard_args(XNNPACK
  REQUIRED_VARS XNNPACK_LIBRARY XNNPACK_INCLUDE_DIR PTHREADPOOL_LIBRARY PTHREADPOOL_INCLUDE_DIR
                CPUINFO_LIBRARY CPUINFO_INCLUDE_DIR XNNPACK_GENERATION
  REASON_FAILURE_MESSAGE "${XNNPACK_REASON}")

if(XNNPACK_FOUND AND NOT TARGET XNNPACK::XNNPACK)
  add_library(XNNPACK::pthreadpool UNKNOWN IMPORTED)
  set_target_properties(XNNPACK::pthreadpool PROPERTIES
    IMPORTED_LOCATION ${PTHREADPOOL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${PTHREADPOOL_INCLUDE_DIR})
  set(_others ${XNNPACK_LIBRARIES})
  list(POP_FRONT _others)
  add_library(XNNPACK::XNNPACK UNKNOWN IMPORTED)
  set_target_properties(XNNPACK::XNNPACK PROPERTIES
    IMPORTED_LOCATION ${XNNPACK_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${XNNPACK_INCLUDE_DIR};${CPUINFO_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${_others};XNNPACK::pthreadpool;Threads::Threads")
endif()

# SPDX-License-Identifier: Apache-2.0
# Finds XNNPACK with pthreadpool and cpuinfo: target XNNPACK::XNNPACK.
#
# XNNPACK has no releases and no version number, so test programs are compiled to find out which interface is there:
#   XNNPACK_GENERATION  2022  create / setup                   (Debian 12, 2022-02)
#                       2024  create / reshape / setup, unified elementwise operators, weights
#                             cache provider                   (Debian 13, 2024-11)
# With any other interface XNNPACK counts as not found, and XNNPACK_REASON says why.
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)
include(FindPackageHandleStandardArgs)

find_path(XNNPACK_INCLUDE_DIR xnnpack.h)
find_path(PTHREADPOOL_INCLUDE_DIR pthreadpool.h)
find_path(CPUINFO_INCLUDE_DIR cpuinfo.h)
find_library(XNNPACK_LIBRARY NAMES XNNPACK)
find_library(PTHREADPOOL_LIBRARY NAMES pthreadpool)
find_library(CPUINFO_LIBRARY NAMES cpuinfo)
mark_as_advanced(XNNPACK_INCLUDE_DIR PTHREADPOOL_INCLUDE_DIR XNNPACK_LIBRARY PTHREADPOOL_LIBRARY
  CPUINFO_LIBRARY CPUINFO_INCLUDE_DIR)

set(XNNPACK_GENERATION "")
if(XNNPACK_INCLUDE_DIR AND XNNPACK_LIBRARY AND PTHREADPOOL_INCLUDE_DIR AND PTHREADPOOL_LIBRARY
   AND CPUINFO_LIBRARY AND CPUINFO_INCLUDE_DIR)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_INCLUDES ${XNNPACK_INCLUDE_DIR} ${PTHREADPOOL_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${XNNPACK_LIBRARY} ${PTHREADPOOL_LIBRARY} ${CPUINFO_LIBRARY})
  set(CMAKE_REQUIRED_QUIET ${XNNPACK_FIND_QUIETLY})
  # These programs call the functions whose signatures differ between generations. They are compiled, never run.
  check_cxx_source_compiles([[
#include <xnnpack.h>
int main() {
  xnn_operator_t op = nullptr;
  const size_t dims[2] = {1, 1};
  return xnn_setup_convolution2d_nhwc_f32(op, 1, 1, 1, nullptr, nullptr, nullptr) +
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
    set(XNNPACK_REASON "its interface is neither that of 2022-02 nor that of 2024-11")
  endif()
else()
  set(XNNPACK_REASON "install XNNPACK, pthreadpool and cpuinfo (Debian: libxnnpack-dev)")
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
  add_library(XNNPACK::XNNPACK UNKNOWN IMPORTED)
  set_target_properties(XNNPACK::XNNPACK PROPERTIES
    IMPORTED_LOCATION ${XNNPACK_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${XNNPACK_INCLUDE_DIR};${CPUINFO_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "XNNPACK::pthreadpool;${CPUINFO_LIBRARY}")
endif()

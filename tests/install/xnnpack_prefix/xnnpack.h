// SPDX-License-Identifier: Apache-2.0
// The functions by which FindXNNPACK.cmake recognises the interface of 2022-02, with any arguments.
#pragma once
#include <stddef.h>
#include <stdint.h>

using xnn_operator_t = void*;

extern "C" {
int xnn_create_convolution2d_nhwc_f32(...);
int xnn_create_deconvolution2d_nhwc_f32(...);
int xnn_create_fully_connected_nc_f32(...);
int xnn_setup_convolution2d_nhwc_f32(...);
int xnn_create_softmax_nc_f32(...);
int xnn_create_prelu_nc_f32(...);
int xnn_setup_add_nd_f32(...);
int xnn_setup_resize_bilinear2d_nhwc_f32(...);
int xnn_create_depth_to_space_nhwc_x32(...);
}

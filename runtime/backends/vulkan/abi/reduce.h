// SPDX-License-Identifier: Apache-2.0
#ifndef LINNET_VULKAN_ABI_REDUCE_H_
#define LINNET_VULKAN_ABI_REDUCE_H_
#include "glsl.h"
LINNET_ABI_BEGIN
// Constant 1. Of bools, all are the minimum and any is the maximum.
const uint kReduceSum = 0;
const uint kReduceMean = 1;
const uint kReduceProd = 2;
const uint kReduceMax = 3;
const uint kReduceMin = 4;
// Other constants: 2 threads that share a quad of the output, 3 whether the last dimension is
// reduced ("rows").
//
// Digits of a number are its coordinates in dimensions of the input, innermost first; strides are
// in vec4s.
struct ReducePush {
  uint quads;        // vec4s of the output
  uint out_quads;    // of a row of the output
  uint out_columns;  // elements of a row of the output, without padding
  uint columns;      // of a row of the input
  uint elements;     // that an element of the output is made of
  uint positions;    // vec4s that a vec4 ("rows": an element) of the output is made of
  uint kept[4];      // of a vec4 ("rows": an element) of the output
  uint kept_stride[4];
  uint reduced[4];  // of a position
  uint stride[4];
  uint advance[4];  // the digits of constant 2
};
LINNET_ABI_END
#endif

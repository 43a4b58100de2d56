// SPDX-License-Identifier: Apache-2.0
// Resize of integers with mode Bilinear, which makes floats.
#version 450
#include "linnet.glsl"
#include "resize.glsl"

READ_I(0, x);
WRITE_F(1, y);

#include "resize_linear.glsl"

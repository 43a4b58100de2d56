// SPDX-License-Identifier: Apache-2.0
// Resize of floats with mode Bilinear.
#version 450
#include "linnet.glsl"
#include "resize.glsl"

READ_F(0, x);
WRITE_F(1, y);

#include "resize_linear.glsl"

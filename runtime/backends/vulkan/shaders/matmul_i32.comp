// SPDX-License-Identifier: Apache-2.0
// BatchMatMul of 32-bit integers, which wrap. Padding needs no mask: its sums have only terms with a zero of b's padding.
#version 450
#include "linnet.glsl"
#include "../abi/matmul.h"

layout(push_constant) uniform Push { MatmulPush p; };
READ_I(0, a);
READ_I(1, b);
WRITE_I(2, y);

#define QUAD ivec4

ivec4 Finish(ivec4 sum, uint quad) { return sum; }

#include "matmul.glsl"

// SPDX-License-Identifier: Apache-2.0
// Several elementwise ops, each of which takes the result of the one before: an epilogue of what memory has already.
#version 450
#include "linnet.glsl"
#include "../abi/elementwise_chain.h"

layout(push_constant) uniform Push { ElementwiseChainPush p; };
READ_F(0, x);
READ_F(1, epilogue_second);
WRITE_F(2, y);
READ_F(3, epilogue_first);
#define LINNET_EPILOGUE_SECOND
#include "epilogue.glsl"

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uint quad = i % p.row_quads;
  STORE(y, i, Masked(Epilogue(LOAD(x, i), i, quad), quad, p.columns));
}

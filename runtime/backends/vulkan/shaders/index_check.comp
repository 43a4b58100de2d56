// SPDX-License-Identifier: Apache-2.0
// Looks for elements that make the run fail: see runtime/backends/vulkan/index_check.h.
#version 450
#include "linnet.glsl"
#include "../abi/index_check.h"

layout(push_constant) uniform Push { IndexCheckPush p; };
READ_I(0, x);
layout(std430, set = 0, binding = 1) buffer Binding1 { uint found[]; };

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uvec4 value = uvec4(LOAD(x, i));
  const bvec4 bad = equal(uvec4(lessThan(value, uvec4(p.count))), uvec4(p.bad_inside));
  const uvec4 alive = uvec4(IsInside(i % p.row_quads, p.columns));
  if (any(notEqual(uvec4(bad) & alive, uvec4(0u)))) atomicOr(found[0], 1u);
}

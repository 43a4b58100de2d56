// SPDX-License-Identifier: Apache-2.0
#version 450
#include "linnet.glsl"
#include "math.glsl"
#include "../abi/compare.h"

layout(constant_id = 1) const uint KIND = kCompareEqual;
layout(push_constant) uniform Push { BinaryPush p; };
#include "broadcast.glsl"
READ_F(0, in_a);
READ_F(1, in_b);
WRITE_I(2, y);

bvec4 Apply(vec4 a, vec4 b) {
  switch (KIND) {
    case kCompareEqual: return equal(a, b);
    case kCompareNotEqual: return notEqual(a, b);
    case kCompareLess: return lessThan(a, b);
    case kCompareLessEqual: return lessThanEqual(a, b);
    case kCompareGreater: return greaterThan(a, b);
    default: return greaterThanEqual(a, b);
  }
}

void main() {
  const uint i = LinearId();
  if (i >= p.quads) return;
  const uvec3 at = InputQuads(i);
  const vec4 a = SPLATTED(0, LOAD(in_a, at.x)), b = SPLATTED(1, LOAD(in_b, at.y));
  // NaN compares false, except NotEqual; compilers may turn comparisons around.
  const uvec4 unordered = uvec4(IsNan(a)) | uvec4(IsNan(b));
  const ivec4 value = mix(ivec4(Apply(a, b)), ivec4(KIND == kCompareNotEqual ? 1 : 0), bvec4(unordered));
  STORE(y, i, MaskedRow(value, i, p.row_quads, p.columns));
}

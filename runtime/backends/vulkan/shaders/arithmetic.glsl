// SPDX-License-Identifier: Apache-2.0
// The operations of abi/binary.h that take few instructions; wants math.glsl. `precise`, so that several of them in a row give what
// they give one by one: compilers may take a - a for 0, even where a is infinite.
vec4 Arithmetic(uint kind, vec4 a, vec4 b) {
  precise vec4 result = a;
  switch (kind) {
    case kBinaryAdd: result = a + b; break;
    case kBinarySub: result = a - b; break;
    case kBinaryMul: result = a * b; break;
    case kBinaryDiv: result = a / b; break;
    case kBinaryMaximum: result = KeepNan(a, KeepNan(b, mix(b, a, greaterThan(a, b)))); break;
    case kBinaryMinimum: result = KeepNan(a, KeepNan(b, mix(b, a, lessThan(a, b)))); break;
    case kBinarySquaredDifference: result = (a - b) * (a - b); break;
    case kBinaryPrelu: result = mix(b * a, a, greaterThanEqual(a, vec4(0.0))); break;
  }
  return result;
}

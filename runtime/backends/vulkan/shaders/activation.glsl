// SPDX-License-Identifier: Apache-2.0
// The functions of abi/unary.h that nets have behind convolutions and products; wants math.glsl.

vec4 SquareRootOf(vec4 v) {
  // Vulkan defines sqrt as 1 / inversesqrt, which need not keep 0 and infinity.
  const vec4 root = mix(sqrt(v), v, equal(v, vec4(0.0)));
  return mix(mix(root, v, IsInf(v)), vec4(NOT_A_NUMBER), lessThan(v, vec4(0.0)));
}

vec4 InverseRoot(vec4 v) {
  const vec4 root = mix(inversesqrt(v), CopySign(vec4(INFINITY), v), equal(v, vec4(0.0)));
  return mix(mix(root, vec4(0.0), IsInf(v)), vec4(NOT_A_NUMBER), lessThan(v, vec4(0.0)));
}

// Of the functions that are made of it, the exponential. One call for all of them, because each would be a copy in the module.
vec4 ExpIn(uint kind, vec4 v) {
  vec4 power = -v;
  if (kind == kUnaryExp) power = v;
  // v / 2 (1 + tanh(u)) = v / (1 + exp(-2 u)), u = sqrt(2 / pi) (v + 0.044715 v^3)
  if (kind == kUnaryGeluTanh) power = v * (-1.59576912 + v * v * (-1.59576912 * 0.044715));
  return Exp(power);
}

// What it gives for NaN is arbitrary. `alpha` is the slope of LeakyRelu.
vec4 Activation(uint kind, float alpha, vec4 v) {
  switch (kind) {
    case kUnaryAbs: return abs(v);
    case kUnaryNeg: return -v;
    case kUnarySquare: return v * v;
    case kUnarySqrt: return SquareRootOf(v);
    case kUnaryRsqrt: return InverseRoot(v);
    case kUnaryTanh: return Tanh(v);
    case kUnaryGeluErf: return 0.5 * v * (1.0 + Erf(v * 0.707106781));
    case kUnaryHardSwish: return v * clamp(v + 3.0, 0.0, 6.0) * (1.0 / 6.0);
    case kUnaryHardSigmoid: return clamp(v * (1.0 / 6.0) + 0.5, 0.0, 1.0);
    case kUnaryLeakyRelu: return mix(alpha * v, v, greaterThan(v, vec4(0.0)));
    case kUnaryExp:
    case kUnarySigmoid:
    case kUnaryGeluTanh:
    case kUnarySwish: {
      const vec4 e = ExpIn(kind, v);
      if (kind == kUnaryExp) return e;
      return (kind == kUnarySigmoid ? vec4(1.0) : v) / (1.0 + e);
    }
    default: return v;
  }
}

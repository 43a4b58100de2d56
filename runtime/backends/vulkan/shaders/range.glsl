// SPDX-License-Identifier: Apache-2.0
// `value` in the range [low, high]; NaN stays NaN.
vec4 InRange(vec4 value, float low, float high) {
  const vec4 raised = mix(value, vec4(low), lessThan(value, vec4(low)));
  return KeepNan(value, mix(raised, vec4(high), greaterThan(raised, vec4(high))));
}

// SPDX-License-Identifier: Apache-2.0
// How a pooling of floats takes in the elements of its window. Needs kAverage and pool2d.glsl.
vec4 First() { return vec4(kAverage ? 0.0 : uintBitsToFloat(0xff800000u)); }

vec4 Added(vec4 result, vec4 value) {
  if (kAverage) return result + value;
  return KeepNan(result, KeepNan(value, mix(result, value, greaterThan(value, result))));
}

vec4 Finished(vec4 result, Window window) {
  if (kAverage) return result / float((window.bottom - window.top) * (window.right - window.left));
  return result;
}

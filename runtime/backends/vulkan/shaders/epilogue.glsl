// SPDX-License-Identifier: Apache-2.0
// What abi/epilogue.h describes. Wants linnet.glsl and the push constants; the includer has READ_F(3, epilogue_first), and
// READ_F(1, epilogue_second) if it defines LINNET_EPILOGUE_SECOND. A shader stores each of its results once, by STORE_RESULT.
#include "math.glsl"
#include "range.glsl"
#include "../abi/epilogue.h"
#include "activation.glsl"
#include "arithmetic.glsl"

layout(constant_id = LINNET_EPILOGUE_CONSTANT) const uint CODE_0 = 0u;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 1) const float LOW_0 = 0.0;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 2) const float HIGH_0 = 0.0;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 3) const uint CODE_2 = 0u;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 4) const float LOW_2 = 0.0;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 5) const float HIGH_2 = 0.0;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 6) const uint CODE_3 = 0u;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 7) const float LOW_3 = 0.0;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 8) const float HIGH_3 = 0.0;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 9) const uint FUNCTION = 0u;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 10) const float ALPHA = 0.0;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 11) const uint FIRST = kEpilogueUnbound;
layout(constant_id = LINNET_EPILOGUE_CONSTANT + 12) const uint SECOND = kEpilogueUnbound;

// The elements of a bound tensor for quad `at` of the result, which is quad `quad` of its row.
#define BOUND(name, form, at, quad) \
  Spread(LOAD(name, form == kEpilogueSame ? at : form == kEpilogueRow ? quad : 0u), form == kEpilogueScalar)
vec4 Spread(vec4 value, bool one) { return one ? value.xxxx : value; }

// `value` behind a step. v0, v1, v2: the values before steps 0 to 2, or anything where these are not before this one.
vec4 Combined(uint code, float low, float high, vec4 value, vec4 first, vec4 second, vec4 v0, vec4 v1, vec4 v2) {
  if (code == 0u) return value;
  const uint kind = code & kEpilogueKindMask, source = code >> kEpilogueSourceShift & kEpilogueSourceMask;
  vec4 other = value;
  switch (source) {
    case kEpilogueFirst: other = first; break;
    case kEpilogueSecond: other = second; break;
    case kEpilogueValue: other = v0; break;
    case kEpilogueValue + 1u: other = v1; break;
    case kEpilogueValue + 2u: other = v2; break;
  }
  const bool swapped = (code & kEpilogueSwapped) != 0u;
  const vec4 result = Arithmetic(kind, swapped ? other : value, swapped ? value : other);
  return (code & kEpilogueRanged) != 0u ? InRange(result, low, high) : result;
}

vec4 Epilogue(vec4 v0, uint at, uint quad) {
  vec4 first = vec4(0.0), second = vec4(0.0);
  if (FIRST != kEpilogueUnbound) first = BOUND(epilogue_first, FIRST, at, quad);
#ifdef LINNET_EPILOGUE_SECOND
  if (SECOND != kEpilogueUnbound) second = BOUND(epilogue_second, SECOND, at, quad);
#endif
  const vec4 v1 = Combined(CODE_0, LOW_0, HIGH_0, v0, first, second, v0, v0, v0);
  const vec4 v2 = FUNCTION == 0u ? v1 : KeepNan(v1, Activation(FUNCTION, ALPHA, v1));
  const vec4 v3 = Combined(CODE_2, LOW_2, HIGH_2, v2, first, second, v0, v1, v2);
  return Combined(CODE_3, LOW_3, HIGH_3, v3, first, second, v0, v1, v2);
}

// Stores quad `at` of tensor `y`, which is quad `quad` of a row, from a `value` that is not yet in the shader's own range.
#define STORE_RESULT(y, at, quad, value) \
  STORE(y, at, Masked(Epilogue(InRange(value, p.min, p.max), at, quad), quad, p.columns))

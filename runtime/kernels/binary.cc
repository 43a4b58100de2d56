// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/binary.h"

#include <cmath>
#include <type_traits>

#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/isa.h"

namespace linnet::kernels {
namespace {

// libm: the functions of the f32 kinds for which isa.h has no loops, with the names of the kinds.
namespace libm {

inline float FloorMod(float a, float b) {
  const float rest = std::fmod(a, b);
  return rest != 0.0f && (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
}
inline float TruncateMod(float a, float b) { return std::fmod(a, b); }
inline float Pow(float a, float b) { return std::pow(a, b); }
inline float Atan2(float a, float b) { return std::atan2(a, b); }

}  // namespace libm

namespace i {

// Arithmetic that wraps: computed in the unsigned type.
template <typename T>
std::make_unsigned_t<T> U(T x) {
  return static_cast<std::make_unsigned_t<T>>(x);
}

template <typename T>
inline T Add(T a, T b) {
  return static_cast<T>(U(a) + U(b));
}
template <typename T>
inline T Sub(T a, T b) {
  return static_cast<T>(U(a) - U(b));
}
template <typename T>
inline T Mul(T a, T b) {
  return static_cast<T>(U(a) * U(b));
}
// The smallest integer / -1 wraps instead of trapping.
template <typename T>
inline T Div(T a, T b) {
  return b == -1 ? Sub(T{0}, a) : a / b;
}
template <typename T>
inline T TruncateDiv(T a, T b) {
  return Div(a, b);
}
template <typename T>
inline T TruncateMod(T a, T b) {
  return b == -1 ? 0 : a % b;
}
template <typename T>
inline T FloorMod(T a, T b) {
  const T rest = TruncateMod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
template <typename T>
inline T FloorDiv(T a, T b) {
  const T rest = TruncateMod(a, b);
  return Div(a, b) - (rest != 0 && (rest < 0) != (b < 0));
}
template <typename T>
inline T Maximum(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
inline T Minimum(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
inline T Pow(T a, T b) {
  T power = 1;
  for (; b > 0; b >>= 1, a = Mul(a, a)) {
    if (b & 1) power = Mul(power, a);
  }
  return power;
}
template <typename T>
inline T SquaredDifference(T a, T b) {
  return Mul(Sub(a, b), Sub(a, b));
}

}  // namespace i

namespace compare {

template <typename T>
inline bool Equal(T a, T b) {
  return a == b;
}
template <typename T>
inline bool NotEqual(T a, T b) {
  return a != b;
}
template <typename T>
inline bool Less(T a, T b) {
  return a < b;
}
template <typename T>
inline bool LessEqual(T a, T b) {
  return a <= b;
}
template <typename T>
inline bool Greater(T a, T b) {
  return a > b;
}
template <typename T>
inline bool GreaterEqual(T a, T b) {
  return a >= b;
}

}  // namespace compare

template <typename T>
void SelectAs(const uint8_t* condition, const void* a, const void* b, int64_t count, void* out) {
  const T* yes = static_cast<const T*>(a);
  const T* no = static_cast<const T*>(b);
  T* to = static_cast<T*>(out);
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) {
    const T x = yes[k], y = no[k];  // both are read, so that the loop has no branch
    to[k] = condition[k] ? x : y;
  }
}

}  // namespace

#define LINNET_DEFINE_FOR(T, Out, name, function)                      \
  void name(const T* a, const T* b, int64_t count, Out* out) {         \
    LINNET_VECTORIZE                                                   \
    for (int64_t k = 0; k < count; ++k) out[k] = function(a[k], b[k]); \
  }

#define LINNET_DEFINE(name)                                                              \
  void Binary##name(const float* a, const float* b, int64_t count, float min, float max, \
                    float* out) {                                                        \
    Isa<&BinaryKernels::name>()(a, b, count, min, max, out);                             \
  }
LINNET_BINARY_F32_VECTOR(LINNET_DEFINE)
#undef LINNET_DEFINE

#define LINNET_DEFINE(name)                                                              \
  void Binary##name(const float* a, const float* b, int64_t count, float min, float max, \
                    float* out) {                                                        \
    for (int64_t k = 0; k < count; ++k) {                                                \
      const float y = libm::name(a[k], b[k]), low = y < min ? min : y;                   \
      out[k] = low > max ? max : low;                                                    \
    }                                                                                    \
  }
LINNET_BINARY_F32_LIBM(LINNET_DEFINE)
#undef LINNET_DEFINE

#define LINNET_DEFINE(name)                                  \
  LINNET_DEFINE_FOR(int32_t, int32_t, Binary##name, i::name) \
  LINNET_DEFINE_FOR(int64_t, int64_t, Binary##name, i::name)
LINNET_BINARY_INTEGER(LINNET_DEFINE)
#undef LINNET_DEFINE

#define LINNET_DEFINE(name)                                         \
  LINNET_DEFINE_FOR(float, uint8_t, Compare##name, compare::name)   \
  LINNET_DEFINE_FOR(int32_t, uint8_t, Compare##name, compare::name) \
  LINNET_DEFINE_FOR(int64_t, uint8_t, Compare##name, compare::name)
LINNET_COMPARE(LINNET_DEFINE)
#undef LINNET_DEFINE

void BinaryLogicalAnd(const uint8_t* a, const uint8_t* b, int64_t count, uint8_t* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) out[k] = a[k] & b[k];
}

void BinaryLogicalOr(const uint8_t* a, const uint8_t* b, int64_t count, uint8_t* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) out[k] = a[k] | b[k];
}

void Select(const uint8_t* condition, const void* a, const void* b, int64_t element_bytes,
            int64_t count, void* out) {
  const auto select = element_bytes == 1   ? SelectAs<uint8_t>
                      : element_bytes == 2 ? SelectAs<uint16_t>
                      : element_bytes == 4 ? SelectAs<uint32_t>
                                           : SelectAs<uint64_t>;
  select(condition, a, b, count, out);
}

}  // namespace linnet::kernels

// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/unary.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/isa.h"

namespace linnet::kernels {
namespace {

// i: the integer kinds. Computed in the unsigned type, which wraps.
namespace i {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

template <typename T>
inline T Neg(T x) {
  return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(x));
}
template <typename T>
inline T Abs(T x) {
  return x < 0 ? Neg(x) : x;
}
template <typename T>
inline T Sign(T x) {
  return static_cast<T>((x > 0) - (x < 0));
}
template <typename T>
inline T Square(T x) {
  return static_cast<T>(static_cast<Unsigned<T>>(x) * static_cast<Unsigned<T>>(x));
}

}  // namespace i

namespace test {

constexpr float kInf = std::numeric_limits<float>::infinity();

inline uint8_t IsNan(float x) { return x != x; }
inline uint8_t IsInf(float x) { return std::fabs(x) == kInf; }
inline uint8_t IsFinite(float x) { return std::fabs(x) < kInf; }

}  // namespace test
}  // namespace

#define LINNET_DEFINE(name)                                                   \
  void Unary##name(const float* in, int64_t count, float alpha, float* out) { \
    Isa<&UnaryKernels::name>()(in, count, alpha, out);                        \
  }
LINNET_UNARY_F32(LINNET_DEFINE)
#undef LINNET_DEFINE

#define LINNET_DEFINE(name)                                          \
  void Unary##name(const int32_t* in, int64_t count, int32_t* out) { \
    LINNET_VECTORIZE                                                 \
    for (int64_t k = 0; k < count; ++k) out[k] = i::name(in[k]);     \
  }                                                                  \
  void Unary##name(const int64_t* in, int64_t count, int64_t* out) { \
    LINNET_VECTORIZE                                                 \
    for (int64_t k = 0; k < count; ++k) out[k] = i::name(in[k]);     \
  }
LINNET_UNARY_INTEGER(LINNET_DEFINE)
#undef LINNET_DEFINE

#define LINNET_DEFINE(name)                                         \
  void Unary##name(const float* in, int64_t count, uint8_t* out) {  \
    for (int64_t k = 0; k < count; ++k) out[k] = test::name(in[k]); \
  }
LINNET_UNARY_TEST(LINNET_DEFINE)
#undef LINNET_DEFINE

void UnaryLogicalNot(const uint8_t* in, int64_t count, uint8_t* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) out[k] = in[k] ^ 1;
}

void Clamp(const float* in, int64_t count, float low, float high, float* out) {
  Isa<&IsaKernels::clamp>()(in, count, low, high, out);
}

void Prelu(const float* x, const float* alpha, int64_t rows, int64_t channels, float* out) {
  Isa<&IsaKernels::prelu>()(x, alpha, rows, channels, out);
}

}  // namespace linnet::kernels

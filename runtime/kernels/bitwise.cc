// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/bitwise.h"

#include <algorithm>
#include <type_traits>

#include "runtime/kernels/independent_loops.h"

namespace linnet::kernels {
namespace {

namespace i {

template <typename T>
inline T BitwiseAnd(T a, T b) {
  return a & b;
}
template <typename T>
inline T BitwiseOr(T a, T b) {
  return a | b;
}
template <typename T>
inline T BitwiseXor(T a, T b) {
  return a ^ b;
}
template <typename T>
inline T Places(T count) {
  return std::clamp<T>(count, 0, 8 * sizeof(T) - 1);
}
template <typename T>
inline T LeftShift(T a, T b) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << Places(b));
}
template <typename T>
inline T RightShift(T a, T b) {
  return a >> Places(b);
}

}  // namespace i
}  // namespace

#define LINNET_DEFINE_FOR(T, name)                                    \
  void Binary##name(const T* a, const T* b, int64_t count, T* out) {  \
    LINNET_VECTORIZE                                                  \
    for (int64_t k = 0; k < count; ++k) out[k] = i::name(a[k], b[k]); \
  }
#define LINNET_DEFINE(name)        \
  LINNET_DEFINE_FOR(int32_t, name) \
  LINNET_DEFINE_FOR(int64_t, name)
LINNET_BITWISE(LINNET_DEFINE)
#undef LINNET_DEFINE
#undef LINNET_DEFINE_FOR

void UnaryBitwiseNot(const int32_t* in, int64_t count, int32_t* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) out[k] = ~in[k];
}

void UnaryBitwiseNot(const int64_t* in, int64_t count, int64_t* out) {
  LINNET_VECTORIZE
  for (int64_t k = 0; k < count; ++k) out[k] = ~in[k];
}

}  // namespace linnet::kernels

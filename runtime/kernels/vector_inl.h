// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set, inside the region compiled for it (see isa.h); hence no
// #pragma once. LINNET_ISA is the namespace, LINNET_ISA_AVX2 is 1 in isa_avx2.cc.

#define LINNET_INLINE inline __attribute__((always_inline))
#if defined(__clang__)
#define LINNET_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LINNET_UNROLL _Pragma("GCC unroll 16")
#endif

namespace linnet::LINNET_ISA {

#if LINNET_ISA_AVX2
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif
typedef float Vec __attribute__((vector_size(4 * kLanes)));
typedef float UnalignedVec __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

// Vector and scalar forms of the same steps: kernels are templates over V = Vec or float.
template <typename V>
LINNET_INLINE V Load(const float* p) {
  if constexpr (sizeof(V) == sizeof(float)) {
    return *p;
  } else {
    return *reinterpret_cast<const UnalignedVec*>(p);
  }
}

LINNET_INLINE void Store(float* p, Vec v) { *reinterpret_cast<UnalignedVec*>(p) = v; }
LINNET_INLINE void Store(float* p, float v) { *p = v; }

template <typename V>
LINNET_INLINE V Broadcast(float x) {
  if constexpr (sizeof(V) == sizeof(float)) {
    return x;
  } else {
    return x - V{};
  }
}

// a * b + c, rounded once where the instruction set has that.
LINNET_INLINE Vec MulAdd(Vec a, Vec b, Vec c) {
#if LINNET_ISA_AVX2
  return _mm256_fmadd_ps(a, b, c);
#elif defined(__aarch64__)
  return vfmaq_f32(c, a, b);
#else
  return a * b + c;
#endif
}
LINNET_INLINE float MulAdd(float a, float b, float c) {
#if LINNET_ISA_AVX2 || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

// NaN stays.
template <typename V>
LINNET_INLINE V ClampTo(V x, V min, V max) {
  x = x < min ? min : x;
  return x > max ? max : x;
}

}  // namespace linnet::LINNET_ISA

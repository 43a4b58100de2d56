// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set, inside the region compiled for it (see isa.h), so it has no
// #pragma once. LINNET_ISA is the namespace, LINNET_ISA_AVX2 is 1 in
// isa_avx2.cc and isa_avx512.cc, LINNET_ISA_AVX512 in isa_avx512.cc.

#define LINNET_INLINE inline __attribute__((always_inline))
// Neither inlined nor copied, to save code: GCC would make copies for the arguments of each call.
#if defined(__clang__)
#define LINNET_ONE_COPY __attribute__((noinline))
#else
#define LINNET_ONE_COPY __attribute__((noinline, noclone))
#endif
#if defined(__clang__)
#define LINNET_UNROLL _Pragma("clang loop unroll(full)")
#define LINNET_KEEP_LOOP _Pragma("clang loop unroll(disable)")
#else
#define LINNET_UNROLL _Pragma("GCC unroll 20")
#define LINNET_KEEP_LOOP _Pragma("GCC unroll 1")
#endif

namespace linnet::LINNET_ISA {

#if LINNET_ISA_AVX512
inline constexpr int kLanes = 16;
#elif LINNET_ISA_AVX2
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif
typedef float Vec __attribute__((vector_size(4 * kLanes)));
typedef uint32_t BitsVec __attribute__((vector_size(4 * kLanes)));
typedef int32_t IntVec __attribute__((vector_size(4 * kLanes)));
typedef float UnalignedVec __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

// For a value that several operations use: GCC would rather load it again for each.
LINNET_INLINE void KeepInRegister([[maybe_unused]] Vec& v) {
#if LINNET_ISA_AVX512
  __asm__("" : "+v"(v));
#elif LINNET_ISA_AVX2
  __asm__("" : "+x"(v));
#endif
}

// An address, because it may lie beyond the array that is read, where no pointer may be.
LINNET_INLINE void Prefetch(intptr_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read through it.
  __builtin_prefetch(reinterpret_cast<const void*>(address));
}

// Vector and scalar forms of the same operations: kernels are templates over V = Vec or float.
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

#if LINNET_ISA_AVX512
// The first `count` lanes, 0 <= count <= kLanes.
LINNET_INLINE __mmask16 FirstLanes(int64_t count) {
  return static_cast<__mmask16>((1u << count) - 1);
}
#endif

// The first `count` of kLanes elements at p; `padding` in the other lanes.
LINNET_INLINE Vec LoadPart(const float* p, int64_t count, float padding) {
  if (count >= kLanes) return Load<Vec>(p);
#if LINNET_ISA_AVX512
  return _mm512_mask_loadu_ps(Broadcast<Vec>(padding), FirstLanes(count), p);
#elif LINNET_ISA_AVX2
  const IntVec lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const IntVec wanted = lane < static_cast<int32_t>(count);
  const Vec x = _mm256_maskload_ps(p, reinterpret_cast<__m256i>(wanted));
  return wanted ? x : Broadcast<Vec>(padding);
#else
  float elements[kLanes];
  for (int l = 0; l < kLanes; ++l) elements[l] = l < count ? p[l] : padding;
  return Load<Vec>(elements);
#endif
}

// Stores the first `count` of kLanes lanes.
LINNET_INLINE void StorePart(float* p, Vec v, int64_t count) {
  if (count >= kLanes) return Store(p, v);
#if LINNET_ISA_AVX512
  _mm512_mask_storeu_ps(p, FirstLanes(count), v);
#else
  float elements[kLanes];
  Store(elements, v);
  const float* from = elements;
  LINNET_UNROLL for (int width = kLanes / 2; width > 0; width /= 2) {
    if ((count & width) == 0) continue;
    __builtin_memcpy(p, from, width * sizeof(float));
    p += width;
    from += width;
  }
#endif
}

// a * b + c, rounded only once if the instruction set has such an instruction.
#if LINNET_ISA_AVX2 || defined(__aarch64__)
inline constexpr bool kMulAddRoundsOnce = true;
#else
inline constexpr bool kMulAddRoundsOnce = false;
#endif
LINNET_INLINE Vec MulAdd(Vec a, Vec b, Vec c) {
#if LINNET_ISA_AVX512
  return _mm512_fmadd_ps(a, b, c);
#elif LINNET_ISA_AVX2
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

// The larger (smaller) of x and a bound; propagates NaN from x. The x86 instruction returns its
// second operand for NaN, and compilers do not always use it for x < low ? low : x.
LINNET_INLINE Vec AtLeast(Vec low, Vec x) {
#if LINNET_ISA_AVX512
  return _mm512_max_ps(low, x);
#elif LINNET_ISA_AVX2
  return _mm256_max_ps(low, x);
#elif defined(__SSE2__)
  return _mm_max_ps(low, x);
#else
  return x < low ? low : x;
#endif
}
LINNET_INLINE Vec AtMost(Vec high, Vec x) {
#if LINNET_ISA_AVX512
  return _mm512_min_ps(high, x);
#elif LINNET_ISA_AVX2
  return _mm256_min_ps(high, x);
#elif defined(__SSE2__)
  return _mm_min_ps(high, x);
#else
  return x > high ? high : x;
#endif
}
LINNET_INLINE Vec ClampTo(Vec x, Vec min, Vec max) { return AtMost(max, AtLeast(min, x)); }
LINNET_INLINE float ClampTo(float x, float min, float max) {
  x = x < min ? min : x;
  return x > max ? max : x;
}

// Whether a equals b in all lanes; a NaN does not.
LINNET_INLINE bool AllEqual(Vec a, Vec b) {
#if LINNET_ISA_AVX512
  return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ) == 0xffff;
#elif LINNET_ISA_AVX2
  return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_EQ_OQ)) == 0xff;
#elif defined(__SSE2__)
  return _mm_movemask_ps(_mm_cmpeq_ps(a, b)) == 0xf;
#elif defined(__aarch64__)
  return vminvq_u32(vceqq_f32(a, b)) != 0;
#else
  typedef uint64_t Words __attribute__((vector_size(16)));
  const Words same = reinterpret_cast<Words>(a == b);
  return (same[0] & same[1]) == ~uint64_t{0};
#endif
}

LINNET_INLINE Vec SquareRoot(Vec x) {
#if LINNET_ISA_AVX512
  return _mm512_sqrt_ps(x);
#elif LINNET_ISA_AVX2
  return _mm256_sqrt_ps(x);
#elif defined(__SSE2__)
  return _mm_sqrt_ps(x);
#elif defined(__aarch64__)
  return vsqrtq_f32(x);
#else
  for (int i = 0; i < kLanes; ++i) x[i] = __builtin_sqrtf(x[i]);
  return x;
#endif
}

LINNET_INLINE BitsVec AsBits(Vec x) { return reinterpret_cast<BitsVec>(x); }
LINNET_INLINE Vec AsFloats(BitsVec x) { return reinterpret_cast<Vec>(x); }

LINNET_INLINE Vec Abs(Vec x) { return AsFloats(AsBits(x) & 0x7fffffffu); }
LINNET_INLINE Vec MinusAbs(Vec x) { return AsFloats(AsBits(x) | 0x80000000u); }
LINNET_INLINE Vec CopySign(Vec magnitude, Vec sign) {
  return AsFloats((AsBits(magnitude) & 0x7fffffffu) | (AsBits(sign) & 0x80000000u));
}

}  // namespace linnet::LINNET_ISA

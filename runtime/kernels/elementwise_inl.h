// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.
//
// Loops over functions of vectors. An element gives the same bits at any position, because the rest
// of a row goes through the same operations in a padded vector.

namespace linnet::LINNET_ISA {

// Vectors per step, which are loaded together and stored together. Where the data are not in the
// core's own cache, loads and stores of AVX-512 that alternate line by line take a fifth longer
// (AMD Zen 4). Small ARM cores need independent operations within a step; CPUs that execute out of
// order run the turns of a loop side by side.
#if defined(__aarch64__)
inline constexpr int kStepVecs = 4, kLongStepVecs = 4;
inline constexpr bool kUnrollsLong = true;
#else
#if LINNET_ISA_AVX512
inline constexpr int kStepVecs = 4, kLongStepVecs = 4;
#elif LINNET_ISA_AVX2
inline constexpr int kStepVecs = 2, kLongStepVecs = 1;
#else
inline constexpr int kStepVecs = 1, kLongStepVecs = 1;
#endif
inline constexpr bool kUnrollsLong = false;
#endif

template <int kVecs, bool kUnrolls, typename F, typename... In>
LINNET_INLINE void MapSteps(const F& f, int64_t count, float* out, const In*... in) {
  constexpr int kStep = kVecs * kLanes;
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    Vec y[kVecs];
    if constexpr (kUnrolls) {
      LINNET_UNROLL for (int v = 0; v < kVecs; ++v) y[v] = f(Load<Vec>(in + i + v * kLanes)...);
    } else {
      LINNET_KEEP_LOOP for (int v = 0; v < kVecs; ++v) y[v] = f(Load<Vec>(in + i + v * kLanes)...);
    }
    LINNET_UNROLL for (int v = 0; v < kVecs; ++v) Store(out + i + v * kLanes, y[v]);
  }
  for (; i < count; i += kLanes)
    StorePart(out + i, f(LoadPart(in + i, count - i, 0.0f)...), count - i);
}

// out[i] = f(in[0][i], ...). out may be one of in.
template <typename F, typename... In>
LINNET_INLINE void Map(const F& f, int64_t count, float* out, const In*... in) {
  MapSteps<kStepVecs, true>(f, count, out, in...);
}

// The same for functions whose code would be too large several times.
template <typename F>
LINNET_INLINE void MapLong(const F& f, int64_t count, float* out, const float* in) {
  MapSteps<kLongStepVecs, kUnrollsLong>(f, count, out, in);
}

}  // namespace linnet::LINNET_ISA

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

// One step: reads and stores kVecs vectors. If it is not unrolled, it reads only the first `vecs`
// >= 1 and stores zeros for the others.
template <int kVecs, bool kUnrolls, typename F, typename... In>
LINNET_INLINE void MapStep(const F& f, int64_t vecs, float* out, const In*... in) {
  Vec y[kVecs];
  if constexpr (kUnrolls || kVecs == 1) {
    LINNET_UNROLL for (int v = 0; v < kVecs; ++v) y[v] = f(Load<Vec>(in + v * kLanes)...);
  } else {
    if (vecs < 1) __builtin_unreachable();  // so that constants are loaded once for all steps
    LINNET_KEEP_LOOP for (int64_t v = 0; v < vecs; ++v) y[v] = f(Load<Vec>(in + v * kLanes)...);
    LINNET_KEEP_LOOP for (int64_t v = vecs; v < kVecs; ++v) y[v] = Vec{};
  }
  LINNET_UNROLL for (int v = 0; v < kVecs; ++v) Store(out + v * kLanes, y[v]);
}

// out[i] = f(in[0][i], ...). out may be one of in.
template <typename F, typename... In>
LINNET_INLINE void Map(const F& f, int64_t count, float* out, const In*... in) {
  constexpr int64_t kStep = kStepVecs * kLanes;
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep)
    MapStep<kStepVecs, true>(f, kStepVecs, out + i, (in + i)...);
  for (; i < count; i += kLanes)
    StorePart(out + i, f(LoadPart(in + i, count - i, 0.0f)...), count - i);
}

// For functions whose code would be too large several times, the loop exists once and is called for
// what does not fill a step too, padded.

// MapStep for `steps` steps. `function` is an F.
using LongSteps = void (*)(const void* function, int64_t steps, int64_t vecs, float* out,
                           const float* in);
template <typename F>
LINNET_ONE_COPY void MapLongSteps(const void* function, int64_t steps, int64_t vecs, float* out,
                                  const float* in) {
  const F f = *static_cast<const F*>(function);
  constexpr int64_t kStep = kLongStepVecs * kLanes;
  for (int64_t i = 0; i < steps * kStep; i += kStep)
    MapStep<kLongStepVecs, kUnrollsLong>(f, vecs, out + i, in + i);
}

LINNET_ONE_COPY inline void PadToSteps(LongSteps map, const void* function, int64_t count,
                                       float* out, const float* in) {
  constexpr int64_t kStep = kLongStepVecs * kLanes;
  const int64_t steps = count / kStep, whole = steps * kStep, rest = count - whole;
  if (steps > 0) map(function, steps, kLongStepVecs, out, in);
  if (rest <= 0) return;
  const size_t bytes = static_cast<size_t>(rest) * sizeof(float);
  float padded[kStep] = {};
  __builtin_memcpy(padded, in + whole, bytes);
  map(function, 1, (rest + kLanes - 1) / kLanes, padded, padded);
  __builtin_memcpy(out + whole, padded, bytes);
}

template <typename F>
LINNET_INLINE void MapLong(const F& f, int64_t count, float* out, const float* in) {
  PadToSteps(MapLongSteps<F>, &f, count, out, in);
}

}  // namespace linnet::LINNET_ISA

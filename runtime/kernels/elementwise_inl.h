// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h.
//
// Loops over functions of vectors. An element gives the same bits at any position, because the rest
// of a row goes through the same operations in a padded vector.

namespace linnet::LINNET_ISA {

// Vectors per step. x86 CPUs execute several steps out of order; small ARM cores need independent
// operations within a step.
#if defined(__aarch64__)
inline constexpr int kStepVecs = 4;
#else
inline constexpr int kStepVecs = 1;
#endif
inline constexpr int kStep = kStepVecs * kLanes;

// out[i] = f(in[0][i], ...). out may be one of in.
template <typename F, typename... In>
LINNET_INLINE void Map(const F& f, int64_t count, float* out, const In*... in) {
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    Vec y[kStepVecs];
    LINNET_UNROLL for (int v = 0; v < kStepVecs; ++v) y[v] = f(Load<Vec>(in + i + v * kLanes)...);
    LINNET_UNROLL for (int v = 0; v < kStepVecs; ++v) Store(out + i + v * kLanes, y[v]);
  }
  for (; i < count; i += kLanes)
    StorePart(out + i, f(LoadPart(in + i, count - i, 0.0f)...), count - i);
}

}  // namespace linnet::LINNET_ISA

// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/fma_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include "runtime/core/instruction_set.h"

namespace linnet::tools {
namespace {

#if defined(__clang__)
#define LINNET_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LINNET_UNROLL _Pragma("GCC unroll 24")
#endif

constexpr int64_t kRounds = 2000;
// Sums that do not wait for one another. Each CPU known begins fewer multiply-adds in the time that
// one takes; there is a register for each sum and for both factors.
#if defined(__aarch64__)
constexpr int kSums = 24;
#else
constexpr int kSums = 12;
#endif

typedef float Floats4 __attribute__((vector_size(16)));

// The body of a loop, a macro because a template is not compiled for the instructions of the
// function that it becomes part of. Sums go to 1, so that they are never denormal. The compiler
// must not know where they begin: it would compute equal ones once.
#define LINNET_FMA_LOOP(Vec, MULTIPLY_ADD)                               \
  Vec sums[kSums] = {};                                                  \
  const Vec factor = Vec{} + 0.5f, addend = Vec{} + 0.5f;                \
  __asm__ volatile("" : "+m"(sums));                                     \
  for (int64_t round = 0; round < kRounds; ++round) {                    \
    LINNET_UNROLL for (int i = 0; i < kSums; ++i) {                      \
      sums[i] = MULTIPLY_ADD(sums[i], factor, addend);                   \
    }                                                                    \
  }                                                                      \
  __asm__ volatile("" : : "m"(sums)); /* or nothing would be computed */ \
  return 2 * kRounds * kSums * static_cast<int64_t>(sizeof(Vec) / sizeof(float));

#if defined(__aarch64__)
#define LINNET_MULTIPLY_ADD(a, b, c) vfmaq_f32(c, a, b)
#elif defined(__ARM_NEON)
#define LINNET_MULTIPLY_ADD(a, b, c) vmlaq_f32(c, a, b)
#else
#define LINNET_MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif
int64_t BaselineLoop() { LINNET_FMA_LOOP(Floats4, LINNET_MULTIPLY_ADD) }

#if defined(__x86_64__)
typedef float Floats8 __attribute__((vector_size(32)));
typedef float Floats16 __attribute__((vector_size(64)));
__attribute__((target("avx,fma"))) int64_t Fma3Loop() { LINNET_FMA_LOOP(Floats8, _mm256_fmadd_ps) }
__attribute__((target("avx512f"))) int64_t Avx512Loop() {
  LINNET_FMA_LOOP(Floats16, _mm512_fmadd_ps)
}
#endif

}  // namespace

std::vector<FmaLoop> AllowedFmaLoops() {
  std::vector<FmaLoop> loops = {BaselineLoop};
#if defined(__x86_64__)
  const InstructionSet allowed = ChosenInstructionSet().set;
  if (allowed >= InstructionSet::kFma3) loops.push_back(Fma3Loop);
  if (allowed >= InstructionSet::kAvx512f) loops.push_back(Avx512Loop);
#endif
  return loops;
}

}  // namespace linnet::tools

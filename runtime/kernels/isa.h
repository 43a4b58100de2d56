// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/kernels/binary.h"
#include "runtime/kernels/depthwise_conv2d.h"
#include "runtime/kernels/gemm.h"
#include "runtime/kernels/unary.h"
#include "runtime/kernels/winograd_conv2d.h"

// Inner loops that exist once per instruction set. Their source is in *_inl.h and uses the type Vec
// of simd_inl.h; isa_baseline.cc and isa_avx2.cc compile it for one instruction set each, and
// Isa<>() chooses. To add a loop: a member here, its source in an *_inl.h, two lines in
// isa_table_inl.h.
#if defined(__x86_64__) && defined(__GNUC__)
#define LINNET_HAS_AVX2_KERNELS 1
#else
#define LINNET_HAS_AVX2_KERNELS 0
#endif

namespace linnet::kernels {

// Members have the names of the kinds and do the same as the functions of unary.h and binary.h.
#define LINNET_MEMBER(name) void (*name)(const float* in, int64_t count, float alpha, float* out);
struct UnaryKernels {
  LINNET_UNARY_F32_VECTOR(LINNET_MEMBER)
};
#undef LINNET_MEMBER

#define LINNET_MEMBER(name) \
  void (*name)(const float* a, const float* b, int64_t count, float min, float max, float* out);
struct BinaryKernels {
  LINNET_BINARY_F32_VECTOR(LINNET_MEMBER)
};
#undef LINNET_MEMBER

struct IsaKernels {
  void (*gemm)(const GemmBlock& block);
  void (*depthwise_row)(const DepthwiseRow& row);
  void (*winograd_in)(const WinogradIn& tile);
  void (*winograd_out)(const WinogradOut& tile);
  UnaryKernels unary;
  BinaryKernels binary;
  void (*clamp)(const float* in, int64_t count, float low, float high, float* out);
  void (*prelu)(const float* x, const float* alpha, int64_t count, float* out);
  void (*softmax_row)(const float* in, int64_t cols, float* out);
  void (*log_softmax_row)(const float* in, int64_t cols, float* out);
};

}  // namespace linnet::kernels

// isa_baseline::kKernels and isa_avx2::kKernels.
#define LINNET_ISA isa_baseline
#include "runtime/kernels/isa_table_inl.h"
#undef LINNET_ISA
#if LINNET_HAS_AVX2_KERNELS
#define LINNET_ISA isa_avx2
#include "runtime/kernels/isa_table_inl.h"
#undef LINNET_ISA
#endif

namespace linnet::kernels {

// Whether the loops of isa_avx2 are for this CPU, and within the set that LINNET_ISA names
// (instruction_set.h). The same in every thread, so results do not depend on how work is divided.
bool PrefersAvx2();

template <typename Loop>
constexpr Loop LoopOf(const IsaKernels& set, Loop IsaKernels::*member) {
  return set.*member;
}
template <typename Loop>
constexpr Loop LoopOf(const IsaKernels& set, Loop UnaryKernels::*member) {
  return set.unary.*member;
}
template <typename Loop>
constexpr Loop LoopOf(const IsaKernels& set, Loop BinaryKernels::*member) {
  return set.binary.*member;
}

// The preferred form of one loop: Isa<&IsaKernels::gemm>(), Isa<&UnaryKernels::Exp>(). The tables
// are read when this is compiled, so that a program contains only the loops that its kernels name.
template <auto kMember>
inline auto Isa() {
  constexpr auto baseline = LoopOf(isa_baseline::kKernels, kMember);
#if LINNET_HAS_AVX2_KERNELS
  constexpr auto avx2 = LoopOf(isa_avx2::kKernels, kMember);
  if (PrefersAvx2()) return avx2;
#endif
  return baseline;
}

// Whole tables, for tests: the loops that every CPU of the target can run, and the preferred ones.
inline const IsaKernels& BaselineIsa() { return isa_baseline::kKernels; }
inline const IsaKernels& PreferredIsa() {
#if LINNET_HAS_AVX2_KERNELS
  if (PrefersAvx2()) return isa_avx2::kKernels;
#endif
  return isa_baseline::kKernels;
}

}  // namespace linnet::kernels

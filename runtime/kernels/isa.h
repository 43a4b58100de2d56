// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "runtime/core/instruction_set.h"
#include "runtime/kernels/binary.h"
#include "runtime/kernels/depthwise_conv2d.h"
#include "runtime/kernels/gemm.h"
#include "runtime/kernels/in_order_cores.h"
#include "runtime/kernels/pool2d.h"
#include "runtime/kernels/unary.h"
#include "runtime/kernels/winograd_conv2d.h"

// Inner loops that exist once per instruction set. Their source is in *_inl.h and uses the type Vec
// of simd_inl.h; isa_baseline.cc, isa_avx2.cc and isa_avx512.cc compile it for one instruction set
// each, and Isa<>() chooses. To add a loop: a member here, its source in an *_inl.h, two lines in
// isa_table_inl.h.

namespace linnet::kernels {

// Members have the names of the kinds and do the same as the functions of unary.h and binary.h.
#define LINNET_MEMBER(name) void (*name)(const float* in, int64_t count, float alpha, float* out);
struct UnaryKernels {
  LINNET_UNARY_F32(LINNET_MEMBER)
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
  // Of blocks with encoded halves or bytes; null in sets that decode them slowly.
  void (*half_product)(const GemmBlock& block);
  void (*affine_product)(const GemmBlock& block);
  void (*point_to_rows)(const float* first, int64_t step, int64_t count, const float** rows);
  void (*depthwise_row)(const DepthwiseRow& row);
  // out[i] = low[i] + (high[i] - low[i]) * weight
  void (*interpolate)(const float* low, const float* high, float weight, int64_t count, float* out);
  void (*max_of_windows)(const PoolWindows<float>& windows);
  void (*mean_of_windows)(const PoolWindows<float>& windows);
  void (*winograd_in)(const WinogradIn& tile);
  void (*winograd_out)(const WinogradOut& tile);
  void (*winograd_filter)(const WinogradFilter& filter);
  UnaryKernels unary;
  BinaryKernels binary;
  void (*clamp)(const float* in, int64_t count, float low, float high, float* out);
  void (*prelu)(const float* x, const float* alpha, int64_t rows, int64_t channels, float* out);
  // Softmax of rows, or its logarithm; out may be in.
  void (*softmax_rows)(const float* in, int64_t rows, int64_t cols, bool log, float* out);
};

}  // namespace linnet::kernels

// LINNET_ISA_DECODES: whether a set has the loops for encoded weights.
#if defined(__aarch64__)
#define LINNET_BASELINE_DECODES 1
#else
#define LINNET_BASELINE_DECODES 0
#endif
// isa_baseline::kKernels, isa_avx2::kKernels and isa_avx512::kKernels.
#if LINNET_HAS_BASELINE_KERNELS
#define LINNET_ISA isa_baseline
#define LINNET_ISA_DECODES LINNET_BASELINE_DECODES
#include "runtime/kernels/isa_table_inl.h"
#undef LINNET_ISA_DECODES
#undef LINNET_ISA
#endif
#if LINNET_HAS_AVX2_KERNELS
#define LINNET_ISA isa_avx2
#define LINNET_ISA_DECODES 1
#include "runtime/kernels/isa_table_inl.h"
#undef LINNET_ISA_DECODES
#undef LINNET_ISA
#endif
#if LINNET_HAS_AVX512_KERNELS
#define LINNET_ISA isa_avx512
#define LINNET_ISA_DECODES 1
#include "runtime/kernels/isa_table_inl.h"
#undef LINNET_ISA_DECODES
#undef LINNET_ISA
#endif

namespace linnet::kernels {

// The tables of kLoopSets.
inline constexpr const IsaKernels* kIsaTables[] = {
#if LINNET_HAS_BASELINE_KERNELS
    &isa_baseline::kKernels,
#endif
#if LINNET_HAS_AVX2_KERNELS
    &isa_avx2::kKernels,
#endif
#if LINNET_HAS_AVX512_KERNELS
    &isa_avx512::kKernels,
#endif
};
static_assert(std::size(kIsaTables) == std::size(kLoopSets));

#if LINNET_HAS_FP16_KERNELS
#if defined(__aarch64__)
inline constexpr auto kProductInHalves = isa_baseline::ProductInHalves;
#else
inline constexpr auto kProductInHalves = isa_avx512::ProductInHalves;
#endif
#endif

// The largest of kLoopSets that this CPU has, within the set that LINNET_ISA names
// (instruction_set.h). The same in every thread, so results do not depend on how work is divided.
size_t ChosenLoops();

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

// All forms of one loop. The tables are read when this is compiled, so that a program contains only
// the loops that its kernels name.
template <auto kMember>
inline constexpr auto kLoopForms = [] {
  std::array<decltype(LoopOf(*kIsaTables[0], kMember)), std::size(kIsaTables)> forms;
  for (size_t i = 0; i < forms.size(); ++i) forms[i] = LoopOf(*kIsaTables[i], kMember);
  return forms;
}();

// The preferred form of one loop: Isa<&IsaKernels::gemm>(), Isa<&UnaryKernels::Exp>().
template <auto kMember>
inline auto Isa() {
  if constexpr (std::size(kIsaTables) == 1) {
    return kLoopForms<kMember>[0];
  } else {
    return kLoopForms<kMember>[ChosenLoops()];
  }
}

}  // namespace linnet::kernels

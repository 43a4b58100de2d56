// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/kernels/binary.h"
#include "runtime/kernels/depthwise_conv2d.h"
#include "runtime/kernels/gemm.h"
#include "runtime/kernels/unary.h"

// Inner loops that exist once per instruction set. Their source is in *_inl.h and uses the type Vec
// of simd_inl.h; isa_baseline.cc and isa_avx2.cc compile it for one instruction set each, and
// Isa() chooses. To add a loop: a member here, its source in an *_inl.h, a line in isa_inl.h.
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
  UnaryKernels unary;
  BinaryKernels binary;
  void (*clamp)(const float* in, int64_t count, float low, float high, float* out);
  void (*prelu)(const float* x, const float* alpha, int64_t count, float* out);
  void (*softmax_row)(const float* in, int64_t cols, float* out);
  void (*log_softmax_row)(const float* in, int64_t cols, float* out);
};

// The loops for this CPU, or for the set that LINNET_ISA names (instruction_set.h). They are the
// same in every thread, so results do not depend on how work is divided.
const IsaKernels& Isa();

// The loops that every CPU of the target can run, for tests.
const IsaKernels& BaselineIsa();

}  // namespace linnet::kernels

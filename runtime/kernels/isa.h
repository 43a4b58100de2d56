// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/kernels/depthwise_conv2d.h"
#include "runtime/kernels/gemm.h"

// Inner loops that exist once per instruction set. Their source is in *_inl.h, written with the
// Vec type of vector_inl.h; isa_baseline.cc and isa_avx2.cc compile it for what each may use.
#if defined(__x86_64__) && defined(__GNUC__)
#define LINNET_HAS_AVX2_KERNELS 1
#else
#define LINNET_HAS_AVX2_KERNELS 0
#endif

namespace linnet::kernels {

struct IsaKernels {
  void (*gemm)(const GemmBlock& block);
  void (*depthwise_row)(const DepthwiseRow& row);
};

// The set for the CPU that runs this. The same one in every thread, so results do not depend on
// how work is split.
const IsaKernels& Isa();

// The set that any CPU of the target can run, for tests.
const IsaKernels& BaselineIsa();

}  // namespace linnet::kernels

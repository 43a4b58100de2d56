// SPDX-License-Identifier: Apache-2.0
// The inner loops for what every CPU of the target has, and the choice between the sets.
#include "runtime/kernels/isa.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#define LINNET_ISA isa_baseline
#define LINNET_ISA_AVX2 0
#include "runtime/kernels/vector_inl.h"
//
#include "runtime/kernels/depthwise_conv2d_inl.h"
#include "runtime/kernels/gemm_inl.h"

namespace linnet::kernels {

#if LINNET_HAS_AVX2_KERNELS
extern const IsaKernels kAvx2Kernels;
#endif

namespace {
constexpr IsaKernels kBaselineKernels = {isa_baseline::Gemm, isa_baseline::DepthwiseOutputRow};
}  // namespace

const IsaKernels& BaselineIsa() { return kBaselineKernels; }

const IsaKernels& Isa() {
#if LINNET_HAS_AVX2_KERNELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2Kernels;
#endif
  return kBaselineKernels;
}

}  // namespace linnet::kernels

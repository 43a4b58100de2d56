// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. All loops of one instruction set, and their table.
#include "runtime/kernels/simd_inl.h"
#include "runtime/kernels/vector_math_inl.h"
//
#include "runtime/kernels/elementwise_inl.h"
//
#include "runtime/kernels/binary_inl.h"
#include "runtime/kernels/depthwise_conv2d_inl.h"
#include "runtime/kernels/gemm_inl.h"
#include "runtime/kernels/normalize_inl.h"
#include "runtime/kernels/unary_inl.h"

namespace linnet::LINNET_ISA {

#define LINNET_UNARY(name) .name = Unary##name,
#define LINNET_BINARY(name) .name = Binary##name,
inline constexpr kernels::IsaKernels kKernels = {
    .gemm = Gemm,
    .depthwise_row = DepthwiseOutputRow,
    .unary = {LINNET_UNARY_F32_VECTOR(LINNET_UNARY)},
    .binary = {LINNET_BINARY_F32_VECTOR(LINNET_BINARY)},
    .clamp = Clamp,
    .prelu = Prelu,
    .softmax_row = SoftmaxRow,
    .log_softmax_row = LogSoftmaxRow,
};
#undef LINNET_UNARY
#undef LINNET_BINARY

}  // namespace linnet::LINNET_ISA

// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set: see isa.h. The source of all loops of one instruction set.
#include "runtime/kernels/simd_inl.h"
#include "runtime/kernels/vector_math_inl.h"
//
#include "runtime/kernels/elementwise_inl.h"
//
#include "runtime/kernels/binary_inl.h"
#if LINNET_ISA_AVX2 || defined(__aarch64__)  // elsewhere there are too few registers
#include "runtime/kernels/depthwise_lanes_inl.h"
//
#include "runtime/kernels/depthwise_window_inl.h"
#endif
//
#if LINNET_ISA_AVX512
#include "runtime/kernels/gemm_avx512_inl.h"
#else
#include "runtime/kernels/gemm_inl.h"
#endif
//
#include "runtime/kernels/depthwise_conv2d_inl.h"
#include "runtime/kernels/encoded_product_inl.h"
#if defined(__aarch64__)
#include "runtime/kernels/half_sums_neon_inl.h"
#elif LINNET_ISA_AVX512 && LINNET_HAS_FP16_KERNELS
#include "runtime/kernels/half_sums_avx512_inl.h"
#endif
//
#include "runtime/kernels/normalize_inl.h"
#include "runtime/kernels/pool2d_inl.h"
#include "runtime/kernels/resize_inl.h"
#include "runtime/kernels/row_pointers_inl.h"
#include "runtime/kernels/sine_inl.h"
#include "runtime/kernels/unary_inl.h"
#include "runtime/kernels/winograd_conv2d_inl.h"

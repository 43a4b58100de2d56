// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/core/dtype.h"
#include "runtime/core/parallel.h"

namespace linnet::kernels {

// Position of output pixel x in the input, as TensorFlow computes it.
enum class ResizeSampling {
  kLegacy,        // x * scale
  kAlignCorners,  // x * (in - 1) / (out - 1)
  kHalfPixel,     // (x + 0.5) * scale - 0.5
};

struct ResizeJob {
  ResizeSampling sampling;
  int64_t batch, in_h, in_w, channels, out_h, out_w;  // NHWC; in_h, in_w, out_h, out_w >= 1
};

// Bytes of temporary memory that ResizeBilinear and ResizeNearest need with `threads` threads.
int64_t ResizeBilinearScratch(const ResizeJob& job, int threads);
int64_t ResizeNearestScratch(const ResizeJob& job);

// in: f32, u8, i8, i16, u16, i32 -> out: f32.  scratch: aligned to 64 bytes.
void ResizeBilinear(const ResizeJob& job, DType dtype, const void* in, float* out, void* scratch,
                    const Parallel& parallel);

// Copies pixels of channels * element_bytes bytes.  scratch: aligned to 64 bytes.
void ResizeNearest(const ResizeJob& job, int64_t element_bytes, const void* in, void* out,
                   void* scratch, const Parallel& parallel);

}  // namespace linnet::kernels

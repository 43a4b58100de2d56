// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/kernels/resize.h"

namespace linnet::kernels {

int64_t ResizeBicubicScratch(const ResizeJob& job, int threads);

// Four taps per axis, like TensorFlow's ResizeBicubic: positions are rounded to 1/1024 pixel. With
// kHalfPixel the filter is Keys' (a = -0.5) and taps outside the image are ignored; otherwise a =
// -0.75 and the border is repeated. scratch: aligned to 64 bytes.
void ResizeBicubic(const ResizeJob& job, const float* in, float* out, void* scratch,
                   const Parallel& parallel);

}  // namespace linnet::kernels

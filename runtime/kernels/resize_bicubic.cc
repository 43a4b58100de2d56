// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/resize_bicubic.h"

#include <cmath>
#include <limits>

#include "runtime/kernels/independent_loops.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // output elements worth a thread
constexpr float kSteps = 1024.0f;    // positions within a pixel

struct Taps {
  int64_t index[4];
  float weight[4];
};

float Scale(ResizeSampling sampling, int64_t in, int64_t out) {
  if (sampling == ResizeSampling::kAlignCorners && out > 1)
    return static_cast<float>(in - 1) / static_cast<float>(out - 1);
  return static_cast<float>(in) / static_cast<float>(out);
}

// The cubic filter at distance x (0..1, 1..2) from its centre.
float Near(double a, float x) { return static_cast<float>(((a + 2) * x - (a + 3)) * x * x + 1); }
float Far(double a, float x) {
  return static_cast<float>(((a * x - 5 * a) * x + 8 * a) * x - 4 * a);
}

Taps TapsAt(ResizeSampling sampling, float scale, int64_t size, int64_t x) {
  const bool half_pixel = sampling == ResizeSampling::kHalfPixel;
  const float position =
      half_pixel ? (static_cast<float>(x) + 0.5f) * scale - 0.5f : static_cast<float>(x) * scale;
  const float floor = std::floor(position);
  const float delta = std::nearbyint((position - floor) * kSteps) / kSteps;
  const double a = half_pixel ? -0.5 : -0.75;
  Taps taps = {{}, {Far(a, delta + 1), Near(a, delta), Near(a, 1 - delta), Far(a, 2 - delta)}};
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) {
    const int64_t wanted = static_cast<int64_t>(floor) + k - 1;
    taps.index[k] = std::clamp<int64_t>(wanted, 0, size - 1);
    if (half_pixel && taps.index[k] != wanted) taps.weight[k] = 0.0f;
    sum += taps.weight[k];
  }
  if (half_pixel && std::fabs(sum) >= 1000.0f * std::numeric_limits<float>::min()) {
    const float inverse = 1.0f / sum;
    for (float& weight : taps.weight) weight *= inverse;
  }
  return taps;
}

int64_t TapsBytes(const ResizeJob& job) { return AlignedBytes<Taps>(job.out_w); }
int64_t RowBytes(const ResizeJob& job) {
  return AlignedBytes<float>(SaturatingMul(job.in_w, job.channels));
}

// Output row `r`, counted over the batch; `row` holds one input row.
void Row(const ResizeJob& job, const float* in, const Taps* columns, int64_t r, float* row,
         float* out) {
  const int64_t in_row = job.in_w * job.channels;
  const Taps rows =
      TapsAt(job.sampling, Scale(job.sampling, job.in_h, job.out_h), job.in_h, r % job.out_h);
  const float* image = in + r / job.out_h * job.in_h * in_row;
  const float* from[4];
  for (int k = 0; k < 4; ++k) from[k] = image + rows.index[k] * in_row;
  LINNET_VECTORIZE
  for (int64_t i = 0; i < in_row; ++i)
    row[i] = from[0][i] * rows.weight[0] + from[1][i] * rows.weight[1] +
             from[2][i] * rows.weight[2] + from[3][i] * rows.weight[3];
  for (int64_t x = 0; x < job.out_w; ++x) {
    const Taps& taps = columns[x];
    for (int64_t c = 0; c < job.channels; ++c, ++out) {
      const float* pixel = row + c;
      *out = 0.0f;
      for (int k = 0; k < 4; ++k) *out += pixel[taps.index[k] * job.channels] * taps.weight[k];
    }
  }
}

}  // namespace

int64_t ResizeBicubicScratch(const ResizeJob& job, int threads) {
  return SaturatingAdd(TapsBytes(job), SaturatingMul(threads, RowBytes(job)));
}

void ResizeBicubic(const ResizeJob& job, const float* in, float* out, void* scratch,
                   const Parallel& parallel) {
  auto* columns = static_cast<Taps*>(scratch);
  const float scale = Scale(job.sampling, job.in_w, job.out_w);
  for (int64_t x = 0; x < job.out_w; ++x) columns[x] = TapsAt(job.sampling, scale, job.in_w, x);
  auto* slots = static_cast<uint8_t*>(scratch) + TapsBytes(job);
  const int64_t rows = job.batch * job.out_h, out_row = job.out_w * job.channels;
  if (rows * out_row == 0) return;
  const int64_t used = std::min<int64_t>({parallel.threads, rows, CeilDiv(rows * out_row, kGrain)});
  ParallelRanges(parallel, used, 1, [&](int64_t first, int64_t last) {
    Questions questions(parallel);
    for (int64_t slot = first; slot < last; ++slot) {
      auto* row = reinterpret_cast<float*>(slots + slot * RowBytes(job));
      for (int64_t r = rows * slot / used; r < rows * (slot + 1) / used; ++r) {
        if (questions.Stop(4 * (job.in_w * job.channels + out_row))) return;
        Row(job, in, columns, r, row, out + r * out_row);
      }
    }
  });
}

}  // namespace linnet::kernels

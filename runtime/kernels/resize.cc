// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/resize.h"

#include <cmath>
#include <cstring>

#include "runtime/kernels/cast.h"
#include "runtime/kernels/isa.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;  // output elements worth a thread

// TensorFlow's CalculateResizeScale, with the same float operations, because their rounding decides
// which pixel is taken.
float Scale(ResizeSampling sampling, int64_t in, int64_t out) {
  if (sampling == ResizeSampling::kAlignCorners && out > 1)
    return static_cast<float>(in - 1) / static_cast<float>(out - 1);
  return static_cast<float>(in) / static_cast<float>(out);
}

struct Tap {
  int64_t low, high;
  float weight;  // of `high`
};

Tap BilinearTap(ResizeSampling sampling, float scale, int64_t in_size, int64_t x) {
  const float in = sampling == ResizeSampling::kHalfPixel
                       ? (static_cast<float>(x) + 0.5f) * scale - 0.5f
                       : static_cast<float>(x) * scale;
  const float floor = std::floor(in);
  const int64_t high = std::min(static_cast<int64_t>(std::ceil(in)), in_size - 1);
  const int64_t low = std::min(std::max(static_cast<int64_t>(floor), int64_t{0}), high);
  return {low, high, in - floor};
}

int64_t NearestSource(ResizeSampling sampling, float scale, int64_t in_size, int64_t x) {
  float in = static_cast<float>(x) * scale;
  if (sampling == ResizeSampling::kHalfPixel) in = (static_cast<float>(x) + 0.5f) * scale;
  const float whole = sampling == ResizeSampling::kAlignCorners ? std::round(in) : std::floor(in);
  return std::min(static_cast<int64_t>(whole), in_size - 1);
}

// An output column: element offsets of its two input pixels within a row.
struct Column {
  int64_t low, high;
  float weight;
};

// out[x] = low + (high - low) * weight for the columns of one row, kC channels.
template <int64_t kC>
void InterpolateColumns(const float* in, const Column* columns, int64_t count, int64_t,
                        float* out) {
  for (int64_t x = 0; x < count; ++x, out += kC) {
    const float* low = in + columns[x].low;
    const float* high = in + columns[x].high;
    const float weight = columns[x].weight;
    for (int64_t c = 0; c < kC; ++c) out[c] = low[c] + (high[c] - low[c]) * weight;
  }
}

// The same with any number of channels.
template <>
void InterpolateColumns<0>(const float* in, const Column* columns, int64_t count, int64_t channels,
                           float* out) {
  const auto interpolate = Isa<&IsaKernels::interpolate>();
  for (int64_t x = 0; x < count; ++x, out += channels)
    interpolate(in + columns[x].low, in + columns[x].high, columns[x].weight, channels, out);
}

int64_t ColumnBytes(const ResizeJob& job) { return AlignedBytes<Column>(job.out_w); }
// Bytes of one row. Each thread keeps two input rows after the step along x, because neighbouring
// output rows mostly use the same ones, and one input row as floats.
int64_t RowBytes(int64_t pixels, const ResizeJob& job) {
  return AlignedBytes<float>(SaturatingMul(pixels, job.channels));
}
int64_t OutRowBytes(const ResizeJob& job) { return RowBytes(job.out_w, job); }
int64_t SlotBytes(const ResizeJob& job) {
  return SaturatingAdd(SaturatingMul(2, OutRowBytes(job)), RowBytes(job.in_w, job));
}

// One thread's part of a bilinear resize.
class BilinearRows {
 public:
  BilinearRows(const ResizeJob& job, DType dtype, const void* in, const Column* columns,
               uint8_t* slot)
      : job_(job), dtype_(dtype), in_(static_cast<const uint8_t*>(in)), columns_(columns) {
    rows_[0] = reinterpret_cast<float*>(slot);
    rows_[1] = reinterpret_cast<float*>(slot + OutRowBytes(job));
    widened_ = reinterpret_cast<float*>(slot + 2 * OutRowBytes(job));
  }

  // Output rows [begin, end), counted over the whole batch.
  void Run(int64_t begin, int64_t end, float* out, const Parallel& parallel) {
    Questions questions(parallel);
    const float scale = Scale(job_.sampling, job_.in_h, job_.out_h);
    const int64_t row_size = job_.out_w * job_.channels;
    for (int64_t r = begin; r < end && !questions.Stop(2 * row_size); ++r) {
      const Tap tap = BilinearTap(job_.sampling, scale, job_.in_h, r % job_.out_h);
      const int64_t image = r / job_.out_h * job_.in_h;
      const float* low = Row(image + tap.low, image + tap.high);
      const float* high = Row(image + tap.high, image + tap.low);
      Isa<&IsaKernels::interpolate>()(low, high, tap.weight, row_size, out + r * row_size);
    }
  }

 private:
  // Input row `row` after the step along x. Does not replace row `keep`.
  const float* Row(int64_t row, int64_t keep) {
    for (int i = 0; i < 2; ++i) {
      if (held_[i] == row) return rows_[i];
    }
    const int slot = held_[0] == keep ? 1 : 0;
    held_[slot] = row;
    const int64_t size = job_.in_w * job_.channels;
    const uint8_t* from = in_ + row * size * DTypeBytes(dtype_);
    if (dtype_ != DType::kFloat32) Cast(dtype_, from, DType::kFloat32, size, widened_);
    const float* in = dtype_ == DType::kFloat32 ? reinterpret_cast<const float*>(from) : widened_;
    const auto interpolate = job_.channels == 1   ? InterpolateColumns<1>
                             : job_.channels == 3 ? InterpolateColumns<3>
                             : job_.channels == 4 ? InterpolateColumns<4>
                                                  : InterpolateColumns<0>;
    interpolate(in, columns_, job_.out_w, job_.channels, rows_[slot]);
    return rows_[slot];
  }

  const ResizeJob& job_;
  DType dtype_;
  const uint8_t* in_;
  const Column* columns_;
  float* rows_[2];
  float* widened_;
  int64_t held_[2] = {-1, -1};
};

template <typename T>
void CopyPixels(const void* in, const int64_t* sources, int64_t count, int64_t units, void* out) {
  const T* from = static_cast<const T*>(in);
  T* to = static_cast<T*>(out);
  for (int64_t x = 0; x < count; ++x) {
    const T* pixel = from + sources[x] * units;
    for (int64_t u = 0; u < units; ++u) *to++ = pixel[u];
  }
}

void CopyLongPixels(const void* in, const int64_t* sources, int64_t count, int64_t bytes,
                    void* out) {
  const auto* from = static_cast<const uint8_t*>(in);
  auto* to = static_cast<uint8_t*>(out);
  for (int64_t x = 0; x < count; ++x, to += bytes)
    std::memcpy(to, from + sources[x] * bytes, bytes);
}

}  // namespace

int64_t ResizeBilinearScratch(const ResizeJob& job, int threads) {
  return SaturatingAdd(ColumnBytes(job), SaturatingMul(threads, SlotBytes(job)));
}

int64_t ResizeNearestScratch(const ResizeJob& job) {
  return SaturatingMul(job.out_w, sizeof(int64_t));
}

void ResizeBilinear(const ResizeJob& job, DType dtype, const void* in, float* out, void* scratch,
                    const Parallel& parallel) {
  Column* columns = static_cast<Column*>(scratch);
  const float scale = Scale(job.sampling, job.in_w, job.out_w);
  for (int64_t x = 0; x < job.out_w; ++x) {
    const Tap tap = BilinearTap(job.sampling, scale, job.in_w, x);
    columns[x] = {tap.low * job.channels, tap.high * job.channels, tap.weight};
  }
  // Slots, not ranges, go to threads: each needs its own part of the scratch memory.
  auto* slots = static_cast<uint8_t*>(scratch) + ColumnBytes(job);
  const int64_t rows = job.batch * job.out_h, elements = rows * job.out_w * job.channels;
  if (elements == 0) return;
  const int64_t used = std::min<int64_t>({parallel.threads, rows, CeilDiv(elements, kGrain)});
  ParallelRanges(parallel, used, 1, [&](int64_t first, int64_t last) {
    for (int64_t slot = first; slot < last; ++slot) {
      BilinearRows part(job, dtype, in, columns, slots + slot * SlotBytes(job));
      part.Run(rows * slot / used, rows * (slot + 1) / used, out, parallel);
    }
  });
}

void ResizeNearest(const ResizeJob& job, int64_t element_bytes, const void* in, void* out,
                   void* scratch, const Parallel& parallel) {
  int64_t* sources = static_cast<int64_t*>(scratch);
  const float scale_x = Scale(job.sampling, job.in_w, job.out_w);
  const float scale_y = Scale(job.sampling, job.in_h, job.out_h);
  for (int64_t x = 0; x < job.out_w; ++x)
    sources[x] = NearestSource(job.sampling, scale_x, job.in_w, x);
  const int64_t pixel = job.channels * element_bytes;
  const int64_t in_row = job.in_w * pixel, out_row = job.out_w * pixel;
  const bool words = element_bytes % 4 == 0;
  const auto copy = pixel > 64 ? CopyLongPixels
                    : words    ? CopyPixels<uint32_t>
                               : CopyPixels<uint8_t>;
  const int64_t units = pixel > 64 || !words ? pixel : pixel / 4;
  const auto* from = static_cast<const uint8_t*>(in);
  auto* to = static_cast<uint8_t*>(out);
  const int64_t grain = CeilDiv(kGrain, std::max<int64_t>(job.out_w * job.channels, 1));
  ParallelFor(parallel, job.batch * job.out_h, grain, [&](int64_t begin, int64_t end) {
    int64_t previous = -1;
    for (int64_t r = begin; r < end; ++r) {
      const int64_t source =
          r / job.out_h * job.in_h + NearestSource(job.sampling, scale_y, job.in_h, r % job.out_h);
      if (source == previous)
        std::memcpy(to + r * out_row, to + (r - 1) * out_row, out_row);
      else
        copy(from + source * in_row, sources, job.out_w, units, to + r * out_row);
      previous = source;
    }
  });
}

}  // namespace linnet::kernels

// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/crop_and_resize.h"

#include <algorithm>
#include <cmath>

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 13;  // output elements worth a thread

// Position of sample `i` of `count` samples from `low` to `high` on an axis of `size` pixels.
float Position(float low, float high, int64_t size, int64_t count, int64_t i) {
  const auto last = static_cast<float>(size - 1);
  if (count == 1) return static_cast<float>(0.5 * (low + high) * last);
  const float scale = (high - low) * last / static_cast<float>(count - 1);
  return low * last + static_cast<float>(i) * scale;
}

// NaN is outside.
bool Inside(float position, int64_t size) {
  return position >= 0.0f && position <= static_cast<float>(size - 1);
}

struct Tap {
  int64_t low, high;
  float weight;  // of `high`
};

// For a position inside the axis. Above 2^24, the number of the last pixel may be rounded up to one
// that does not exist.
Tap TapAt(float position, int64_t size, bool nearest) {
  const auto pixel = [size](float at) { return std::min(static_cast<int64_t>(at), size - 1); };
  if (nearest) {
    const int64_t closest = pixel(std::round(position));
    return {closest, closest, 0.0f};
  }
  const float floor = std::floor(position);
  return {pixel(floor), pixel(std::ceil(position)), position - floor};
}

// One row of one crop.
void CropRow(const CropJob& job, const float* image, const float* box, int64_t y, float* out) {
  const float in_y = Position(box[0], box[2], job.in_h, job.crop_h, y);
  if (!Inside(in_y, job.in_h)) {
    std::fill_n(out, job.crop_w * job.channels, job.extrapolation);
    return;
  }
  const Tap rows = TapAt(in_y, job.in_h, job.nearest);
  const float* top = image + rows.low * job.in_w * job.channels;
  const float* bottom = image + rows.high * job.in_w * job.channels;
  for (int64_t x = 0; x < job.crop_w; ++x, out += job.channels) {
    const float in_x = Position(box[1], box[3], job.in_w, job.crop_w, x);
    if (!Inside(in_x, job.in_w)) {
      std::fill_n(out, job.channels, job.extrapolation);
      continue;
    }
    const Tap columns = TapAt(in_x, job.in_w, job.nearest);
    const int64_t left = columns.low * job.channels, right = columns.high * job.channels;
    if (job.nearest) {
      std::copy_n(top + left, job.channels, out);
      continue;
    }
    for (int64_t c = 0; c < job.channels; ++c) {
      const float above = top[left + c] + (top[right + c] - top[left + c]) * columns.weight;
      const float below =
          bottom[left + c] + (bottom[right + c] - bottom[left + c]) * columns.weight;
      out[c] = above + (below - above) * rows.weight;
    }
  }
}

}  // namespace

bool CropAndResize(const CropJob& job, const float* images, const float* boxes,
                   const int32_t* index, float* out, const Parallel& parallel) {
  for (int64_t i = 0; i < job.boxes; ++i) {
    if (index[i] < 0 || index[i] >= job.batch) return false;
  }
  const int64_t row = job.crop_w * job.channels, image = job.in_h * job.in_w * job.channels;
  if (row == 0) return true;
  ParallelFor(
      parallel, job.boxes * job.crop_h, CeilDiv(kGrain, row), [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; ++r) {
          const int64_t box = r / job.crop_h;
          CropRow(job, images + index[box] * image, boxes + box * 4, r % job.crop_h, out + r * row);
        }
      });
  return true;
}

}  // namespace linnet::kernels

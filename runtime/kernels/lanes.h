// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>

// Reductions of one float row. Compilers may not reorder float operations, so the lanes that make
// them fast are written out: lane l takes elements l, l + 16, ... and lanes are joined at the end,
// the same way on every machine.
namespace linnet::kernels {

inline constexpr int kLanes = 16;
inline constexpr int64_t kSumRun = 512;  // elements summed in float before double takes over

// Sum of f(x[i]) for i < count <= kSumRun.
template <typename F>
inline float SumRun(const float* x, int64_t count, const F& f) {
  float lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) lanes[l] += f(x[i + l]);
  }
  float rest = 0.0f;
  for (; i < count; ++i) rest += f(x[i]);
  for (int width = kLanes / 2; width > 0; width /= 2) {
    for (int l = 0; l < width; ++l) lanes[l] += lanes[l + width];
  }
  return lanes[0] + rest;
}

// Sum of f(x[i]) for any count.
template <typename F>
inline double Sum(const float* x, int64_t count, const F& f) {
  double sum = 0.0;
  for (; count > 0; count -= kSumRun, x += kSumRun)
    sum += SumRun(x, count < kSumRun ? count : kSumRun, f);
  return sum;
}

// Largest element, NaN passed over; `lowest` when there is none above it.
inline float MaxOf(const float* x, int64_t count, float lowest) {
  float lanes[kLanes];
  for (int l = 0; l < kLanes; ++l) lanes[l] = lowest;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) lanes[l] = x[i + l] > lanes[l] ? x[i + l] : lanes[l];
  }
  for (; i < count; ++i) lanes[0] = x[i] > lanes[0] ? x[i] : lanes[0];
  for (int l = 1; l < kLanes; ++l) lanes[0] = lanes[l] > lanes[0] ? lanes[l] : lanes[0];
  return lanes[0];
}

}  // namespace linnet::kernels

// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/pace.h"

#include <algorithm>

#include "runtime/core/checked.h"

namespace linnet::vulkan {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

}  // namespace

int64_t SlowNs(int64_t flops, int64_t bytes) {
  constexpr int64_t kFlopsPerNs = 50, kBytesPerNs = 5;
  return std::max(flops / kFlopsPerNs, bytes / kBytesPerNs);
}

int64_t TimeoutNs(DeviceClass device_class, int64_t slow_ns, bool first) {
  // Fifty times as long, at least two seconds: systems stop kernels after that time too.
  const int64_t expected = std::clamp(SaturatingMul(slow_ns, 50), 2 * kSecond, 3600 * kSecond);
  const int64_t timeout = expected + (first ? 10 * kSecond : 0);
  // A software driver is slow and may share its CPU with other programs.
  return device_class == DeviceClass::kCpu ? 30 * timeout : timeout;
}

Pace PaceOf(DeviceClass device_class) {
  // The threads of a software driver take turns with others at any time.
  if (device_class == DeviceClass::kCpu) return {.buffer_ns = INT64_MAX, .dispatch_ns = INT64_MAX};
  return {};
}

int64_t PiecesOf(int64_t slow_ns, const Pace& pace) {
  // Dispatches that take minutes; a plan may ask for such.
  constexpr int64_t kMost = 1024;
  return std::min(1 + std::max<int64_t>(slow_ns - 1, 0) / pace.dispatch_ns, kMost);
}

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/backends/vulkan/device_class.h"

namespace linnet::vulkan {

// How long work takes, and how much of it a GPU gets at once. While a GPU works for one program
// it may not draw for others, and systems stop kernels that take seconds.

// Nanoseconds of a slow GPU for so much arithmetic and so many bytes that are read or written.
int64_t SlowNs(int64_t flops, int64_t bytes);

// How long a segment that takes a slow GPU `slow_ns` may take before the device counts as lost.
// `first`: its first run, in which drivers may compile shaders.
int64_t TimeoutNs(DeviceClass device_class, int64_t slow_ns, bool first);

// How much work, in SlowNs, a device gets at once.
struct Pace {
  int64_t buffer_ns = 20'000'000;     // of one command buffer, unless it has one dispatch only
  int64_t dispatch_ns = 200'000'000;  // of one dispatch, unless it has one workgroup only
};
Pace PaceOf(DeviceClass device_class);

// Into how many dispatches one that takes `slow_ns` is divided: at least 1.
int64_t PiecesOf(int64_t slow_ns, const Pace& pace);

}  // namespace linnet::vulkan

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

namespace linnet::tools {

// The backends between whose kernels there may be a choice for a step, as linnet_step_info names
// them.
inline constexpr const char* kKernelBackends[] = {"xnnpack", "portable"};

struct KernelTime {
  std::string backend;
  double us = 0.0;
};

// What was measured of all steps of one kind (linnet_session_step_kind).
struct KindTimes {
  std::string kind;
  std::string rule;  // the backend that the library's own rules choose
  std::vector<KernelTime> times;
};

// Others than the rules' choice must take no more than this part of its time, and less by as many
// microseconds, so that what differs by noise, or by a tick of the clock, stays as it is.
inline constexpr double kClearPart = 0.95;
inline constexpr double kClearUs = 0.3;

// The entry of `kind.times` that is to run such steps. REQUIRES: it is not empty.
const KernelTime& FasterKernel(const KindTimes& kind);

// The text of linnet_session_options.kernels, for this machine and so many threads (README.md has
// the format): for each kind, the backend that FasterKernel finds.
std::string KernelProfileText(std::span<const KindTimes> kinds, int threads);

}  // namespace linnet::tools

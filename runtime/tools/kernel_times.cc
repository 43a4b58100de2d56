// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/kernel_times.h"

#include <algorithm>
#include <cstdio>

#include "linnet/linnet.h"
#include "runtime/core/kernel_profile_words.h"

namespace linnet::tools {
namespace {

std::string TimeText(double us) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.1f", us);
  return text;
}

}  // namespace

const KernelTime& FasterKernel(const KindTimes& kind) {
  const auto cost = [&](const KernelTime& time) {
    return time.backend == kind.rule ? std::min(time.us * kClearPart, time.us - kClearUs) : time.us;
  };
  return *std::min_element(
      kind.times.begin(), kind.times.end(),
      [&](const KernelTime& a, const KernelTime& b) { return cost(a) < cost(b); });
}

std::string KernelProfileText(std::span<const KindTimes> kinds, int threads) {
  const linnet_device* cpu = linnet_get_device(0);
  const std::string machine[] = {kKernelProfileVersion, cpu->name, cpu->instruction_set,
                                 linnet_cpu_kernels(), std::to_string(threads)};
  static_assert(std::size(machine) == std::size(kKernelProfileHead));
  std::string text;
  for (size_t i = 0; i < std::size(machine); ++i) text += kKernelProfileHead[i] + machine[i] + '\n';
  text += kKernelProfileComment;
  text += " the faster one, microseconds of each, what the step computes\n";
  for (const KindTimes& kind : kinds) {
    text += FasterKernel(kind).backend + kKernelProfileTab;
    const char* comma = "";
    for (const KernelTime& time : kind.times) {
      text += comma + time.backend + ' ' + TimeText(time.us);
      comma = ", ";
    }
    text += kKernelProfileTab + kind.kind + '\n';
  }
  return text + kKernelProfileEnd + std::to_string(kinds.size()) + '\n';
}

}  // namespace linnet::tools

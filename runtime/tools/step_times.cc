// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/step_times.h"

#include <algorithm>
#include <cstring>

namespace linnet::tools {
namespace {

linnet_step_info InfoOf(const linnet_session* session, int step) {
  linnet_step_info info{};
  info.struct_size = sizeof(info);
  linnet_session_get_step_info(session, step, &info);
  return info;
}

bool IsCopy(const linnet_step_info& info) { return std::strcmp(info.op, "Copy") == 0; }

linnet_device_times DeviceTimesOf(const linnet_session* session) {
  linnet_device_times times{};
  times.struct_size = sizeof(times);
  linnet_session_device_times(session, &times);
  return times;
}

}  // namespace

void StepTimes::Record(const linnet_session* session) {
  const int64_t* ns = linnet_session_step_ns(session);
  if (ns == nullptr) return;
  steps_.resize(static_cast<size_t>(linnet_session_num_steps(session)));
  int64_t copies = 0;
  for (int i = 0; i < count(); ++i) {
    steps_[static_cast<size_t>(i)].ns.push_back(ns[i]);
    if (IsCopy(InfoOf(session, i))) copies += ns[i];
  }
  const int64_t wait = DeviceTimesOf(session).wait_ns;
  waits_.ns.push_back(wait);
  copies_.ns.push_back(std::max<int64_t>(copies - wait, 0));
}

void StepTimes::Clear() { *this = {}; }

MeasuredDevice StepTimes::Measured(const linnet_session* session) const {
  constexpr char kGpu[] = "vulkan";
  MeasuredDevice device{.key = "cpu"};
  bool has_loops = false;
  for (int i = 0; i < count(); ++i) {
    const linnet_step_info info = InfoOf(session, i);
    has_loops |= std::strcmp(info.op, "While") == 0;
    if (std::strcmp(info.backend, kGpu) == 0) device.key = kGpu;
  }
  for (int i = 0; i < count(); ++i) {
    const linnet_step_info info = InfoOf(session, i);
    // Both sides of a copy.
    if (IsCopy(info)) device.copy_bytes += static_cast<double>(info.bytes) / 2;
    if (std::strcmp(info.backend, "control") == 0 ||
        (std::strcmp(info.backend, kGpu) == 0) != (device.key == kGpu))
      continue;
    const Times& times = steps_[static_cast<size_t>(i)];
    device.steps.push_back({.source = info.source,
                            .family = FamilyOf(info.op),
                            .median_us = times.MedianMs() * 1e3,
                            .runs = static_cast<int64_t>(times.ns.size()),
                            .flops = info.flops,
                            .bytes = info.bytes,
                            .runs_once = !has_loops});
  }
  const int64_t submissions = DeviceTimesOf(session).submissions;
  if (submissions > 0)
    device.submit_us = waits_.MedianMs() * 1e3 / static_cast<double>(submissions);
  device.copy_us = copies_.MedianMs() * 1e3;
  return device;
}

}  // namespace linnet::tools

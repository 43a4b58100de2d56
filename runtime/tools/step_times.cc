// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/step_times.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "runtime/core/printable.h"
#include "runtime/tools/step_info.h"

namespace linnet::tools {
namespace {

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

void StepTimes::AddTo(const linnet_session* session, const SessionBounds* bounds,
                      JsonWriter& json) const {
  json.BeginArray();
  for (int i = 0; i < count(); ++i) {
    const linnet_step_info info = InfoOf(session, i);
    json.BeginObject();
    json.Key("index").Value(i).Key("op").Value(info.op);
    json.Key("source").Value(info.source).Key("backend").Value(info.backend);
    json.Key("chosen_by").Value(info.chosen_by);
    json.Key("median_us").Value(MedianMs(i) * 1e3);
    json.Key("bytes").Value(info.bytes).Key("macs").Value(info.macs);
    json.Key("layout").Value(info.layout);
    if (bounds != nullptr)
      if (const auto bound = bounds->OfStep(i)) json.Key("bound_us").Value(bound->ms() * 1e3);
    json.EndObject();
  }
  json.EndArray();
}

std::string StepTimes::ShareText(int step, const SessionBounds& bounds) const {
  const std::optional<Bound> bound = bounds.OfStep(step);
  const auto share = bound.has_value() ? bound->ShareOf(MedianMs(step)) : std::nullopt;
  if (!share.has_value()) return "          ";
  char text[24];
  std::snprintf(text, sizeof(text), " %7.0f %%", *share * 100);
  return text;
}

std::string StepTimes::Table(const linnet_session* session, const SessionBounds* bounds) const {
  char row[160];
  std::snprintf(row, sizeof(row), "%5s %-16s %-9s %-9s %10s %10s%s  %s\n", "step", "op", "backend",
                "chosen by", "us", "MMAC", bounds == nullptr ? "" : "  of bound", "source");
  std::string table = row;
  for (int i = 0; i < count(); ++i) {
    const linnet_step_info info = InfoOf(session, i);
    std::snprintf(row, sizeof(row), "%5d %-16s %-9s %-9s %10.1f %10.3f", i, info.op, info.backend,
                  info.chosen_by, MedianMs(i) * 1e3, static_cast<double>(info.macs) * 1e-6);
    table += row;
    if (bounds != nullptr) table += ShareText(i, *bounds);
    table += "  " + Printable(info.source) + '\n';
  }
  return table;
}

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

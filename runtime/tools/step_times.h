// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/tools/benchmark.h"
#include "runtime/tools/device_measurement.h"
#include "runtime/tools/json_writer.h"
#include "runtime/tools/step_bounds.h"

namespace linnet::tools {

// How long each step of a session took in a number of runs.
class StepTimes {
 public:
  // Adds the last run of the session. Nothing happens while it has no profile.
  void Record(const linnet_session* session);
  void Clear();

  int count() const { return static_cast<int>(steps_.size()); }
  double MedianMs(int step) const { return steps_[static_cast<size_t>(step)].MedianMs(); }

  // The steps of `session`, whose runs were recorded, with their times: an array, and a table. With
  // the bounds of its steps if these are not null.
  void AddTo(const linnet_session* session, const SessionBounds* bounds, JsonWriter& json) const;
  std::string Table(const linnet_session* session, const SessionBounds* bounds) const;

  // What the runs tell about the device that runs `session`, whose runs were recorded: the GPU
  // where it runs a step, else the CPU.
  MeasuredDevice Measured(const linnet_session* session) const;

 private:
  std::string ShareText(int step, const SessionBounds& bounds) const;

  std::vector<Times> steps_;
  // Of all submissions to a device, and of all copies without these waits.
  Times waits_, copies_;
};

}  // namespace linnet::tools

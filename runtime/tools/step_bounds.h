// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/tools/json_writer.h"
#include "runtime/tools/machine_bounds.h"

namespace linnet::tools {

// The least time in which a machine could do something: it multiplies and adds while it reads and
// writes memory, so the longer of both counts.
struct Bound {
  double fma_ms = 0.0, memory_ms = 0.0;

  double ms() const { return std::max(fma_ms, memory_ms); }
  // The bound as a part of the time that was measured, more than 1 where data came from caches or
  // an algorithm multiplies less than the sums of products do. Nothing for a time of 0.
  std::optional<double> ShareOf(double measured_ms) const;
};

// What is not measured on `machine` bounds nothing.
Bound BoundOf(const MachineBounds& machine, int64_t macs, int64_t bytes);

// Of a step on the CPU that runs once, with its inputs, weights and outputs in memory. Nothing for
// other steps, and for those that need not read all of their inputs.
std::optional<Bound> BoundOfStep(const MachineBounds& machine, const linnet_step_info& step);

// What a run must read and write outside of its steps.
struct RunData {
  int64_t weights = 0;  // bytes that the plan has of them
  int64_t ports = 0;    // bytes of inputs and outputs
};
// Of a run of all `steps`, with intermediate tensors in caches. Tables of weights that a step
// looks up rows in do not count. Nothing where a step runs on a GPU, or nobody knows how often it
// runs.
std::optional<Bound> BoundOfRun(const MachineBounds& machine,
                                std::span<const linnet_step_info> steps, const RunData& data);

// The bounds of a session's steps and runs on this machine.
class SessionBounds {
 public:
  SessionBounds(const MachineBounds& machine, const linnet_plan* plan,
                const linnet_session* session);

  std::optional<Bound> OfStep(int step) const;

  // Of the machine and of a run, which took `median_ms`.
  void AddTo(JsonWriter& json) const;
  std::string Text(double median_ms) const;

 private:
  const MachineBounds machine_;
  std::vector<linnet_step_info> steps_;
  std::optional<Bound> run_;
  bool known_ = false;  // each step runs once, with the extents that its figures are of
};

}  // namespace linnet::tools

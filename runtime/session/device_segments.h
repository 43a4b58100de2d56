// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/session/prepared_weights.h"
#include "runtime/session/session_memory.h"

namespace linnet {

// A run of consecutive steps of one device: copies into its memory and ops.
struct DeviceSegment {
  RunnableSegment* runnable = nullptr;
  int32_t first = 0, end = 0;  // its steps, without `end`
  int32_t first_op = 0;        // the step that errors name: its first op, else `first`
  int32_t num_ops = 0;
};

// The segments of one session that run on devices, and the copies of the host that fetch their
// outputs. Only region 0 of a program has such steps.
class DeviceSegments {
 public:
  DeviceSegments() = default;
  ~DeviceSegments() { Destroy(); }
  DeviceSegments(const DeviceSegments&) = delete;
  DeviceSegments& operator=(const DeviceSegments&) = delete;

  // `precise`: as RunnableSegment::SetPrecise. kNoMemory, or an error of a backend with the step's
  // index.
  Status Create(const PreparedWeights& weights, const SessionMemory& memory, bool precise,
                Region& region, Diagnostic* diagnostic);
  // Must be called before the memory and the weights go away.
  void Destroy();

  // The segment that begins with this step; null when it is a step of the host.
  const DeviceSegment* Find(int32_t step) const {
    return places_ != nullptr && places_[step].segment >= 0 ? &segments_[places_[step].segment]
                                                            : nullptr;
  }
  // Tells segments where a Copy step reads or writes in the host's memory, from the next run on.
  Status Bind(int32_t step, std::span<void* const> inputs, std::span<void* const> outputs);
  // Runs a Copy step of the host.
  Status Fetch(int32_t step);

  // Bytes of devices' memory that they hold, once all is bound.
  int64_t device_bytes() const;
  void EnableProfile(bool on);
  // Divides the time that the last run of a segment took among its steps, in proportion to what the
  // device has measured. What it has not measured is added to the first one: copies, and the wait
  // for the device.
  void AddTimes(const DeviceSegment& segment, int64_t run_ns, int64_t* step_ns);
  // The waits of all segments in their last runs with a profile.
  int64_t WaitNs() const;
  int32_t count() const { return static_cast<int32_t>(segments_.size()); }

 private:
  // Where a step is found.
  struct Place {
    int32_t segment = -1;  // of a step on a device
    int32_t copy = 0;      // of a Copy step: its first input of the segment, or its first Fetched
  };
  // An output of a segment.
  struct Fetched {
    int32_t segment = -1, output = -1;
  };

  // How a tensor that an op of a segment writes is read.
  struct Reads {
    int32_t segment = -1;  // that writes it
    int32_t count = 0;     // by its ops; -1: something else reads it too
  };

  const PlanProgram& plan() const { return *weights_->program().plan; }
  bool IsCopy(int32_t step) const { return plan().steps[step].control == schema::Control::Copy; }
  Status Allocate(Region& region);
  void FindSegments();
  Status Build(int32_t index, const SessionMemory& memory, Region& region, Diagnostic* diagnostic);
  Status AddSteps(const DeviceSegment& segment);
  Status AddInputs(const DeviceSegment& segment, int32_t step, int32_t* count);
  Status AddStep(const DeviceSegment& segment, int32_t step);
  Status AddOutputs(int32_t index);
  void CountReads();

  const PreparedWeights* weights_ = nullptr;
  bool precise_ = false;
  Place* places_ = nullptr;  // by step; null when all steps are the host's
  std::span<DeviceSegment> segments_;
  Fetched* fetched_ = nullptr;   // of all Copy steps of the host
  int64_t* numbers_ = nullptr;   // scratch for the offsets or times of one step's tensors
  InputInfo* inputs_ = nullptr;  // scratch for one step
  Reads* reads_ = nullptr;       // by tensor
};

}  // namespace linnet

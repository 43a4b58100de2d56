// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include <span>

#include "runtime/core/diagnostic.h"
#include "runtime/session/backend.h"

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
  // The segment that begins with this step; null when it is a step of the host.
  const DeviceSegment* Find(int32_t step) const {
    return places_[step].segment >= 0 ? &segments_[places_[step].segment] : nullptr;
  }
  // Tells segments where a Copy step reads or writes in the host's memory, from the next run on.
  virtual Status Bind(int32_t step, std::span<void* const> inputs,
                      std::span<void* const> outputs) = 0;
  // Runs a Copy step of the host.
  virtual Status Fetch(int32_t step) = 0;

  // Bytes of devices' memory that they hold, once all is bound.
  virtual int64_t device_bytes() const = 0;
  virtual void EnableProfile(bool on) = 0;
  // Divides the time that the last run of a segment took among its steps, in proportion to what the
  // device has measured. What it has not measured is added to the first one: copies, and the wait
  // for the device.
  virtual void AddTimes(const DeviceSegment& segment, int64_t run_ns, int64_t* step_ns) = 0;
  // The waits of all segments in their last runs with a profile.
  virtual int64_t WaitNs() const = 0;
  int32_t count() const { return static_cast<int32_t>(segments_.size()); }
  // Called instead of the destructor, before the memory and the weights go away.
  virtual void Destroy() = 0;

 protected:
  // Where a step is found.
  struct Place {
    int32_t segment = -1;  // of a step on a device
    int32_t copy = 0;      // of a Copy step: its first input of the segment, or its first output
                           // among those that the host fetches
  };

  ~DeviceSegments() = default;

  Place* places_ = nullptr;  // by step
  std::span<DeviceSegment> segments_;
};

class PreparedWeights;
class SessionMemory;

// `precise`: as RunnableSegment::SetPrecise. kNoMemory, or an error of a backend with the step's
// index; *out is then null or has to be destroyed too.
Status NewDeviceSegments(const PreparedWeights& weights, const SessionMemory& memory, bool precise,
                         Region& region, DeviceSegments** out, Diagnostic* diagnostic);

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/session/backend.h"
#include "runtime/session/device_segments.h"
#include "runtime/session/prepared_weights.h"
#include "runtime/session/session_memory.h"

namespace linnet {

class DeviceBackend;

// The sum of PackedBytes over the steps in `space` that the device can run, each rounded up to
// kDeviceAlignment; INT64_MAX on overflow. `inputs`: room for those of one step.
int64_t SumPackedBytes(const DeviceBackend& device, const PreparedWeights& weights, int space,
                       std::span<InputInfo> inputs);

// A backend for a device other than the host. It packs all constants, and runs its steps by
// segments. What is asked about the device may be asked once Initialize has succeeded.
class DeviceBackend : public Backend {
 public:
  const DeviceBackend* as_device() const final { return this; }
  // Whether the device is this machine's CPU after all, as with Vulkan drivers in software.
  // Sessions use such a device only when they are asked to: the host's own kernels are faster.
  virtual bool is_software() const { return false; }
  // Fills what is known of the device, also after it was lost. False when there is none.
  virtual bool GetInfo(DeviceInfo* info) const = 0;
  // Fills the device's key, also after it was lost. False when there is none.
  virtual bool GetKey(DeviceKey* key) const = 0;
  // Whether it has a faster and less exact way to compute with tensors of this layout, which
  // segments take unless told otherwise.
  virtual bool PrefersSpeed(Layout layout) const = 0;
  // Whether its tensors may have this layout, which the plan's space has.
  virtual bool HasLayout(Layout layout) const = 0;
  // Bytes of its memory that Pack needs for a step's constants, whose values are not known yet.
  // REQUIRES: WhyUnsupported(step.op) == nullptr.
  virtual int64_t PackedBytes(const StepContext& step) const = 0;
  // Memory for the tensors of one session, and memory for `host_bytes` that the host can access
  // too; the object lives in `region`. kNoMemory.
  virtual Status NewMemory(int64_t bytes, int64_t host_bytes, Region& region,
                           DeviceMemory** out) const = 0;
  // An empty segment for `memory`, whose tensors have `layout`. kNoMemory.
  virtual Status NewSegment(DeviceMemory* memory, Layout layout, PackedWeights* weights,
                            Region& region, RunnableSegment** out) const = 0;
  // Segments run the steps.
  Status Create(const StepContext&, PackedWeights*, void*, const Threads&, Region&, RunnableStep**,
                int64_t*) const final {
    return {StatusCode::kInternal, "steps of a device run by segments"};
  }

  // What sessions with such a device need beside it, whichever it is. Only virtual so that a
  // program without such a backend does not contain it.

  // See SumPackedBytes.
  virtual int64_t AllPackedBytes(const PreparedWeights& weights, int space,
                                 std::span<InputInfo> inputs) const {
    return SumPackedBytes(*this, weights, space, inputs);
  }
  // Makes the memory on all devices of the program, see SessionMemory::CreateOnDevices.
  virtual Status CreateMemory(const PreparedWeights& weights, Region& region,
                              SessionMemory* memory) const {
    return memory->CreateOnDevices(weights, region);
  }
  // Makes the segments on all devices of the program, see NewDeviceSegments.
  virtual Status CreateSegments(const PreparedWeights& weights, const SessionMemory& memory,
                                bool precise, Region& region, DeviceSegments** out,
                                Diagnostic* diagnostic) const {
    return NewDeviceSegments(weights, memory, precise, region, out, diagnostic);
  }

 protected:
  ~DeviceBackend() = default;
};

}  // namespace linnet

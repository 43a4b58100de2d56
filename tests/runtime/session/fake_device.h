// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/session/backend.h"

namespace linnet {

// A device for tests. It computes with the portable kernels, but in its own memory, whose pages are
// inaccessible except while one of its steps or a copy runs: any other access ends the test. Its
// steps refuse tensors that are elsewhere.
class FakeDevice final : public Backend {
 public:
  // Counts of what it did, in all sessions.
  struct Counts {
    int steps = 0, copies_in = 0, copies_out = 0;
    int64_t bytes_in = 0, bytes_out = 0;
  };

  explicit FakeDevice(const char* device = "vulkan") : device_(device) {}
  Counts& counts() const { return counts_; }
  // From now on copies from the device fail, as if the device had been removed.
  void Lose() { lost_ = true; }
  bool lost() const { return lost_; }

  const char* name() const override { return "fake"; }
  const char* device() const override { return device_; }
  const char* WhyUnsupported(const OpInstance& op) const override;
  bool PacksInput(const OpInstance&, int) const override { return true; }
  Status NewPackedWeights(Region& region, PackedWeights** out) const override;
  Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
              void** packed) const override;
  Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                const Threads& threads, Region& region, RunnableStep** out,
                int64_t* workspace_bytes) const override;
  Status NewMemory(int64_t bytes, Region& region, DeviceMemory** out) const override;

 private:
  const char* device_;
  bool lost_ = false;
  mutable Counts counts_;
};

}  // namespace linnet

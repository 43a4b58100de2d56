// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <iterator>
#include <span>

#include "runtime/session/device_backend.h"

namespace linnet {

// A device for tests. It computes with the portable kernels, but in its own memory, whose pages are
// inaccessible except while one of its segments runs: any other access ends the test. Its steps
// refuse tensors that are elsewhere.
class FakeDevice final : public DeviceBackend {
 public:
  // Counts of what it did, in all sessions.
  struct Counts {
    int segments = 0;  // that were made
    int runs = 0, steps = 0, inputs = 0, outputs = 0, fetches = 0;
    int early_outputs = 0;                // written by Run to where the host wants them
    int64_t bytes_in = 0, bytes_out = 0;  // of inputs and outputs
    int alive = 0;                        // objects that nobody has destroyed yet
    int caches = 0;                       // of packed weights that were opened
    int64_t cache_bytes = 0;              // with which the last one was
    int precise = 0;                      // segments that were told to be precise
    // StepContext::output_reads of the first steps. Not in a vector, because memory may be short.
    int32_t output_reads[16] = {};
    size_t num_steps = 0;
    void AddReads(int32_t reads) {
      if (num_steps < std::size(output_reads)) output_reads[num_steps++] = reads;
    }
    std::span<const int32_t> reads() const { return {output_reads, num_steps}; }
  };
  struct Options {
    const char* device = "vulkan";
    bool maps_memory = false;  // whether it has host_data
    Layout layout = Layout::kDense;
  };

  FakeDevice() = default;
  explicit FakeDevice(const Options& options) : options_(options) {}
  const Options& options() const { return options_; }
  Counts& counts() const { return counts_; }
  // From now on each Run fails, as if the device had been removed.
  void Lose() { lost_ = true; }
  bool lost() const { return lost_; }
  // What each Run returns from now on, unless it fails by itself.
  void set_run_status(const Status& status) { run_status_ = status; }
  const Status& run_status() const { return run_status_; }
  // From now on, or until null, the machine has no such device, for this reason.
  void Remove(const char* why) { removed_ = why; }
  // From now on it says that it is a device in software.
  void set_is_software(bool is_software) { is_software_ = is_software; }
  // From now on it says that it has a faster and less exact way. It computes the same in both.
  void set_prefers_speed(bool prefers_speed) { prefers_speed_ = prefers_speed; }
  // Whether the segment that runs, or ran last, was told to be precise.
  bool is_precise() const { return is_precise_; }
  void set_is_precise(bool is_precise) const { is_precise_ = is_precise; }
  // As it was at first. REQUIRES: nothing of it is in use.
  void Repair() {
    lost_ = false;
    is_software_ = false;
    prefers_speed_ = false;
    removed_ = nullptr;
    run_status_ = {};
    wait_ns_ = 0;
    calls_left_ = -1;
    on_run_ = nullptr;
    on_output_ = nullptr;
    key_ = {.vendor = 1, .device = 2, .driver = 3, .driver_version = 4, .programs = 5};
    counts_ = {};
  }
  // Of the calls by which sessions are made, the one after `count` others fails with kNoMemory.
  void FailAfter(int count) { calls_left_ = count; }
  // Counts such a call. False: it has to fail.
  bool MayCall() const { return calls_left_ < 0 || calls_left_-- > 0; }
  // Called by each Run, before anything else.
  void set_on_run(void (*on_run)(void* context), void* context) {
    on_run_ = on_run;
    on_run_context_ = context;
  }
  void OnRun() const {
    if (on_run_ != nullptr) on_run_(on_run_context_);
  }
  // Called by each Run with each output, which it may change.
  void set_on_output(void (*on_output)(void* context, void* data, int64_t bytes), void* context) {
    on_output_ = on_output;
    on_output_context_ = context;
  }
  void OnOutput(void* data, int64_t bytes) const {
    if (on_output_ != nullptr) on_output_(on_output_context_, data, bytes);
  }
  DeviceKey& key() { return key_; }
  // What StepTimes says that each step took.
  void set_step_ns(int64_t ns) { step_ns_ = ns; }
  int64_t step_ns() const { return step_ns_; }
  // What WaitNs says of each segment.
  void set_wait_ns(int64_t ns) { wait_ns_ = ns; }
  int64_t wait_ns() const { return wait_ns_; }

  const char* name() const override { return "fake"; }
  const char* device() const override { return options_.device; }
  bool HasLayout(Layout layout) const override { return layout == options_.layout; }
  const char* WhyUnsupported(const OpInstance& op) const override;
  Status Initialize() const override {
    return removed_ == nullptr ? Status() : Status(StatusCode::kUnsupported, removed_);
  }
  bool is_software() const override { return is_software_; }
  bool GetInfo(DeviceInfo* info) const override {
    *info = {.name = "Abacus 7", .driver = "beads", .computes_f16 = true, .memory_bytes = 42};
    return true;
  }
  bool PrefersSpeed(Layout) const override { return prefers_speed_; }
  bool GetKey(DeviceKey* key) const override {
    *key = key_;
    return true;
  }
  bool PacksInput(const OpInstance&, int) const override { return true; }
  int64_t PackedBytes(const StepContext& step) const override;
  Status NewPackedWeights(int64_t bytes, Region& region, PackedWeights** out) const override;
  Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
              void** packed) const override;
  Status NewMemory(int64_t bytes, int64_t host_bytes, Region& region,
                   DeviceMemory** out) const override;
  Status NewSegment(DeviceMemory* memory, Layout layout, PackedWeights* weights, Region& region,
                    RunnableSegment** out) const override;

 private:
  Options options_;
  bool lost_ = false;
  bool is_software_ = false;
  bool prefers_speed_ = false;
  mutable bool is_precise_ = false;
  const char* removed_ = nullptr;
  Status run_status_;
  int64_t step_ns_ = 0, wait_ns_ = 0;
  void (*on_run_)(void*) = nullptr;
  void* on_run_context_ = nullptr;
  void (*on_output_)(void*, void*, int64_t) = nullptr;
  void* on_output_context_ = nullptr;
  DeviceKey key_ = {.vendor = 1, .device = 2, .driver = 3, .driver_version = 4, .programs = 5};
  mutable int calls_left_ = -1;
  mutable Counts counts_;
};

}  // namespace linnet

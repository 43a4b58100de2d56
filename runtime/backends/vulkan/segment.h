// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/backends/vulkan/commands.h"
#include "runtime/backends/vulkan/fusion.h"
#include "runtime/backends/vulkan/memory.h"
#include "runtime/backends/vulkan/packed_weights.h"
#include "runtime/backends/vulkan/pipelines.h"
#include "runtime/backends/vulkan/status_words.h"
#include "runtime/core/region.h"
#include "runtime/session/backend.h"

namespace linnet::vulkan {

// A RunnableSegment: inputs, steps and outputs as commands, usually in one command buffer.
class Segment final : public RunnableSegment {
 public:
  // `weights` may be null when no step has constants. All must outlive the segment.
  Segment(SessionMemory& memory, Layout layout, DeviceWeights* weights, Region& region)
      : device_(memory.device()),
        memory_(memory),
        layout_(layout),
        weights_(weights),
        region_(region),
        pipelines_(device_),
        commands_(device_),
        status_words_(device_) {}

  void SetPrecise() override { precise_ = true; }
  Status AddInput(const TensorType& type, int64_t offset) override;
  Status AddStep(const StepContext& step, void* packed, std::span<const int64_t> inputs,
                 std::span<const int64_t> outputs) override;
  Status AddOutput(const TensorType& type, int64_t offset) override;
  Status Finish() override;
  Status BindInput(int input, const void* data) override;
  Status BindOutput(int output, void* data) override;
  Status Run() override;
  Status Fetch(int output) override;
  void EnableProfile(bool on) override;
  void StepTimes(std::span<int64_t> ns) const override;
  int64_t device_bytes() const override { return slots_.allocated + status_words_.device_bytes(); }
  int64_t WaitNs() const override { return wait_ns_; }
  void Destroy() override;

  // For tests.
  uint32_t num_dispatches() const { return works_.count; }
  int num_barriers() const { return commands_.num_barriers(); }
  int num_buffers() const { return commands_.num_buffers(); }
  int num_pipelines() const { return pipelines_.size(); }

 private:
  // An input or output of the segment in the host's dense layout.
  struct Port {
    Port* next = nullptr;
    Access* window = nullptr;  // of the dispatch that copies it; null: it has no elements
    int64_t bytes = 0;
    int64_t slot = 0;      // where its copy would lie in slots_
    void* data = nullptr;  // where the host has it
    bool in_slot = true;   // false: `data` lies in the session's memory and needs no copy
  };
  struct Ports {
    Port* first = nullptr;
    Port* last = nullptr;
    int count = 0;
    Port** all = nullptr;  // by number, from Finish on
  };

  Status AddPort(const TensorType& type, int64_t offset, Shader shader, Ports& ports,
                 WorkList& works);
  ShaderMode ModeOf(const Dispatch& dispatch) const;
  Status AddWork(const Dispatch& dispatch, const Access* windows, int step, int pipeline,
                 Work** out);
  // In as many pieces as the device's Pace wants. `step` is as in Work.
  Status AddDispatch(const Dispatch& dispatch, const Access* windows, int64_t flops,
                     WorkList& works, int step);
  Status AddPlaced(const FusionStep& step, bool may_fuse, int number);
  Status AddWaiting();
  Status Resolve(const Operand& operand, const StepContext& step, const StepWeights* packed,
                 std::span<const int64_t> inputs, std::span<const int64_t> outputs,
                 Access* out) const;
  Status NumberPorts(Ports& ports);
  Status AllocateTimes();
  Status CreateAll();
  void Free();
  Status Record();
  Status Bind(Port& port, void* data);
  Status AllocateSlots();
  void NumberParts();
  Status ReadTimes(int64_t run_ns, int64_t submit_ns);
  Status ReadTicks(double* gpu_ns);
  void EstimateTimes(int64_t run_ns);

  Device& device_;
  SessionMemory& memory_;
  const Layout layout_;  // of all tensors: kRows4 or kRows4Half
  bool precise_ = false;
  DeviceWeights* weights_;
  Region& region_;
  Pipelines pipelines_;
  Commands commands_;
  StatusWords status_words_;
  WorkList works_;    // from Finish on with the copies of outputs
  WorkList fetches_;  // the copies of outputs, which come last
  // The last steps so far, which the next one may be merged with.
  FusionStep waiting_[kMostFused];
  int waiting_numbers_[kMostFused] = {};
  int num_waiting_ = 0;
  Ports inputs_;
  Ports outputs_;
  Buffer slots_;  // allocated when an input or output is bound outside of the session's memory
  int64_t slot_bytes_ = 0;
  int num_steps_ = 0;
  int num_parts_ = 0;      // as in Work::part
  int64_t slow_ns_ = 0;    // as SlowNs, of all dispatches
  bool recorded_ = false;  // what was recorded fits where the inputs and outputs are
  bool has_run_ = false;
  bool profile_ = false;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  // While or after profiling.
  int64_t* times_ns_ = nullptr;  // by step
  uint64_t* ticks_ = nullptr;    // one more than parts
  int64_t wait_ns_ = 0;
};

}  // namespace linnet::vulkan

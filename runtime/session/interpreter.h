// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <span>

#include "runtime/session/prepared_weights.h"
#include "runtime/session/thread_pool.h"
#include "runtime/session/varying_steps.h"

namespace linnet {

// Bytes of one session by what they are for.
struct SessionBytes {
  int64_t arena = 0;      // activations, inputs, outputs on the host: planned by the converter
  int64_t state = 0;      // tables of the session itself
  int64_t operators = 0;  // what backends allocated to run the steps
  int64_t workspace = 0;  // temporary memory of one step at a time
  int64_t total = 0;      // size of the block that serves all of these
  int64_t devices = 0;    // activations in the memory of other devices, outside the block
};

// Memory of the caller for an input or output.
struct BoundMemory {
  void* data = nullptr;  // null: back to the session's own
  int64_t bytes = 0;     // that may be read or written
  int64_t pitch = 0;     // bytes from row to row (bind.cc says what a row is); 0: no gaps
};

// One execution context of a program: memory on each device, steps made ready, threads. One thread
// at a time.
class Interpreter {
 public:
  // All memory comes from `region`; `weights` and the plan outlive the session.
  Interpreter(Region* region, const PreparedWeights* weights)
      : region_(region), weights_(weights) {}
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // kNoMemory, or what a backend says (with the step's index).
  Status Create(const Threads& threads, Diagnostic* diagnostic);

  // States have the values of a new session again.
  void Reset();

  // Runs all steps on the calling thread and the pool. No heap, no file, no lock but the pool's.
  // kBadIndex, kCancelled, kDeviceLost, with the step's index. The session stays usable, its states
  // are those from before.
  Status Run();
  // From any thread: a run in progress ends with kCancelled before its next step, the next
  // iteration of a loop, or inside a step whose backend asks (the portable one does, within
  // milliseconds). The request is used up by that run, or by the next one when none is in progress.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }

  const PlanProgram& program() const { return *weights_->program().plan; }
  const PreparedWeights& weights() const { return *weights_; }
  // Memory of a program input or output: dense, 64-byte aligned.
  void* input_data(int index) const { return ports_[index].data; }
  void* output_data(int index) const { return ports_[num_inputs() + index].data; }

  // What an input has from the next run on, and what an output has since the last one; `type` in
  // the plan is the largest.
  TensorType input_type(int index) const { return TypeOf(ports_[index]); }
  TensorType output_type(int index) const { return TypeOf(ports_[num_inputs() + index]); }
  // Inputs that share a symbol change together. kInvalidArgument, and nothing changes, when a
  // dimension is fixed and differs or is out of its bounds. Data given before must be given again.
  Status SetInputShape(int index, std::span<const int64_t> dims);

  // From now on the input (output) lives in the caller's memory; null returns to the arena. Without
  // a copy where the plan allows it; memory that is not 64-byte aligned, or that the plan reuses
  // for other tensors, or that has gaps between rows, is copied from (to) at each run. Inputs must
  // be followed by 16 readable bytes, which `bytes` counts too, to avoid the copy. kInvalidArgument
  // when too small.
  Status BindInput(int index, const BoundMemory& memory);
  Status BindOutput(int index, const BoundMemory& memory);

  // Per-step times of the last run in nanoseconds, or empty while profiling is off: of steps in
  // regions the sum over all times that they ran, of structured steps what is left (copies), so
  // that all add up.
  void EnableProfile(bool on) { profile_ = on; }
  std::span<const int64_t> step_ns() const { return {step_ns_, profile_ ? steps_.size() : 0}; }
  const SessionBytes& bytes() const { return bytes_; }

 private:
  // Where a program input or output lives.
  struct Port {
    int32_t tensor = -1;
    void* data = nullptr;   // what callers see
    void* arena = nullptr;  // where the plan put it
    void* bound = nullptr;  // caller's memory, null when in the arena
    int64_t pitch = 0;      // of bound memory, 0 where it is dense
    bool copies = false;    // bound memory is copied from or to at each run
  };
  struct Step {
    RunnableStep* runnable = nullptr;  // null for a step with a control
    void** addresses = nullptr;        // inputs, then outputs
    int32_t num_inputs = 0, num_outputs = 0;
    bool varies = false;  // or sets what others follow from
  };

  // Where the tensors of one of the plan's spaces lie.
  struct Space {
    std::byte* base = nullptr;
    DeviceMemory* memory = nullptr;  // null for the host's
  };

  int num_inputs() const { return static_cast<int>(program().inputs.size()); }
  Status AllocateSpaces();
  Status AllocateTables();
  Status AllocateStates();
  Status CreateSteps(const Threads& threads, Diagnostic* diagnostic);
  Status SetupSteps();
  void FillPorts();
  void* Address(int32_t tensor) const;
  TensorType TypeOf(const Port& port) const;
  Status RunSteps(int32_t first, int32_t count);
  Status RunStep(int32_t index);
  Status RunVarying(int32_t index);
  Status RunGuarded(int32_t index);
  Status CheckCancelled();
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // bind.cc
  bool OwnsItsBuffer(const Port& port, bool may_write) const;
  Status Bind(Port& port, const BoundMemory& memory, bool is_input);
  void CopyInputs() const;
  void CopyOutputs() const;
  // control_flow.cc
  Status RunRegion(int32_t region);
  Status RunControl(int32_t index);
  Status RunCopy(const PlanStep& step);
  Status RunIf(const PlanStep& step);
  Status RunWhile(const PlanStep& step);
  bool IsTrue(int32_t predicate) const;
  void CopyAll(std::span<const int32_t> from, std::span<const int32_t> to) const;

  Region* region_;
  const PreparedWeights* weights_;
  std::span<Space> spaces_;
  VaryingSteps varying_;
  std::span<Step> steps_;
  std::span<Port> ports_;     // inputs, then outputs
  void** buffers_ = nullptr;  // by buffer: its start, in its space or bound
  void** states_ = nullptr;   // by state of the plan; null where the program has no tensor for it
  void* workspace_ = nullptr;
  int64_t workspace_bytes_ = 0;
  int64_t* step_ns_ = nullptr;
  int64_t inside_ns_ = 0;  // what step_ns_ counts, of all runs
  bool profile_ = false;
  std::atomic<bool> cancelled_ = false;
  SessionBytes bytes_;
};

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <span>

#include "runtime/session/arena_guard.h"
#include "runtime/session/device_segments.h"
#include "runtime/session/prepared_weights.h"
#include "runtime/session/session_memory.h"
#include "runtime/session/thread_pool.h"
#include "runtime/session/varying_steps.h"

namespace linnet {

// The bytes of one session and what they are for.
struct SessionBytes {
  int64_t arena = 0;      // activations, inputs, outputs on the host, as the converter planned them
  int64_t state = 0;      // tables of the session, states of the model
  int64_t operators = 0;  // what backends allocated to run the steps
  int64_t workspace = 0;  // temporary memory, used by one step at a time
  int64_t total = 0;      // size of a block that holds all of these
  int64_t devices = 0;    // activations, inputs, outputs in memory of other devices, outside the
                          // block
};

// Memory of the caller for an input or output.
struct BoundMemory {
  void* data = nullptr;  // null: use the session's own memory again
  int64_t bytes = 0;     // that may be read or written
  int64_t pitch = 0;     // bytes from row to row (see Rows in bind.cc); 0: no gaps
};

// A program that is ready to run: its memory on each device and its steps. May be used by one
// thread at a time, except Cancel.
class Interpreter {
 public:
  // All memory comes from `region`. `weights` and the plan must outlive this object.
  Interpreter(Region* region, const PreparedWeights* weights)
      : region_(region), weights_(weights) {}
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Before Create: segments of devices compute as exactly as they can
  // (RunnableSegment::SetPrecise).
  void SetPrecise() { precise_ = true; }
  // kNoMemory, or an error of a backend with the step's index.
  Status Create(const Threads& threads, Diagnostic* diagnostic);

  // Gives the model's states the values that they have in a new session.
  void Reset();
  // Makes all that callers see as it is in a new session: states, shapes, and the contents of
  // inputs and outputs in the session's own memory, which are zero.
  void Restart();
  // The loops of one run may do so many iterations together; a run that needs more ends with
  // kCancelled.
  void LimitIterations(int64_t most) { most_iterations_ = most; }
  // Goes on where `from`, a session of another program of the same signature, has to stop: takes
  // the values of its states and the shapes of its inputs, and reads inputs from (writes outputs
  // to) the memory that its callers see, their own or that of `from`, which must outlive this
  // object. From then on Cancel of either cancels the run of this one. Call it once, before the
  // first run. kInvalidArgument when the programs disagree about shapes.
  Status TakeOver(Interpreter& from);

  // Runs all steps on the calling thread and the pool. Uses no heap, no file and no lock except the
  // pool's. kBadIndex, kCancelled, kDeviceLost, with the step's index; the states are unchanged
  // then. After the first two the session can still be used; after kDeviceLost the caller has to
  // create a new one.
  Status Run();
  // From any thread: makes the run in progress end with kCancelled before its next step or the next
  // iteration of a loop, or inside a step whose backend checks for it (the portable one does,
  // within milliseconds). A segment on a device counts as one step. When no run is in progress, the
  // next one is cancelled instead. Either way, one call cancels one run.
  void Cancel() { cancelled_->store(true, std::memory_order_relaxed); }

  const PlanProgram& program() const { return *weights_->program().plan; }
  const PreparedWeights& weights() const { return *weights_; }
  // Memory of a program input or output: dense, 64-byte aligned.
  void* input_data(int index) const { return ports_[index].data; }
  void* output_data(int index) const { return ports_[num_inputs() + index].data; }

  // The value of a state of the plan; null where the program has no tensor for it.
  const void* state(int32_t index) const { return states_[index]; }

  // The type that an input has from the next run on, and that an output had in the last run. The
  // plan has the largest type.
  TensorType input_type(int index) const { return TypeOf(ports_[index]); }
  TensorType output_type(int index) const { return TypeOf(ports_[num_inputs() + index]); }
  // Inputs that share a symbol change together. kInvalidArgument, and nothing changes, when a
  // dimension is out of its bounds or differs from a fixed one. The inputs' data must be written
  // again afterwards.
  Status SetInputShape(int index, std::span<const int64_t> dims);

  // Makes the following runs read the input from (write the output to) the caller's memory; null
  // data returns to the session's own memory. A run works in that memory directly, without a copy,
  // when it is 64-byte aligned, has no gaps between rows and at least 16 bytes more than the
  // tensor, when the plan places no other tensor in the buffer, and when the session does not have
  // it in memory that a device shares with the host. kInvalidArgument when it is too small.
  Status BindInput(int index, const BoundMemory& memory);
  Status BindOutput(int index, const BoundMemory& memory);

  // Nanoseconds that each step took in the last run; empty while profiling is off. A step in a
  // region has the sum of all its executions. A step with a control does not include the steps
  // inside it, so that the times of all steps add up. The first step of a segment on a device has
  // also what the segment took in addition to its ops.
  void EnableProfile(bool on) {
    profile_ = on;
    if (segments_ != nullptr) segments_->EnableProfile(on);
    for (const Step& step : steps_)
      if (kLinkedStrips && step.parts > 1) step.runnable->EnableProfile(on);
  }
  std::span<const int64_t> step_ns() const { return {step_ns_, profile_ ? steps_.size() : 0}; }
  // Segments on devices, each of which a run submits once, and the part of the last run's step_ns
  // in which the host waited although they did not run.
  int32_t num_segments() const { return segments_ == nullptr ? 0 : segments_->count(); }
  int64_t wait_ns() const { return profile_ && segments_ != nullptr ? segments_->WaitNs() : 0; }
  const SessionBytes& bytes() const { return bytes_; }

 private:
  // Where a program input or output lives.
  struct Port {
    int32_t tensor = -1;
    void* data = nullptr;   // what callers see
    void* own = nullptr;    // in the session's memory; for a constant, the constant
    void* bound = nullptr;  // caller's memory, null when in the session's
    int64_t bound_bytes = 0;
    int64_t pitch = 0;      // of bound memory, 0 where it is dense
    bool copies = false;    // bound memory is copied from or to at each run
    BoundMemory home = {};  // what unbinding binds to; null: the session's own (see TakeOver)
  };
  struct Step {
    RunnableStep* runnable = nullptr;  // null for a step with a control or on a device
    void** addresses = nullptr;        // inputs, then outputs
    int32_t num_inputs = 0, num_outputs = 0;
    bool varies = false;  // its extents vary, or it sets extents of others
    int32_t parts = 1;    // steps from this one on that `runnable` runs, in strips
  };

  int num_inputs() const { return static_cast<int>(program().inputs.size()); }
  Status AllocateTables();
  Status AllocateStates();
  Status CreateSteps(const Threads& threads, Diagnostic* diagnostic);
  Status CreateStep(int32_t index, std::span<InputInfo> inputs, const Threads& threads,
                    Diagnostic* diagnostic);
  Status SetupSteps();
  // strips.cc
  Status CreateStrips(const Threads& threads, Diagnostic* diagnostic);
  Status CreateStripsFrom(const schema::Strips& strips, const Threads& threads,
                          Diagnostic* diagnostic);
  bool RunInStrips(const schema::Strips& strips) const;
  Status AllocateWholes(const schema::Strips& strips);
  Status SetupStrips(int32_t first);
  void AllowStrips(const ArenaGuard& guard, int32_t first) const;
  void AddStripTimes(int32_t first, int64_t ns);
  // The segment that begins with this step; null when it is a step of the host.
  const DeviceSegment* FindSegment(int32_t step) const {
    return segments_ == nullptr ? nullptr : segments_->Find(step);
  }
  void FillPorts();
  void* Address(int32_t tensor) const;
  TensorType TypeOf(const Port& port) const;
  Status RunSteps(int32_t first, int32_t count);
  Status RunStep(int32_t index);
  Status RunSegment(const DeviceSegment& segment);
  void AddTime(int32_t index, int64_t ns);
  Status RunVarying(int32_t index);
  Status RunGuarded(int32_t index);
  Status CheckCancelled();
  bool cancelled() const { return cancelled_->load(std::memory_order_relaxed); }
  // bind.cc
  bool OwnsItsBuffer(const Port& port, bool may_write) const;
  Status Bind(Port& port, const BoundMemory& memory, bool is_input);
  void CopyInputs() const;
  void CopyOutputs() const;
  // control_flow.cc
  Status RunRegion(int32_t region);
  Status RunControl(int32_t index);
  Status RunIf(const PlanStep& step);
  Status RunWhile(const PlanStep& step);
  bool IsTrue(int32_t predicate) const;
  void CopyAll(std::span<const int32_t> from, std::span<const int32_t> to) const;

  Region* region_;
  const PreparedWeights* weights_;
  SessionMemory memory_;
  DeviceSegments* segments_ = nullptr;  // null when all steps are the host's
  VaryingSteps varying_;
  std::span<Step> steps_;
  std::span<Port> ports_;     // inputs, then outputs
  void** buffers_ = nullptr;  // by buffer of the host: its address, bound by the caller or our own
  void** states_ = nullptr;   // by state of the plan; null where the program has no tensor for it
  void** wholes_ = nullptr;   // by tensor made in strips: memory for all of it where these do not
                              // run as strips; null where there is none
  void* workspace_ = nullptr;
  int64_t workspace_bytes_ = 0;
  int64_t* step_ns_ = nullptr;
  int64_t inside_ns_ = 0;  // sum of all times ever added to step_ns_
  bool profile_ = false;
  bool precise_ = false;
  int64_t most_iterations_ = INT64_MAX;  // in a run
  int64_t iterations_ = 0;               // so far in this run
  std::atomic<bool> own_cancelled_ = false;
  std::atomic<bool>* cancelled_ = &own_cancelled_;
  SessionBytes bytes_;
};

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "runtime/core/region.h"
#include "runtime/plan/extents.h"
#include "runtime/session/backend.h"
#include "runtime/session/kernel_profile.h"
#include "runtime/verify/verify.h"

namespace linnet {

// The mapped or copied bytes of a plan file. Not owned.
struct PlanFile {
  const std::byte* data = nullptr;
  int64_t bytes = 0;
  // Gives the pages inside [offset, offset + bytes) back to the system, which reads them from the
  // file again when they are accessed. Null when the bytes are not a mapping of ours.
  void (*drop_pages)(const PlanFile& file, int64_t offset, int64_t bytes) = nullptr;
};

// The constants of a program, prepared for a list of backends and shared by all its sessions.
// Immutable once prepared, so sessions on several threads may use it.
class PreparedWeights {
 public:
  explicit PreparedWeights(Region* region) : region_(region), temporaries_(region->allocator()) {}
  ~PreparedWeights();
  PreparedWeights(const PreparedWeights&) = delete;
  PreparedWeights& operator=(const PreparedWeights&) = delete;

  // Chooses for each step the first of `backends` that can run it on the device that the plan
  // names (of a step in strips, the first that runs strips, if there is one), and lets it pack the
  // step's constants. `backends` and the plan must outlive this object. Where `kernels` (may be
  // null, only used during the call) says which is faster for a step with a choice, that one runs
  // it instead.
  // kNoMemory, kInternal, kUnsupported (no backend can run a step, or has a device of the plan with
  // the layout that its tensors have: the diagnostic says which and why), kInvalidArgument
  // (LINNET_ISA).
  Status Prepare(const VerifiedProgram& program, const PlanView& plan, const PlanFile& file,
                 std::span<const Backend* const> backends, Diagnostic* diagnostic,
                 const KernelProfile* kernels = nullptr);

  struct Step {
    int backend = -1;          // index into backends(); -1 for a step with a control
    bool is_measured = false;  // a kernel profile chose the backend
    // The input that it reads in panels, and how; -1: none.
    PanelForm panel_form = PanelForm::kNone;
    int16_t panel_input = -1;
    void* packed = nullptr;
    // Multiply-accumulates and all arithmetic, every symbol at its maximum.
    int64_t macs = 0, flops = 0;
  };
  std::span<const Step> steps() const { return steps_; }
  std::span<const Backend* const> backends() const { return {backends_, num_backends_}; }
  PackedWeights* packed_weights(int backend) const { return packed_weights_[backend]; }
  // The index of the backend for the device of one of the plan's spaces, numbered from 1; -1 when
  // there is none.
  int FindDevice(int space) const;
  // Whether more than one backend can run a step, which `op` describes, so that a kernel profile
  // may choose. Not for a step in strips: all of these need the backend that runs them together.
  [[gnu::cold]] bool HasChoice(int32_t step, const OpInstance& op) const;
  const VerifiedProgram& program() const { return *program_; }
  // Plain value of a weight tensor; null when only packed forms of it are kept.
  const void* constant(int32_t tensor) const { return constants_[tensor]; }
  // Writes the value that a state of the plan has in a new session to `to`, dense.
  void InitialState(int32_t state, void* to) const;
  std::span<const PlanSymbol> symbols() const { return plan_->symbols; }
  int32_t num_states() const { return static_cast<int32_t>(plan_->states.size()); }
  // Describes a step. `inputs` and `outputs` provide the memory for its types and must have room
  // for all of them. The types are those that the verifier has checked, with all symbols at their
  // maximum. A tensor that has no valid type then gets its largest type.
  OpInstance Instance(int32_t step, std::span<InputInfo> inputs,
                      std::span<TensorType> outputs) const;
  // The same with each extent at its own maximum, a combination that the op's shape rule may not
  // allow: the memory to provide.
  OpInstance LargestInstance(int32_t step, std::span<InputInfo> inputs,
                             std::span<TensorType> outputs) const;
  // The step as its backend sees it. `op` describes it.
  StepContext Context(int32_t step, const OpInstance& op) const;
  // The memory into which a step's constants are decoded until they are packed. Never a block.
  Region& temporaries() { return temporaries_; }
  // Bytes of packed and decoded constants in the host's memory, not counting the plan file.
  int64_t bytes() const { return region_->peak() - tables_bytes_; }
  // Bytes of packed constants in the memory of other devices.
  int64_t device_bytes() const;

  static constexpr size_t kMaxBackends = 4;

 private:
  int SpaceOf(const Backend& backend) const;
  Status AddBackend(const Backend& backend);
  Status CheckDevices(Diagnostic* diagnostic) const;
  Status PrepareStep(int32_t index, const KernelProfile* kernels, Diagnostic* diagnostic);
  [[gnu::cold]] bool MayRun(size_t backend, int32_t index, const OpInstance& op) const;
  [[gnu::cold]] int ChooseMeasured(int32_t index, const OpInstance& op,
                                   const KernelProfile& kernels) const;
  int ChooseByRules(int32_t index, const OpInstance& op, const char** reason) const;
  Status ChooseBackend(int32_t index, const OpInstance& op, const KernelProfile* kernels,
                       Diagnostic* diagnostic);
  Status LoadConstant(int32_t tensor);
  Status LoadConstants(int32_t index);
  bool IsInPanels(int32_t tensor) const;
  void DescribePanels(int32_t index, int input, InputInfo* info) const;
  Status LoadPanels(int32_t tensor);
  Status LoadOrDecodePanels(int32_t index, const OpInstance& op);
  Status KeepConstant(int32_t tensor);
  Status KeepConstants(std::span<const int32_t> tensors);
  Status KeepConstantOutputs();
  Status Keep(int32_t tensor);
  Status KeepOrFreeConstants(int32_t index, const OpInstance& op);
  void FreeTemporary(int32_t tensor);
  void FreeTemporaries(int32_t index);
  bool ReadsWeights(const VerifiedStep& step) const;
  void DropPackedPages() const;

  Region* region_;
  Region temporaries_;
  const VerifiedProgram* program_ = nullptr;
  const PlanView* plan_ = nullptr;
  PlanFile file_;
  const Backend* backends_[kMaxBackends] = {};
  size_t num_backends_ = 0;
  int spaces_[kMaxBackends] = {};  // by backend: the plan's space in which it works
  PackedWeights* packed_weights_[kMaxBackends] = {};
  std::span<Step> steps_;
  const void** constants_ = nullptr;  // by tensor: plain value while it exists
  bool* kept_ = nullptr;              // by tensor: the plain value is kept for runs
  const void** panels_ = nullptr;     // by tensor: value in panels, kept for runs
  Extents maxima_;
  std::span<InputInfo> inputs_;  // scratch for one step
  int64_t tables_bytes_ = 0;     // what this object itself takes from the region
};

}  // namespace linnet

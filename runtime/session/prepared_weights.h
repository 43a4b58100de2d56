// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "runtime/core/region.h"
#include "runtime/plan/extents.h"
#include "runtime/session/backend.h"
#include "runtime/verify/verify.h"

namespace linnet {

// The mapped or copied bytes of a plan file. Not owned.
struct PlanFile {
  const std::byte* data = nullptr;
  int64_t bytes = 0;
  // Gives the pages inside [offset, offset + bytes) back to the system; null when the bytes are not
  // a mapping of ours. They are read again from the file when touched.
  void (*drop_pages)(const PlanFile& file, int64_t offset, int64_t bytes) = nullptr;
};

// A program's constants made ready for a list of backends, shared by all its sessions. Immutable
// once prepared, so sessions on several threads may use it.
class PreparedWeights {
 public:
  explicit PreparedWeights(Region* region) : region_(region), temporaries_(region->allocator()) {}
  ~PreparedWeights();
  PreparedWeights(const PreparedWeights&) = delete;
  PreparedWeights& operator=(const PreparedWeights&) = delete;

  // For each step the first of `backends` that can run it, on the device that the plan names, packs
  // the step's constants. `backends` and the plan outlive this object. kNoMemory, kUnsupported (no
  // backend runs some step, or has some device; the diagnostic says which and why), kInternal.
  Status Prepare(const VerifiedProgram& program, const PlanView& plan, const PlanFile& file,
                 std::span<const Backend* const> backends, Diagnostic* diagnostic);

  struct Step {
    int backend = -1;  // index into backends(); -1 for a step with a control
    void* packed = nullptr;
    int64_t macs = 0;  // multiply-accumulates, every symbol at its maximum
  };
  std::span<const Step> steps() const { return steps_; }
  std::span<const Backend* const> backends() const { return {backends_, num_backends_}; }
  PackedWeights* packed_weights(int backend) const { return packed_weights_[backend]; }
  // The backend whose device has a space of the plan, from 1 up; null where none is there.
  const Backend* FindDevice(int space) const;
  const VerifiedProgram& program() const { return *program_; }
  // Plain value of a weight tensor; null where only packed forms are left.
  const void* constant(int32_t tensor) const { return constants_[tensor]; }
  // What a new session has in a state of the plan, dense in `to`.
  void InitialState(int32_t state, void* to) const;
  std::span<const PlanSymbol> symbols() const { return plan_->symbols; }
  int32_t num_states() const { return static_cast<int32_t>(plan_->states.size()); }
  // Fills the inputs and outputs of a step; `inputs` has room for all. The views stay in the plan.
  // The types are those that the verifier has checked: all symbols at their maximum. Outputs whose
  // extents the step sets itself are checked with these; they have their largest where all maxima
  // together give none.
  OpInstance Instance(int32_t step, std::span<InputInfo> inputs,
                      std::span<TensorType> outputs) const;
  // The same with each extent at its own largest, which together the op's rule may not allow: what
  // to have room for.
  OpInstance LargestInstance(int32_t step, std::span<InputInfo> inputs,
                             std::span<TensorType> outputs) const;
  // Without a block: what a step's constants are decoded into until they are packed.
  Region& temporaries() { return temporaries_; }
  // Bytes of packed and decoded constants, without the plan file.
  int64_t bytes() const { return region_->peak(); }

  static constexpr size_t kMaxBackends = 4;

 private:
  int SpaceOf(const Backend& backend) const;
  Status CheckDevices(Diagnostic* diagnostic) const;
  Status PrepareStep(int32_t index, Diagnostic* diagnostic);
  Status ChooseBackend(int32_t index, const OpInstance& op, Diagnostic* diagnostic);
  Status LoadConstant(int32_t tensor);
  Status LoadConstants(int32_t index);
  Status KeepConstant(int32_t tensor);
  Status KeepConstants(std::span<const int32_t> tensors);
  Status KeepConstantOutputs();
  Status Keep(int32_t tensor);
  Status KeepOrFreeConstants(int32_t index, const OpInstance& op);
  void FreeTemporary(int32_t tensor);
  void FreeTemporaries(int32_t index);
  void DropPackedPages() const;

  Region* region_;
  Region temporaries_;
  const VerifiedProgram* program_ = nullptr;
  const PlanView* plan_ = nullptr;
  PlanFile file_;
  const Backend* backends_[kMaxBackends] = {};
  size_t num_backends_ = 0;
  int spaces_[kMaxBackends] = {};  // of the plan, in which each backend works
  PackedWeights* packed_weights_[kMaxBackends] = {};
  std::span<Step> steps_;
  const void** constants_ = nullptr;  // by tensor: plain value while known
  bool* kept_ = nullptr;              // by tensor: somebody needs the plain value when running
  Extents maxima_;
  InputInfo* inputs_ = nullptr;  // scratch for one step
};

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/core/region.h"
#include "runtime/ops/op_def.h"
#include "runtime/plan/plan_view.h"

namespace linnet {

// What stands for an op's definition in a step with a control: its name, and no cost of its own.
const OpDef* ControlDef(schema::Control control);

// Which tensor may be read in which region, while a program is walked in the order of its steps. A
// region reads what its own steps wrote before, and what its step lists: the variables of a While
// and the inputs behind its initial values, those of an If behind its predicate. Weights and states
// are readable everywhere. Each region belongs to one step of a lower region, so a walk ends, after
// time linear in the program.
class RegionScopes {
 public:
  // Room for the largest of `programs`. kNoMemory.
  Status Create(std::span<const PlanProgram> programs, Region& region);
  // A program's walk begins: region 0 is current.
  void BeginProgram(const PlanProgram& program);

  bool IsReadable(int32_t tensor) const {
    return program_->tensors[tensor].storage != Storage::kArena || scopes_[tensor] == current_;
  }
  // A step of the current region, or the caller, writes it. False: it lies outside the arena or is
  // written already.
  bool Write(int32_t tensor);

  // The following give what is wrong, or nullptr.
  // Inputs and outputs of a structured step, before its regions; writes a While's variables.
  const char* Begin(const PlanStep& step);
  // `region`, the `index`th of the step, becomes current, until Leave.
  const char* Enter(const PlanStep& step, int index);
  const char* Leave(const PlanStep& step, int index);
  // Behind the regions; writes an If's outputs.
  const char* End(const PlanStep& step);
  const char* FindUnusedRegion() const;

 private:
  static std::span<const int32_t> Captured(const PlanStep& step);
  void Show(std::span<const int32_t> tensors, int32_t region);
  const char* WriteAll(std::span<const int32_t> tensors);
  const char* FindBadResults(const PlanStep& step, int index) const;

  const PlanProgram* program_ = nullptr;
  int32_t* scopes_ = nullptr;   // by tensor: the region that may read it now, -1 = not written
  int32_t* parents_ = nullptr;  // by region: that of its step, -1 = not seen
  int32_t current_ = 0;
  int depth_ = 0;
};

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "runtime/core/region.h"
#include "runtime/ops/op_def.h"
#include "runtime/plan/plan_view.h"

namespace linnet {

// The definition of a step with a control, which has no op: its name, and no cost.
const OpDef* ControlDef(schema::Control control);

// Tracks which tensor may be read in which region, while the verifier walks through a program in
// the order of its steps. A region may read what its own steps wrote before, and what its While or
// If step lists: the variables of a While and its inputs after the initial values; the inputs of an
// If after the predicate. Weights and states may be read everywhere. Each region belongs to one
// step of a lower region, so a walk takes time linear in the program.
class RegionScopes {
 public:
  // Allocates memory for the largest of `programs`. kNoMemory.
  Status Create(std::span<const PlanProgram> programs, Region& region);
  // Begins the walk through a program, in region 0.
  void BeginProgram(const PlanProgram& program);

  bool IsReadable(int32_t tensor) const {
    const Storage storage = program_->tensors[tensor].storage;
    if (kLinkedStrips && storage == Storage::kStrips) return false;  // see StripsVerifier
    return storage != Storage::kArena || scopes_[tensor] == current_;
  }
  // Notes that a step of the current region, or the caller, writes the tensor. False when it is not
  // in the arena or already written.
  bool Write(int32_t tensor) { return Write(tensor, Storage::kArena); }
  // The same for a step in strips and a tensor that exists only while they run.
  bool WriteInStrips(int32_t tensor) { return Write(tensor, Storage::kStrips); }

  // The following return what is wrong, or nullptr.

  // Checks a While or If before its regions, and writes the variables of a While.
  const char* Begin(const PlanStep& step);
  // Makes region number `index` of the step the current one, until Leave.
  const char* Enter(const PlanStep& step, int index);
  const char* Leave(const PlanStep& step, int index);
  // After the regions: writes the outputs of an If.
  const char* End(const PlanStep& step);
  const char* FindUnusedRegion() const;

 private:
  bool Write(int32_t tensor, Storage storage);
  static std::span<const int32_t> Captured(const PlanStep& step);
  void Show(std::span<const int32_t> tensors, int32_t region);
  const char* WriteAll(std::span<const int32_t> tensors);
  const char* FindBadResults(const PlanStep& step, int index) const;

  const PlanProgram* program_ = nullptr;
  int32_t* scopes_ = nullptr;   // by tensor: the region that may read it now; -1: not written
  int32_t* parents_ = nullptr;  // by region: the region of its step; -1: not seen yet
  int32_t current_ = 0;
  int depth_ = 0;
};

}  // namespace linnet

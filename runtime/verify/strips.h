// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/plan/plan_view.h"
#include "runtime/strips/strip_chain.h"

namespace linnet {

// Follows the verifier through the steps of a program and checks those that run in strips: each can
// make some rows at a time; a tensor of Storage::kStrips is written by one of them and read by
// later ones of the same strips only; only the last one writes to the arena, and over what the
// others read only behind them (StripChain::MayOverwrite); and the memory for rows, the scratch of
// the first step, suffices for one slot.
class StripsVerifier {
 public:
  // `room`: memory for the strips of the moment; may be empty where the program has none.
  StripsVerifier(const PlanProgram& program, std::span<StripPart> room)
      : program_(program), room_(room) {}

  // Before step `index`; strips are of region 0, whose steps are the first.
  void Reach(int32_t index);
  // Is the current step one that runs in strips?
  bool is_inside() const { return current_ != nullptr; }
  bool IsFirst(int32_t step) const;
  // May the current step read a tensor of Storage::kStrips?
  bool IsReadable(int32_t tensor) const;
  // After the current step, which has passed all other checks. Null, or what is wrong.
  const char* Add(const OpInstance& op, const PlanStep& step);
  // The same, when it was the last one of its strips.
  const char* Leave();

 private:
  bool IsLast() const;
  // Null for a last step without outputs, which is refused once it is the current one.
  const PlanTensor* LastOutput() const;
  const char* FindBadOverwrite(const OpInstance& op, const PlanStep& step);
  const char* FindBadMemory() const;

  const PlanProgram& program_;
  size_t next_ = 0;  // of the program's strips
  const schema::Strips* current_ = nullptr;
  int32_t index_ = 0;
  std::span<StripPart> room_;
  StripChain chain_;
  uint64_t overwritten_ = 0;  // bit i: part i reads what the last output is written over
};

}  // namespace linnet

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/plan/extents.h"
#include "runtime/session/backend.h"
#include "runtime/session/prepared_weights.h"

namespace linnet {

// The steps of one session whose shapes may differ from run to run, and the values of the symbols
// they follow from.
class VaryingSteps {
 public:
  // kNoMemory.
  Status Create(const PreparedWeights& weights, Region& region);

  Extents& extents() { return extents_; }
  const Extents& extents() const { return extents_; }
  // To be called after extents() was changed from outside.
  void ExtentsChanged() { ++version_; }

  bool varies(int32_t step) const { return weights_->program().steps[step].varies; }
  // What the step's backend is to keep: the session's own copy where attributes vary.
  const void* attrs(int32_t step) const {
    return attrs_[step] != nullptr ? attrs_[step] : weights_->program().steps[step].attrs;
  }
  // Before the step runs: gives it the shapes that the symbols stand for now, by the op's own rule.
  // kBadIndex when the rule refuses them or they exceed the plan's maximum.
  Status Resize(int32_t step, RunnableStep& runnable);
  // After the step has run: symbols that its outputs set. kBadIndex when one is out of bounds.
  Status ReadExtents(int32_t step, std::span<void* const> outputs);

 private:
  Status SetAttributes(int32_t step);
  Status FillInputTypes(int32_t step);
  Status CheckOutputTypes(int32_t step, const TensorType* inferred);
  Status Set(const schema::SetSymbol& set, int64_t value);

  const PreparedWeights* weights_ = nullptr;
  Extents extents_;
  void** attrs_ = nullptr;          // by step
  uint64_t* resized_at_ = nullptr;  // by step: version of the extents that it has
  uint64_t version_ = 1;
  std::span<InputInfo> inputs_;  // of the step at hand
};

}  // namespace linnet

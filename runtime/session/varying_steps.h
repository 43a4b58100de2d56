// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/plan/extents.h"
#include "runtime/session/backend.h"
#include "runtime/session/prepared_weights.h"

namespace linnet {

// The steps of one session whose shapes may differ from run to run, and the values of the symbols
// that determine these shapes.
class VaryingSteps {
 public:
  // kNoMemory.
  Status Create(const PreparedWeights& weights, Region& region);

  Extents& extents() { return extents_; }
  const Extents& extents() const { return extents_; }
  // Must be called after the caller has changed extents().
  void ExtentsChanged() { ++version_; }

  bool varies(int32_t step) const { return weights_->program().steps[step].varies; }
  // The attributes that the step's backend gets: the session's own copy when they vary.
  const void* attrs(int32_t step) const {
    return attrs_[step] != nullptr ? attrs_[step] : weights_->program().steps[step].attrs;
  }
  // Call before the step runs: gives it the shapes that follow from the current symbols. kBadIndex
  // when the op's shape rule refuses them or they exceed the plan's maximum.
  Status Resize(int32_t step, RunnableStep& runnable);
  // Call after the step has run: sets the symbols whose values are in its outputs. kBadIndex when
  // one is out of bounds.
  Status ReadExtents(int32_t step, std::span<void* const> outputs);

 private:
  Status SetAttributes(int32_t step);
  Status FillInputTypes(int32_t step);
  Status CheckOutputTypes(int32_t step, const TensorType* inferred);
  Status Set(const schema::SetSymbol& set, int64_t value);

  const PreparedWeights* weights_ = nullptr;
  Extents extents_;
  void** attrs_ = nullptr;          // by step
  uint64_t* resized_at_ = nullptr;  // by step: version_ at its last Resize
  uint64_t version_ = 1;
  std::span<InputInfo> inputs_;  // scratch for one step
};

}  // namespace linnet

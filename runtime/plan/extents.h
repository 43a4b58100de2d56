// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/plan/plan_view.h"

namespace linnet {

// The current values of a plan's symbols, and the types of tensors that follow from them.
class Extents {
 public:
  // Sets every free symbol to its maximum. kNoMemory.
  Status Create(std::span<const PlanSymbol> symbols, Region& region);

  // False, and nothing changes, when `value` is not within the symbol's bounds.
  [[nodiscard]] bool Set(int32_t symbol, int64_t value);
  // For free symbols.
  void SetToMaximum(int32_t symbol) { values_[symbol] = symbols_[symbol].max; }
  // The largest value(symbol) for any values of the free symbols within their bounds; at least 0.
  // The `type` of a tensor that varies has these extents. With negative factors it is more than the
  // value when all symbols are at their maximum.
  int64_t Largest(int32_t symbol) const;
  // -1 when a symbol computed from others is negative or too large.
  int64_t value(int32_t symbol) const;
  const PlanSymbol& symbol(int32_t index) const { return symbols_[index]; }

  // The tensor's type with these values. False when an extent is invalid or larger than the tensor
  // has memory for.
  [[nodiscard]] bool TypeOf(const PlanTensor& tensor, TensorType* type) const;
  // The same, or the largest type that the tensor has memory for when TypeOf is false.
  TensorType TypeOrLargest(const PlanTensor& tensor) const;

 private:
  std::span<const PlanSymbol> symbols_;
  int64_t* values_ = nullptr;  // by symbol; used for free ones only
};

}  // namespace linnet

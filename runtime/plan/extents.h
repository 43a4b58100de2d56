// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "runtime/plan/plan_view.h"

namespace linnet {

// The values that a plan's symbols have, and what follows from them: types of tensors, attributes
// of steps.
class Extents {
 public:
  // Every free symbol at its maximum. kNoMemory.
  Status Create(std::span<const PlanSymbol> symbols, Region& region);

  // False, and nothing changes, when `value` is not within the symbol's bounds.
  [[nodiscard]] bool Set(int32_t symbol, int64_t value);
  // A free symbol is at its maximum again.
  void SetToMaximum(int32_t symbol) { values_[symbol] = symbols_[symbol].max; }
  // The most that value(symbol) can be, each free symbol anywhere within its bounds; at least 0.
  // This is the extent in the `type` of a tensor that varies. What follows from symbols with
  // negative factors is less than that when all are at their maximum.
  int64_t Largest(int32_t symbol) const;
  // -1 where what follows from other symbols is negative or too large.
  int64_t value(int32_t symbol) const;
  const PlanSymbol& symbol(int32_t index) const { return symbols_[index]; }

  // The tensor's type under these values. False when it has no such extent or more than its memory
  // holds.
  [[nodiscard]] bool TypeOf(const PlanTensor& tensor, TensorType* type) const;
  // The same, or the largest that the tensor has memory for where it has no such extent.
  TensorType TypeOrLargest(const PlanTensor& tensor) const;

 private:
  std::span<const PlanSymbol> symbols_;
  int64_t* values_ = nullptr;  // of free symbols
};

}  // namespace linnet
